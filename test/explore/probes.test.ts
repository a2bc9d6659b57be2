import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import type { Probe, Probed, Probing } from '../../src/exchange/exchanged.ts';
import type { Query } from '../../src/exchange/query.ts';
import type { Budget } from '../../src/explore/budget.ts';
import { probeAll } from '../../src/explore/probes.ts';
import {
  alias,
  answer,
  denial,
  failure,
  rcode,
  referral,
  reply,
  type Saying,
  silence,
  traverseWorld,
  tried,
  withEdns,
  withFlags,
} from '../findings/world.ts';

/** A zone with one server that is as it should be, and does not use EDNS. */
const SOA = answer('m. h. 1 2 3 4 5');
const NS = '192.0.2.11';
const TO_ZONE = { '192.0.2.1 *': referral('a.b. ns.a.b.=192.0.2.11') };

/** The zone a.b., with these replies by "name type", and NODATA to all else. */
function serving(records: Readonly<Record<string, Saying>>): Saying {
  const own: Readonly<Record<string, Saying>> = {
    'a.b. SOA': SOA,
    'a.b. NS': answer('ns.a.b.'),
    'ns.a.b. A': answer(NS),
    ...records,
  };
  return (query: Query) => {
    const { name, type } = query.question;
    return (own[`${name} ${type}`] ?? denial('nodata', 'a.b.'))(query);
  };
}

/** The zone, which denies the name asked with these records. */
function denying(...proof: readonly string[]): Saying {
  const soa = 'a.b. SOA m. h. 1 2 3 4 5';
  return serving({ 'www.a.b. A': reply({ rcode: 'NXDOMAIN', authority: [soa, ...proof] }) });
}

const WWW = serving({ 'www.a.b. A': answer('192.0.2.80') });

interface Row {
  readonly shows: string;
  readonly ask?: string;
  readonly at: Saying;
  /** "kind name type", in the order of the result. */
  readonly plan: readonly string[];
}

const rows: readonly Row[] = [
  {
    shows: 'a name that exists: another type, and TCP',
    at: WWW,
    plan: ['tcp a.b. SOA', 'other-type www.a.b. AAAA'],
  },
  {
    shows: 'a name that does not exist',
    at: serving({ 'www.a.b. A': denial('nxdomain', 'a.b.') }),
    plan: ['tcp a.b. SOA', 'other-type www.a.b. AAAA'],
  },
  {
    shows: 'another type than A: the A records',
    ask: 'www.a.b. MX',
    at: WWW,
    plan: ['tcp a.b. SOA', 'other-type www.a.b. A'],
  },
  {
    shows: 'the apex always exists, so a name server is asked for',
    ask: 'a.b. A',
    at: WWW,
    plan: ['tcp a.b. SOA', 'other-type ns.a.b. AAAA'],
  },
  {
    shows: 'a deep name: the one above it',
    ask: 'www.deep.a.b. A',
    at: serving({ 'www.deep.a.b. A': answer('192.0.2.80') }),
    plan: ['tcp a.b. SOA', 'other-type www.deep.a.b. AAAA', 'ancestor deep.a.b. A'],
  },
  {
    shows: 'a deep alias exists as well as its target',
    ask: 'www.deep.a.b. A',
    at: serving({ 'www.deep.a.b. A': alias('ns.a.b.') }),
    plan: ['tcp a.b. SOA', 'other-type www.deep.a.b. AAAA', 'ancestor deep.a.b. A'],
  },
  {
    shows: 'below a DNAME nothing has to exist',
    ask: 'www.deep.a.b. A',
    at: serving({
      'www.deep.a.b. A': reply({
        answer: ['deep.a.b. DNAME a.b.', '@ CNAME www.a.b.', 'www.a.b. A 192.0.2.80'],
      }),
    }),
    plan: ['tcp a.b. SOA', 'other-type ns.a.b. AAAA'],
  },
  {
    shows: 'EDNS in replies',
    at: withEdns(WWW),
    plan: ['tcp a.b. SOA', 'edns-version a.b. SOA', 'edns-option a.b. SOA', 'other-type www.a.b. AAAA'],
  },
  {
    shows: 'EDNS where the zone is not served',
    at: withEdns(rcode('REFUSED')),
    plan: ['tcp a.b. SOA'],
  },
  {
    shows: 'TCP that was used already',
    at: tried('TC, tcp NOERROR', WWW),
    plan: ['other-type www.a.b. AAAA'],
  },
  {
    shows: 'the RA bit',
    at: withFlags(WWW, 'aa', 'ra'),
    plan: ['tcp a.b. SOA', 'recursion . SOA', 'other-type www.a.b. AAAA'],
  },
  {
    shows: 'NSEC records that lead on: the first of the next names',
    at: denying('a.b. NSEC w.a.b. NS SOA NSEC', 'm.a.b. NSEC n.a.b. A NSEC'),
    plan: ['tcp a.b. SOA', 'other-type www.a.b. AAAA', 'next-name n.a.b. NSEC'],
  },
  {
    shows: 'NSEC records that lead to the apex, or are made for each reply',
    at: denying('z.a.b. NSEC a.b. A NSEC', 'a.b. NSEC \\000.a.b. NS SOA NSEC', 'v.a.b. NSEC wx.a.b. NSEC'),
    plan: ['tcp a.b. SOA', 'other-type www.a.b. AAAA'],
  },
  { shows: 'silence while there is EDNS', at: silence, plan: ['no-edns a.b. SOA'] },
  {
    shows: 'silence without EDNS, too',
    at: tried('timeout, plain timeout', failure('timeout')),
    plan: [],
  },
  { shows: 'a port that is closed', at: tried('ECONNREFUSED', failure('unreachable')), plan: [] },
];

