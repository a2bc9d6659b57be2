import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import type { Finding } from '../../src/document/finding.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { type Fraction, fractionText, readFraction } from '../../src/evaluate/fraction.ts';
import { DEFAULT_PROFILES } from '../../src/explore/profiles/profiles.ts';
import { someoneGetsNoAnswer } from '../../src/report/nagios.ts';
import { verdictRow } from '../../src/report/views/conclusion.ts';
import { problemWords } from '../../src/report/views/faults.ts';
import { faultyServersOf } from '../../src/report/views/faulty-servers.ts';
import { whoGet } from '../../src/report/views/user-shares.ts';
import { notCheckedWords } from '../../src/report/views/wording.ts';
import { ALL_VIEWS, demoResult } from '../lab/demo-result.ts';
import { savedResult } from './graph-results.ts';

t.test('the servers at which paths go wrong, and whether somebody gets no answer', async (t) => {
  const rows: readonly (readonly [
    what: string,
    name: string,
    culprits: readonly string[],
    answers: 'all answered' | 'not all answered',
  ])[] = [
    ['all is well', 'www.shop.example', [], 'all answered'],
    ['one that refers up', 'www.lame.example', ['ns2.harbour.example. 1/2'], 'all answered'],
    ['one that is dead', 'www.dead.example', ['ns.dead.example. 1/2'], 'all answered'],
    ['one of whose two addresses is dead', 'www.six.example', ['ns1.six.example. 1/4'], 'all answered'],
    ['dead at one address, old at the other', 'www.mixed.example', ['ns.mixed.example. 1/8'], 'all answered'],
    ['two that differ: nobody knows which is right', 'www.stale.example', [], 'all answered'],
    ['two that differ on whether there is a name', 'spring.sale.example', [], 'not all answered'],
    [
      // Half of all paths pick ns2; half of the lookups of its A and half of its AAAA records would need it again.
      'one that cannot always be found',
      'www.missing-glue.example',
      ['ns2.missing-glue.example. 1/8'],
      'all answered',
    ],
    ['one that nobody can find', 'www.left.example', ['ns.right.test. 1'], 'not all answered'],
    ['an alias loop, which no server makes alone', 'www.circle.example', [], 'not all answered'],
    ['somebody else who answers for all of them', 'www.hotel.example', [], 'all answered'],
  ];
  for (const [what, name, culprits, answers] of rows) {
    const result = await demoResult(name, 'A');
    t.same(
      faultyServersOf(result).map((one) => `${one.name} ${fractionText(one.share)}`),
      culprits,
      what,
    );
    t.equal(someoneGetsNoAnswer(result), answers === 'not all answered');
  }
  const { views, findings } = await demoResult('www.dead.example', 'A');
  const healthy = await demoResult('www.shop.example', 'A');
  const warm = { ...healthy.views, 'first-tries/warm': views['first-tries'], warm: views.resolver };
  t.match(
    faultyServersOf({ ...healthy, views: warm, findings }),
    [{ name: 'ns.dead.example.' }],
    'warm ones too',
  );
});

t.test('with --dnssec also the servers whose replies do not verify', async (t) => {
  const rows: readonly (readonly [name: string, culprits: readonly string[]])[] = [
    ['www.shop.example', []],
    ['www.expired.example', ['ns2.harbour.example. 1/2 bogus']],
    ['www.dead.example', ['ns.dead.example. 1/2 timeout']],
  ];
  const { text: words } = verdictRow(await demoResult('www.expired.example', 'A', ALL_VIEWS));
  t.match(words, /^ns2\.harbour\.example returns signatures that expired on .* get SERVFAIL, others 198\./);
  for (const [name, culprits] of rows) {
    const result = await demoResult(name, 'A', ALL_VIEWS);
    const told = faultyServersOf(result).map(
      (one) => `${one.name} ${fractionText(one.share)} ${[...new Set(one.ends.map(({ kind }) => kind))]}`,
    );
    t.same(told, culprits, name);
  }
});

function finding(code: string, more: Partial<Finding> = {}): Finding {
  return {
    id: 'f1',
    code,
    severity: 'error',
    message: 'It is wrong.',
    advice: 'Mend it.',
    causes: [],
    evidence: [],
    ...more,
  };
}

