import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import type { Exchange, Exchanged, Reply } from '../../src/exchange/exchanged.ts';
import type { RankedQuery } from '../../src/exchange/query.ts';
import { KnownReferrals, shareReferrals } from '../../src/explore/shared-referrals.ts';
import { createFakeClock, settled } from '../base/fake-clock.ts';

const never = new AbortController().signal;

/** "zone name [type]", put to one address of a server of that zone unless the line begins with another. */
function query(line: string): RankedQuery {
  const words = line.split(' ');
  const address = /^\d/.test(words[0] ?? '') ? words.shift() : '192.0.2.1';
  const [zone = '', name = '', type = 'A'] = words;
  return { address: address ?? '', question: { name: parseName(name), type }, zone: parseName(zone) };
}

/** What a server says: "refer CUT", or what it says instead. */
type Says = `refer ${string}` | 'nxdomain' | 'timeout';

/** Questions that are answered when the test says so, and over which referrals are shared. */
function world(home = new KnownReferrals(100)) {
  const asked: string[] = [];
  const open = new Map<string, (says: Says) => void>();
  const exchange: Exchange = (query) =>
    new Promise((resolve) => {
      const { name, type } = query.question;
      const key = `${query.address} ${name} ${type}`;
      asked.push(key);
      open.set(key, (says) => resolve(exchanged(query, says)));
    });
  const shared = shareReferrals(exchange, home);
  const ask = (line: string, signal = never) => shared(query(line), signal);
  const answer = async (line: string, says: Says) => {
    const { address, question } = query(line);
    const key = `${address} ${question.name} ${question.type}`;
    while (!open.has(key)) await settled();
    open.get(key)?.(says);
    open.delete(key);
    await settled();
  };
  /** Asks and answers. */
  const get = async (line: string, says: Says) => {
    const heard = ask(line);
    await answer(line, says);
    return await heard;
  };
  return { ask, answer, get, asked };
}

function exchanged({ address, question }: RankedQuery, says: Says): Exchanged {
  const traffic = { packetsSent: 1, packetsReceived: 1, bytesSent: 40, bytesReceived: 100 };
  const base = { address, question, transport: 'udp', tries: [], elapsedMs: 7, traffic } as const;
  if (says === 'timeout') return { ...base, outcome: { kind: 'timeout' } };
  const none = { answer: [], authority: [], additional: [] };
  const head = { kind: 'reply', flags: ['qr'], rttMs: 7, bytes: 100, ...none } as const;
  if (says === 'nxdomain') return { ...base, outcome: { ...head, rcode: 'NXDOMAIN' } };
  const authority = [{ name: parseName(says.slice(6)), type: 'NS', ttl: 300, data: 'ns.test.' }];
  const outcome: Reply = { ...head, rcode: 'NOERROR', authority };
  return { ...base, outcome };
}

t.test(
  'a referral by a server of the root or of a top-level domain stands for others below the cut',
  async (t) => {
    const rows: readonly (readonly [
      first: string,
      says: Says,
      then: string,
      expected: 'shared' | 'asked',
    ])[] = [
      ['. www.a.test', 'refer test', '. www.b.test', 'shared'],
      ['. www.a.test', 'refer test', '. test NS', 'shared'],
      ['. www.a.test', 'refer test', '. www.a.test AAAA', 'shared'],
      ['test www.a.test', 'refer a.test', 'test ns.a.test', 'shared'],
      ['test www.a.b.test', 'refer a.b.test', 'test x.a.b.test', 'shared'],
      ['. www.a.test', 'refer a.test', '. www.b.test', 'asked'],
      ['. www.a.test', 'refer test', '. www.a.example', 'asked'],
      ['. www.a.test', 'refer test', '. nottest', 'asked'],
      // Another address may refer elsewhere.
      ['. www.a.test', 'refer test', '192.0.2.2 . www.b.test', 'asked'],
      // The same address as a server of the zone itself.
      ['. www.a.test', 'refer test', 'test www.b.test', 'asked'],
      // The parent has the DS records of the zone at the cut, but not those of zones below it.
      ['. www.a.test', 'refer test', '. test DS', 'asked'],
      ['. www.a.test', 'refer test', '. a.test DS', 'shared'],
      // Servers of other zones may serve zones below the cut.
      ['a.test www.b.a.test', 'refer b.a.test', 'a.test ns.b.a.test', 'asked'],
      // What is no referral says nothing about other names.
      ['. www.a.test', 'nxdomain', '. www.b.test', 'asked'],
      ['. www.a.test', 'timeout', '. www.b.test', 'asked'],
    ];
    for (const [first, says, then, expected] of rows) {
      const { ask, answer, get, asked } = world();
      await get(first, says);
      const second = ask(then);
      if (expected === 'asked') await answer(then, 'nxdomain');
      const heard = await second;
      t.equal(asked.length, expected === 'asked' ? 2 : 1, `${first}: ${says}; ${then}: ${expected}`);
      t.equal(heard.shared, expected === 'shared' ? true : undefined);
      t.match(heard, { address: query(then).address, question: query(then).question });
    }
  },
);