t.test('what is probed depends on what was heard', async (t) => {
  for (const { shows, ask = 'www.a.b. A', at, plan } of rows) {
    const world = {
      ask,
      roots: 'r.=192.0.2.1',
      options: { check: true, families: [4] },
      probes: {},
    } as const;
    const made = await traverseWorld({ ...world, says: { ...TO_ZONE, [`${NS} *`]: at } });
    const probes = made.probes?.filter(({ kind }) => kind !== 'repeat');
    t.same(
      probes?.map(({ kind, question }) => `${kind} ${question.name} ${question.type}`),
      plan,
      shows,
    );
    t.ok(
      probes?.every(({ server }) => server.address === NS),
      'root servers are left alone',
    );
  }
});

t.test('what an exchange asked is not probed: its reply serves', async (t) => {
  const at = serving({ 'ns.a.b. A': answer(NS), 'ns.a.b. AAAA': rcode('SERVFAIL') });
  const made = await traverseWorld({
    ask: 'ns.a.b. A',
    roots: 'r.=192.0.2.1',
    options: { check: true },
    probes: {},
    says: { ...TO_ZONE, [`${NS} *`]: at },
  });
  const keyOf = ({ server, question: { name, type } }: (typeof made.exchanges)[number]) =>
    `${server.address} ${name} ${type}`;
  t.ok(made.exchanges.map(keyOf).includes(`${NS} ns.a.b. AAAA`), 'the other type was asked');
  t.same(
    made.probes?.map(({ kind, question }) => `${kind} ${question.name} ${question.type}`),
    ['tcp a.b. SOA'],
  );
});

t.test(
  'a server that disowns a zone is asked for its own address, unless it was seen to serve something',
  async (t) => {
    const hoster =
      (own: Saying): Saying =>
      (query) =>
        (query.question.name.endsWith('c.') ? own : rcode('REFUSED'))(query);
    const glued = await traverseWorld({
      ask: 'www.a.b. A',
      roots: 'r.=192.0.2.1',
      options: { check: true, families: [4, 6] },
      says: {
        '192.0.2.1 *': referral('a.b. ns.c.=192.0.2.11,2001:db8::11'),
        [`${NS} *`]: hoster(answer(NS)),
        '2001:db8::11 *': hoster(answer('2001:db8::11')),
      },
      probes: {},
    });
    const own = glued.probes?.filter(({ kind }) => kind === 'own-name');
    t.same(
      own?.map(({ server, question }) => [server.address, question]),
      [
        [NS, { name: 'ns.c.', type: 'A' }],
        ['2001:db8::11', { name: 'ns.c.', type: 'AAAA' }],
      ],
    );
    const lookedUp = await traverseWorld({
      ask: 'www.a.b. A',
      roots: 'r.=192.0.2.1',
      options: { check: true, families: [4] },
      says: {
        '192.0.2.1 *': referral('a.b. ns.c.'),
        '192.0.2.1 ns.c. A': referral('c. ns.c.=192.0.2.11'),
        [`${NS} *`]: hoster(answer(NS)),
      },
      probes: {},
    });
    t.same(
      lookedUp.probes?.map(({ kind }) => kind).filter((kind) => kind !== 'repeat'),
      ['tcp'],
    );
  },
);

