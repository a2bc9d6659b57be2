import t from 'tap';
import { onAbort } from '../../src/base/abort.ts';
import { parseName } from '../../src/dns/name.ts';
import type { Exchange, Exchanged, Reply } from '../../src/exchange/exchanged.ts';
import type { Query } from '../../src/exchange/query.ts';
import { byTtl, momentary, shareExchanges } from '../../src/exchange/shared-exchanges.ts';
import { createFakeClock } from '../base/fake-clock.ts';

const query = (name: string, address = '192.0.2.1', type = 'A'): Query => ({
  address,
  question: { name: parseName(name), type },
});

const never = new AbortController().signal;

const MAX_AGE_MS = 120_000;
const SETTINGS = { lifeMs: momentary(MAX_AGE_MS), marked: false, maxKept: 100 };

t.test('equal questions to one address are asked once', async (t) => {
  const { exchange, asked, answer } = world();
  const shared = shareExchanges(exchange, SETTINGS);
  const both = [shared(query('ns.test'), never), shared(query('NS.test'), never)];
  t.equal(asked.length, 1, 'while it lasts');
  answer('reply');
  const [first, second] = await Promise.all(both);
  t.equal(first, second);
  t.equal(await shared(query('ns.test'), never), first, 'and afterwards');
  t.equal(asked.length, 1);
});

t.test('any difference makes another exchange', async (t) => {
  const { exchange, asked, answer } = world();
  const shared = shareExchanges(exchange, SETTINGS);
  const queries = [
    query('a.test'),
    query('b.test'),
    query('a.test', '192.0.2.2'),
    query('a.test', '192.0.2.1', 'AAAA'),
  ];
  const all = queries.map((one) => shared(one, never));
  t.equal(asked.length, 4);
  answer('reply');
  const exchanges = await Promise.all(all);
  t.same(
    exchanges.map(({ address, question }) => ({ address, question })),
    queries,
  );
});

t.test('a reply expires, and silence is not kept at all', async (t) => {
  const { exchange, asked, answer } = world();
  const clock = createFakeClock();
  const shared = shareExchanges(exchange, { ...SETTINGS, clock });
  const ask = async (how: 'reply' | 'timeout') => {
    const one = shared(query('ns.test'), never);
    answer(how);
    return (await one).outcome.kind;
  };
  t.equal(await ask('timeout'), 'timeout');
  t.equal(await ask('reply'), 'reply', 'what was silence may be a reply now');
  t.equal(asked.length, 2);
  await clock.advance(MAX_AGE_MS);
  t.equal(await ask('timeout'), 'reply');
  t.equal(asked.length, 2);
  await clock.advance(1);
  t.equal(await ask('timeout'), 'timeout', 'too old: asked again');
  t.equal(asked.length, 3);
});

t.test('a limited number is kept, the newest', async (t) => {
  const { exchange, asked, answer } = world();
  const shared = shareExchanges(exchange, { ...SETTINGS, maxKept: 2 });
  for (const name of ['a.test', 'b.test', 'c.test', 'b.test', 'c.test', 'a.test']) {
    const one = shared(query(name), never);
    answer('reply');
    await one;
  }
  t.same(
    asked.map(({ question }) => question.name),
    ['a.test.', 'b.test.', 'c.test.', 'a.test.'],
  );
});

t.test('those that were used last are kept longest', async (t) => {
  const { exchange, asked, answer } = world();
  const shared = shareExchanges(exchange, { ...SETTINGS, maxKept: 2 });
  for (const name of ['a.test', 'b.test', 'a.test', 'c.test', 'a.test', 'b.test']) {
    const one = shared(query(name), never);
    answer('reply');
    await one;
  }
  t.same(
    asked.map(({ question }) => question.name),
    ['a.test.', 'b.test.', 'c.test.', 'b.test.'],
  );
});

t.test('what is not worth keeping is shared only while it lasts', async (t) => {
  const { exchange, asked, answer } = world();
  const keeps = ({ question }: Query) => question.name !== 'a.test.';
  const shared = shareExchanges(exchange, { ...SETTINGS, keeps });
  const both = [shared(query('a.test'), never), shared(query('a.test'), never)];
  answer('reply');
  await Promise.all(both);
  t.equal(asked.length, 1);
  const again = shared(query('a.test'), never);
  answer('reply');
  await again;
  t.equal(asked.length, 2);
});

t.test('a reply that was renewed is not the next to be forgotten', async (t) => {
  const { exchange, asked, answer } = world();
  const clock = createFakeClock();
  const shared = shareExchanges(exchange, { ...SETTINGS, maxKept: 2, clock });
  const ask = async (name: string) => {
    const one = shared(query(name), never);
    answer('reply');
    await one;
  };
  await ask('a.test');
  await ask('b.test');
  await clock.advance(MAX_AGE_MS + 1);
  for (const name of ['a.test', 'c.test', 'a.test']) await ask(name);
  t.same(
    asked.map(({ question }) => question.name),
    ['a.test.', 'b.test.', 'a.test.', 'c.test.'],
  );
});

t.test('leaving does not stop it for the others; the last to leave does', async (t) => {
  const { exchange, asked, stopped, answer } = world();
  const shared = shareExchanges(exchange, SETTINGS);
  const [one, other] = [new AbortController(), new AbortController()];
  const left = shared(query('ns.test'), one.signal);
  const stays = shared(query('ns.test'), other.signal);
  one.abort(new Error('enough'));
  await t.rejects(left, { message: 'enough' });
  t.same(stopped, []);
  answer('reply');
  t.equal((await stays).outcome.kind, 'reply');
  const last = shared(query('other.test'), other.signal);
  other.abort(new Error('all'));
  await t.rejects(last, { message: 'all' });
  t.same(stopped, ['other.test.']);
  const again = shared(query('other.test'), never);
  t.equal(asked.length, 3, 'what was stopped is asked anew');
  answer('reply');
  t.equal((await again).outcome.kind, 'reply');
  await t.rejects(
    shared(query('ns.test'), other.signal),
    { message: 'all' },
    'nothing is given to who has left',
  );
});