t.test('what is shared takes its time, and nothing on the wire', async (t) => {
  const { ask, get } = world();
  const first = await get('. www.a.test', 'refer test');
  t.notHas(first, { shared: true });
  t.match(await ask('. www.b.test'), {
    shared: true,
    elapsedMs: 7,
    traffic: { packetsSent: 0, packetsReceived: 0, bytesSent: 0, bytesReceived: 0 },
    outcome: first.outcome,
  });
});

t.test('those who may be below the same cut wait for the first of them, once', async (t) => {
  const { ask, answer, asked } = world();
  const all = ['. www.a.test', '. www.b.test', '. www.c.test'].map((line) => ask(line));
  await answer('. www.a.test', 'refer test');
  t.same(
    (await Promise.all(all)).map(({ shared }) => shared),
    [undefined, true, true],
  );
  t.equal(asked.length, 1);
  const silent = ['. www.a.dead', '. www.b.dead', '. www.c.dead'];
  const dead = silent.map((line) => ask(line));
  await answer('. www.a.dead', 'timeout');
  t.equal(asked.length, 4, 'if nothing comes of it, they all ask at once');
  for (const line of silent.slice(1)) await answer(line, 'timeout');
  await Promise.all(dead);
});

t.test('names that are no cut of the zone hold nobody up', async (t) => {
  const { ask, answer, get, asked } = world();
  await get('uk www.a.co.uk', 'refer a.co.uk');
  const [b, c] = [ask('uk www.b.co.uk'), ask('uk www.c.co.uk')];
  await settled();
  t.equal(asked.length, 3, 'co.uk is none');
  await answer('uk www.b.co.uk', 'refer b.co.uk');
  await answer('uk www.c.co.uk', 'refer c.co.uk');
  await Promise.all([b, c]);
});

t.test('who waits may leave; if the first leaves, another asks', async (t) => {
  const { ask, asked } = world();
  const leaver = new AbortController();
  void ask('. www.a.test');
  const second = ask('. www.b.test', leaver.signal);
  leaver.abort(new Error('enough'));
  await t.rejects(second, { message: 'enough' });
  t.equal(asked.length, 1);
});

t.test('a referral stands for others until its least TTL has passed', async (t) => {
  const clock = createFakeClock();
  const { ask, get, asked } = world(new KnownReferrals(100, clock));
  await get('. www.a.test', 'refer test');
  await clock.advance(300_000);
  t.match(await ask('. www.b.test'), { shared: true });
  await clock.advance(1);
  t.notMatch(await get('. www.b.test', 'refer test'), { shared: true });
  t.equal(asked.length, 2);
});

t.test('of zones below the root the cuts that were used last are remembered', async (t) => {
  const { ask, get, asked } = world(new KnownReferrals(2));
  await get('. www.a.test', 'refer test');
  await get('test www.a.test', 'refer a.test');
  await get('test www.b.test', 'refer b.test');
  await ask('test ftp.a.test');
  await get('test www.c.test', 'refer c.test');
  t.match(await ask('test mail.a.test'), { shared: true });
  await get('test ftp.b.test', 'refer b.test');
  t.equal(asked.length, 5, 'this one had been forgotten');
  t.match(await ask('. www.d.test'), { shared: true }, 'and those of the root make no room for others');
});