t.test('the verdict', async (t) => {
  const rows: readonly (readonly [name: string, words: string, status: string])[] = [
    ['healthy', 'all users get the answer', 'ok'],
    [
      'mixed',
      '75 % of users get 198.51.100.110 and 25 % 192.0.2.110 from ns.mixed.example, which does not reply',
      'differs',
    ],
    [
      'folded',
      'all users get NODATA: the name has no AAAA record, but ns.mixed.example does not reply',
      'slow',
    ],
    ['circular', 'all users get SERVFAIL: ns.right.test has no address that can be found', 'broken'],
    ['alias-loop', 'no user gets an answer (alias loop: back to www.circle.example)', 'broken'],
    [
      'registries-differ',
      '50 % of users get 203.0.113.111 from ns1.meadow.test and ns2.meadow.test and 50 % NXDOMAIN from b.nic.test',
      'differs',
    ],
    [
      'cut-short',
      '50 % of users get something unknown (query limit), 25 % 192.0.2.110 and 25 % 198.51.100.110: ns.mixed.example does not reply',
      'unknown',
    ],
  ];
  for (const [name, text, status] of rows)
    t.match(verdictRow({ ...savedResult(name), findings: [] }), { text, status }, name);
});

t.test('findings in the verdict', async (t) => {
  const healthy = savedResult('healthy');
  const rows: readonly (readonly [findings: readonly Finding[], words: string, status: string])[] = [
    [
      [finding('EDNS_BREAKS'), finding('NS_LOSSY', { severity: 'notice' }), finding('X', { causes: ['f1'] })],
      'all users get the answer, but it is wrong',
      'slow',
    ],
    [
      [finding('PATH_INTERCEPTED', { severity: 'critical' })],
      'DNS is intercepted on the way: nothing here can be trusted',
      'unknown',
    ],
  ];
  for (const [findings, text, status] of rows)
    t.match(verdictRow({ ...healthy, findings }), { text, status }, text);
});

const HEALTHY = { ...savedResult('healthy'), findings: [] };
const [COLD] = HEALTHY.views['first-tries'].outcomes;
if (COLD?.kind !== 'answer') throw new Error('the healthy zone has an answer');
const RIGHT = COLD;

const POOL = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].flatMap((data) =>
  RIGHT.records.map((record) => ({ ...record, data })),
);

/** "1/2 right, 1/4 wrong, 1/4 cut off": a view that ends so. */
function view(text: string) {
  const outcomes = text.split(', ').map((part) => {
    const [fraction = '', what] = part.split(/ (.*)/);
    return { end: endOf(what), probability: readFraction(fraction) };
  });
  return { outcomes: outcomes.map(rowOf) };
}

function endOf(what: string | undefined) {
  const { records, authoritative, fraction, probability, ...at } = RIGHT;
  switch (what) {
    case 'right':
      return RIGHT;
    case 'wrong':
      return { ...RIGHT, records: [...records].map((record) => ({ ...record, data: '192.0.2.99' })) };
    case 'rotating':
      return { ...RIGHT, records: POOL, varies: true } as const;
    case 'timeout':
      return { ...at, kind: 'timeout' } as const;
    default:
      return { ...at, kind: 'query-limit', limit: 20 } as const;
  }
}

function rowOf({ end, probability }: { end: ReturnType<typeof endOf>; probability: Fraction }) {
  const { numerator, denominator } = probability;
  return {
    ...end,
    fraction: `${numerator}/${denominator}`,
    probability: Number(numerator) / Number(denominator),
  };
}

/** A result whose path view and resolver view end alike. */
function resultWith(cold: string, warm: string): TraversalResult {
  return {
    ...HEALTHY,
    views: {
      'first-tries': view(cold),
      resolver: view(cold),
      'first-tries/warm': view(warm),
      warm: view(warm),
    },
  };
}

const ONCE = "once their resolver knows the zone's own NS records";

/** What cold users get, what warm ones get, and the verdict. */
const ROWS: readonly (readonly [cold: string, warm: string, verdict: string])[] = [
  ['1 right', '1 right', 'all users get the answer'],
  ['1 right', '1 wrong', `users get 198.51.100.80, 192.0.2.99 ${ONCE}`],
  ['1 right', '1 cut off', `users get 198.51.100.80, something unknown (query limit) ${ONCE}`],
  [
    '1 right',
    '1/2 wrong, 1/2 cut off',
    `users get 198.51.100.80, 192.0.2.99 (50 %) or something unknown (query limit) (50 %) ${ONCE}`,
  ],
  ['1 rotating', '1 rotating', 'all users get 3 addresses, rotating'],
  [
    '3/4 rotating, 1/4 wrong',
    '3/4 rotating, 1/4 wrong',
    '75 % of users get 3 addresses, rotating; 25 % 192.0.2.99 from ns1.harbour.example',
  ],
  ['1 cut off', '1 cut off', 'what users get is unknown (query limit)'],
  [
    '1/2 right, 1/2 cut off',
    '1/2 right, 1/2 cut off',
    '50 % of users get 198.51.100.80 and 50 % something unknown (query limit)',
  ],
  [
    '3/4 right, 1/4 timeout',
    '1 right',
    `users get 198.51.100.80 (75 %) or no answer (25 %), 198.51.100.80 ${ONCE}`,
  ],
];