t.test('little is probed without --check, and nothing after a limit, or by who cannot', async (t) => {
  const world = { ask: 'www.a.b. A', roots: 'r.=192.0.2.1', says: { ...TO_ZONE, [`${NS} *`]: WWW } };
  const options = { views: ['profiles'] } as const;
  const { probes: unchecked } = await traverseWorld({ ...world, options, probes: {} });
  t.same(
    unchecked?.map(({ kind }) => kind),
    ['repeat', 'repeat', 'repeat', 'other-type'],
  );
  const failing = { ...world, says: { ...TO_ZONE, [`${NS} *`]: rcode('REFUSED') }, options, probes: {} };
  t.match((await traverseWorld(failing)).probes, [
    { kind: 'control', question: { name: 'a.b.', type: 'SOA' } },
  ]);
  const cut = await traverseWorld({ ...world, options: { check: true, maxQueries: 2 }, probes: {} });
  t.same(cut.probes, []);
  const unable = await traverseWorld({ ...world, options: { check: true } });
  t.same(unable.probes, []);
});

const NEVER = new AbortController().signal;
const PLENTY: Budget = { maxQueries: 100, maxTimeMs: 60_000 };
const AROUND = { budget: PLENTY, mayAsk: () => true, signal: NEVER };

const PROBES: readonly Probe[] = ['a.test', 'b.test', 'c.test'].map((name, index) => {
  return { probe: 'tcp', address: `192.0.2.${index + 1}`, question: { name: parseName(name), type: 'SOA' } };
});

function probed(probe: Probe): Probed {
  const traffic = { packetsSent: 1, packetsReceived: 1, bytesSent: 40, bytesReceived: 40 };
  return { ...probe, outcome: { kind: 'timeout' }, transport: 'tcp', tries: [], elapsedMs: 1, traffic };
}

/** Sends one packet for each probe, and answers all of them when `answer` is called. */
function world() {
  const sent: string[] = [];
  const waiting: (() => void)[] = [];
  const probing: Probing = (probe, signal, leaving) =>
    new Promise((resolve, reject) => {
      leaving?.();
      if (signal.aborted) return reject(signal.reason);
      sent.push(probe.question.name);
      signal.addEventListener('abort', () => reject(signal.reason));
      // The last to be asked is the first to answer.
      waiting.unshift(() => resolve(probed(probe)));
    });
  const answer = () => {
    for (const one of waiting) one();
  };
  return { probing, sent, answer };
}

t.test('all go out at once, and come back in their order', async (t) => {
  const { probing, sent, answer } = world();
  const done = probeAll(PROBES, { ...AROUND, probing });
  t.same(sent, ['a.test.', 'b.test.', 'c.test.']);
  answer();
  t.same((await done).probes, PROBES.map(probed));
});

t.test('what may not be asked is not sent, also if that changes while it waits', async (t) => {
  const sent: string[] = [];
  const denied = new Set(['a.test.']);
  const mayAsk = ({ question }: Query) => !denied.has(question.name);
  const probing: Probing = async (probe, _signal, leaving) => {
    denied.add('b.test.');
    leaving?.();
    sent.push(probe.question.name);
    return probed(probe);
  };
  t.same((await probeAll(PROBES, { ...AROUND, probing, mayAsk })).probes, PROBES.slice(2).map(probed));
  t.same(sent, ['c.test.']);
});

t.test('what is left of the budget bounds them', async (t) => {
  const { probing, sent } = world();
  const packets = await probeAll(PROBES, { ...AROUND, probing, budget: { ...PLENTY, maxPackets: 2 } });
  t.same(packets.probes, [], 'none had ended when the third would have left');
  t.same(sent, ['a.test.', 'b.test.']);
  const timeless = await probeAll(PROBES, {
    ...AROUND,
    probing: world().probing,
    budget: { ...PLENTY, maxTimeMs: -1 },
  });
  t.same(timeless.probes, [], 'no time is left');
});

t.test('who is stopped gets what is known', async (t) => {
  const { probing } = world();
  const stop = new AbortController();
  const [first] = PROBES;
  const some: Probing = (probe, signal, leaving) =>
    probe === first ? Promise.resolve(probed(probe)) : probing(probe, signal, leaving);
  const done = probeAll(PROBES, { ...AROUND, probing: some, signal: stop.signal });
  stop.abort();
  t.same(
    (await done).probes.map(({ address }) => address),
    ['192.0.2.1'],
  );
  t.same((await probeAll(PROBES, { ...AROUND, probing, signal: stop.signal })).probes, []);
});

t.test('a bug is reported', async (t) => {
  const probing: Probing = () => Promise.reject(new Error('a bug'));
  await t.rejects(probeAll(PROBES, { ...AROUND, probing }), { message: 'a bug' });
});