t.test('a signal that served one exchange serves another, unless it was aborted', async (t) => {
  const signals: AbortSignal[] = [];
  const { exchange, stopped, answer } = world();
  const shared = shareExchanges((one, signal) => {
    signals.push(signal);
    return exchange(one, signal);
  }, SETTINGS);
  const first = shared(query('a.test'), never);
  answer('reply');
  await first;
  const leaver = new AbortController();
  const second = shared(query('b.test'), leaver.signal);
  leaver.abort(new Error('enough'));
  await t.rejects(second, { message: 'enough' });
  t.same(stopped, ['b.test.'], 'what has ended is not stopped');
  const third = shared(query('c.test'), never);
  answer('reply');
  t.equal((await third).outcome.kind, 'reply');
  t.equal(signals[0], signals[1]);
  t.not(signals[1], signals[2]);
});

t.test('a bug is reported to all and not kept', async (t) => {
  let calls = 0;
  const shared = shareExchanges(async () => {
    calls += 1;
    throw new Error('a bug');
  }, SETTINGS);
  const both = [shared(query('a.test'), never), shared(query('a.test'), never)];
  for (const one of both) await t.rejects(one, { message: 'a bug' });
  await t.rejects(shared(query('a.test'), never), { message: 'a bug' });
  t.equal(calls, 2);
});

t.test('what is given to others is marked where that is wanted, and is not kept longer for it', async (t) => {
  const { exchange, asked, answer } = world();
  const clock = createFakeClock();
  const shared = shareExchanges(exchange, { ...SETTINGS, marked: true, clock });
  const both = [shared(query('ns.test'), never), shared(query('ns.test'), never)];
  answer('reply');
  const later = shared(query('ns.test'), never);
  t.match(await Promise.all([...both, later]), [
    { shared: undefined, traffic: { packetsSent: 1 } },
    { shared: true, elapsedMs: 1, traffic: { packetsSent: 0 } },
    { shared: true, traffic: { packetsSent: 0 } },
  ]);
  t.equal(asked.length, 1);
  const standsIn = shareExchanges(async (one) => ({ ...exchanged(one, 'reply'), shared: true }), SETTINGS);
  t.not(await standsIn(query('ns.test'), never), await standsIn(query('ns.test'), never));
});

t.test('an exchange lives as long as in the cache of a resolver', async (t) => {
  const record = (type: string, ttl: number, data = 'ns.test.') => ({
    name: parseName('test'),
    type,
    ttl,
    data,
  });
  const soa = (ttl: number, minimum: number) => record('SOA', ttl, `ns.test. . 1 2 3 4 ${minimum}`);
  const rows: readonly (readonly [shows: string, reply: Partial<Reply> | 'timeout', seconds: number])[] = [
    ['the least TTL', { answer: [record('A', 300, '192.0.2.1'), record('A', 60, '192.0.2.2')] }, 60],
    ['of a referral with glue', { authority: [record('NS', 300)], additional: [record('A', 9, '::')] }, 9],
    ['negative: the MINIMUM', { rcode: 'NXDOMAIN', authority: [soa(3_600, 900)] }, 900],
    ['negative: the TTL', { authority: [soa(60, 900)] }, 60],
    ['a SOA that was asked for', { answer: [soa(3_600, 900)] }, 3_600],
    ['negative, without a SOA', {}, 0],
    ['a failure', { rcode: 'REFUSED', authority: [soa(3_600, 900)] }, 30],
    ['silence', 'timeout', 30],
  ];
  for (const [shows, reply, seconds] of rows) {
    const heard = exchanged(query('www.test'), reply === 'timeout' ? reply : 'reply');
    const { outcome } = heard;
    const changed = outcome.kind === 'reply' && reply !== 'timeout' ? { ...outcome, ...reply } : outcome;
    t.equal(byTtl({ ...heard, outcome: changed }), seconds * 1_000, shows);
  }
});

/** An exchange that ends when it is told to. */
function world() {
  const asked: Query[] = [];
  const stopped: string[] = [];
  let waiting: ((how: 'reply' | 'timeout') => void)[] = [];
  const exchange: Exchange = (one, signal) => {
    asked.push(one);
    return new Promise((resolve, reject) => {
      const stay = onAbort(signal, () => {
        stopped.push(one.question.name);
        reject(signal.reason);
      });
      waiting.push((how) => {
        stay();
        resolve(exchanged(one, how));
      });
    });
  };
  const answer = (how: 'reply' | 'timeout') => {
    const all = waiting;
    waiting = [];
    for (const one of all) one(how);
  };
  return { exchange, asked, stopped, answer };
}

function exchanged({ address, question }: Query, how: 'reply' | 'timeout'): Exchanged {
  const empty = { answer: [], authority: [], additional: [] };
  const reply = { kind: 'reply', rcode: 'NOERROR', flags: ['qr'], rttMs: 1, bytes: 12, ...empty } as const;
  const traffic = { packetsSent: 1, packetsReceived: 1, bytesSent: 12, bytesReceived: 12 };
  const outcome = how === 'reply' ? reply : ({ kind: 'timeout' } as const);
  return { address, question, outcome, transport: 'udp', tries: [], elapsedMs: 1, traffic };
}