t.test('verdicts on cold and warm users', async (t) => {
  for (const [cold, warm, verdict] of ROWS) {
    const result = resultWith(cold, warm);
    const label = `${cold} | ${warm}`;
    t.equal(verdictRow(result).text, verdict, label);
  }
});

t.test('the fault is named where users of other resolvers get other data', async (t) => {
  const { text: words } = verdictRow(await demoResult('www.moved.example', 'A', { check: true }));
  t.match(
    words,
    /^users get 198\.51\.100\.103 once resolvers know the NS records of moved\.example, else 203\.0\.113\.103: /,
  );
});

t.test('first sentences name products only if their users always or never get it', async (t) => {
  const rows: readonly (readonly [name: string, words: RegExp])[] = [
    ['www.dead.example', /does not reply; [\d.]+ % of users of Unbound get it late$/],
    [
      'www.mixed.example',
      /^all users of BIND and 19 to 25 % of others get 192\.0\.2\.110, an older version, from ns\.mixed\.example; its address 198\.51\.100\.82 does not reply$/,
    ],
    ['www.weighted.example', /^all users get 198\.51\.100\.80 or 203\.0\.113\.110, by turns$/],
    [
      'www.stray.example',
      /^up to \d+ % of users get 192\.0\.2\.123, an older version, from ns1\.meadow\.test; others get 16 addresses, rotating$/,
    ],
    ['www.left.example', /left\.example and right\.test each need the other to find their name servers$/],
  ];
  for (const [name, words] of rows)
    t.match(verdictRow(await demoResult(name, 'A', ALL_VIEWS)).text, words, name);
  const differing = resultWith('1/2 right, 1/2 wrong', '1/2 right, 1/2 wrong');
  const meant = { ...differing, findings: [finding('ANSWERS_DIFFER', { severity: 'warning' })] };
  t.match(verdictRow(meant).text, /^50 % of users get [^;]*, perhaps on purpose$/);
  const profiles = { bind: '1/2', unbound: '0', knot: '1/100', powerdns: '1/3' };
  t.equal(
    whoGet({ kind: 'answer', share: { fraction: '1/3', least: 0, most: 0.5 }, profiles, from: [] }),
    'up to 50 % of users (BIND: 50 %, Unbound: 0 %)',
  );
});

t.test('what several servers do', async (t) => {
  const server = (name: string) => ({ name: parseName(name), address: '192.0.2.1' });
  const rows: readonly (readonly [does: string, doing: string])[] = [
    ['refuses queries, although it answers others', 'refuse queries, although they answer others'],
    ['does not reply', 'do not reply'],
    ['publishes key 1', 'publish key 1'],
    ['replies late', 'reply late'],
    ['left 1 of 8 queries unanswered', 'left 1 of 8 queries unanswered'],
  ];
  for (const [does, doing] of rows) {
    const alike = (name: string) => finding('X', { message: `${name} ${does}.`, server: server(`${name}.`) });
    t.equal(problemWords([alike('ns1.a'), alike('ns2.a')], 'whole'), `ns1.a and ns2.a ${doing}`);
  }
});

t.test('views that were not checked, each reason once', async (t) => {
  const needed = '--trust-anchor is needed with these root hints';
  const rows: readonly (readonly [missing: Parameters<typeof notCheckedWords>[0], words: string])[] = [
    [undefined, ''],
    [[{ view: 'validating', reason: needed }], `DNSSEC: ${needed}`],
    [
      [
        { view: 'warm', reason: '--quick' },
        { view: 'validating', reason: '--quick' },
        { view: 'rotation', reason: 'not recorded' },
        { view: 'audit', reason: 'without --check' },
      ],
      "the zones' own NS records and DNSSEC: --quick; rotation: not recorded",
    ],
    [
      [{ view: 'profiles', only: ['bind', 'unbound/warm'], reason: 'too much work' }],
      'resolver products: too much work for bind and unbound/warm',
    ],
  ];
  for (const [missing, words] of rows) t.equal(notCheckedWords(missing), words);
});

t.test('where a limit leaves keys unasked, no product is said to get SERVFAIL', async (t) => {
  for (const maxQueries of [20, 30, 50]) {
    const { views } = await demoResult('www.mixed.example', 'A', { ...ALL_VIEWS, maxQueries });
    const kinds = new Set(
      DEFAULT_PROFILES.flatMap((name) => views[name]?.outcomes ?? []).map(({ kind }) => kind),
    );
    t.same(
      [...kinds].filter((kind) => kind !== 'answer' && kind !== 'query-limit'),
      [],
      `${maxQueries} questions`,
    );
  }
});

t.test('where a limit leaves nothing known, no users are told apart', async (t) => {
  const result = await demoResult('www.mixed.example', 'A', { maxQueries: 8 });
  t.equal(verdictRow(result).text, 'what users get is unknown (query limit)');
  t.same(
    result.users.map(({ kind, share }) => [kind, share.fraction]),
    [['query-limit', '1']],
  );
});
