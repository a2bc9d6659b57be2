import t from 'tap';
import { parseTrustAnchors } from '../../src/dns/dnssec/trust-anchors.ts';
import { summarise } from '../../src/document/ends.ts';
import type { Finding } from '../../src/document/finding.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { type Fraction, fractionText, readFraction } from '../../src/evaluate/fraction.ts';
import { demoWorld } from '../../src/lab/demo-world.ts';
import { trustAnchorOf } from '../../src/lab/world.ts';
import { someoneGetsNoAnswer } from '../../src/report/views/effects.ts';
import { faultyServersOf, verdictOn } from '../../src/report/views/verdict.ts';
import { warmthOf, warmWords } from '../../src/report/views/warm-and-validating.ts';
import { demoResult } from '../lab/demo-result.ts';
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
    ['dead at one address, old at the other', 'www.mixed.example', ['ns.mixed.example. 1/4'], 'all answered'],
    [
      'two that differ: nobody knows which is right',
      'www.stale.example',
      ['ns1.harbour.example. 1/2', 'ns2.harbour.example. 1/2'],
      'all answered',
    ],
    [
      'two that differ on whether there is a name',
      'spring.sale.example',
      ['ns1.harbour.example. 1/2', 'ns2.harbour.example. 1/2'],
      'not all answered',
    ],
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
  const { outcomes, findings } = await demoResult('www.dead.example', 'A');
  const healthy = await demoResult('www.shop.example', 'A');
  const warm = { outcomes, summary: [], resolver: { outcomes: [], summary: [] } };
  t.match(
    faultyServersOf({ outcomes: healthy.outcomes, warm, findings, steps: [], exchanges: [] }),
    [{ name: 'ns.dead.example.' }],
    'warm ones too',
  );
});

t.test('with --dnssec also the servers whose replies do not verify', async (t) => {
  const dnssec = { dnssec: true, trustAnchors: parseTrustAnchors(trustAnchorOf(demoWorld())) };
  const rows: readonly (readonly [name: string, culprits: readonly string[]])[] = [
    ['www.shop.example', []],
    ['www.expired.example', ['ns2.harbour.example. 1/2 bogus']],
    ['www.dead.example', ['ns.dead.example. 1/2 timeout']],
  ];
  for (const [name, culprits] of rows) {
    const result = await demoResult(name, 'A', dnssec);
    const told = faultyServersOf(result).map(
      (one) => `${one.name} ${fractionText(one.share)} ${[...new Set(one.ends.map(({ kind }) => kind))]}`,
    );
    t.same(told, culprits, name);
  }
});

function finding(code: string, more: Partial<Finding> = {}): Finding {
  return { id: 'f1', code, severity: 'error', message: 'It is wrong.', exchanges: [], ...more };
}

t.test('the verdict', async (t) => {
  const rows: readonly (readonly [name: string, words: string, effect: string])[] = [
    ['healthy', 'every path gets the same answer', 'ends-well'],
    ['mixed', '2 different answers, 12.5 % of paths fail', 'fails'],
    ['folded', '12.5 % of paths fail', 'fails'],
    ['circular', 'every path fails', 'fails'],
    ['registries-differ', '2 different answers', 'differs'],
    ['cut-short', '2 different answers, 12.5 % of paths fail, 50 % of paths are unknown', 'fails'],
  ];
  for (const [name, words, effect] of rows)
    t.same(verdictOn({ ...savedResult(name), findings: [] }), { words, effect }, name);
});

t.test('findings in the verdict', async (t) => {
  const healthy = savedResult('healthy');
  const rows: readonly (readonly [findings: readonly Finding[], words: string, effect: string])[] = [
    [
      [
        finding('EDNS_BREAKS'),
        finding('NS_LOSSY', { severity: 'notice' }),
        finding('X', { consequenceOf: 'f1' }),
      ],
      'every path gets the same answer; 1 error: EDNS_BREAKS',
      'differs',
    ],
    [
      [finding('PATH_INTERCEPTED', { severity: 'critical' })],
      'DNS is intercepted on the way: nothing here can be trusted',
      'fails',
    ],
  ];
  for (const [findings, words, effect] of rows) {
    t.same(verdictOn({ ...healthy, findings }), { words, effect }, words);
  }
});

const HEALTHY = { ...savedResult('healthy'), findings: [] };
const [COLD] = HEALTHY.outcomes;
if (COLD?.kind !== 'answer') throw new Error('the healthy zone has an answer');
const RIGHT = COLD;

/** "1/2 right, 1/4 wrong, 1/4 cut off": a view that ends so. */
function view(text: string) {
  const outcomes = text.split(', ').map((part) => {
    const [fraction = '', what] = part.split(/ (.*)/);
    return { end: endOf(what), probability: readFraction(fraction) };
  });
  return { outcomes: outcomes.map(rowOf), summary: summarise(outcomes) };
}

function endOf(what: string | undefined) {
  const { records, aliases, authoritative, fraction, probability, ...at } = RIGHT;
  switch (what) {
    case 'right':
      return RIGHT;
    case 'wrong':
      return { ...RIGHT, records: [...records].map((record) => ({ ...record, data: '192.0.2.99' })) };
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
    ...view(cold),
    resolver: view(cold),
    warm: { ...view(warm), resolver: view(warm) },
  };
}

const SAME = 'every path gets the same answer';
const ONCE = "once the zones' own NS records are known";
const LEARNT = "resolvers that learn the zones' own NS records get";

const ROWS: readonly (readonly [cold: string, warm: string, kind: string, verdict: string, words: string])[] =
  [
    ['1 right', '1 right', 'same', SAME, 'the same'],
    ['1 right', '1 wrong', 'differs', `${SAME}, but ${LEARNT} 192.0.2.99 instead`, '100 % 192.0.2.99'],
    [
      '1 right',
      '1 cut off',
      'unknown',
      `${SAME}, but 100 % is unknown ${ONCE}`,
      'not known: 100 % of warm lookups were not examined',
    ],
    [
      '1 right',
      '1/2 right, 1/2 cut off',
      'unknown',
      `${SAME}, but 50 % is unknown ${ONCE}`,
      'not known: 50 % of warm lookups were not examined',
    ],
    [
      '1 right',
      '1/2 wrong, 1/2 cut off',
      'differs',
      `${SAME}, but ${LEARNT} 50 % 192.0.2.99 and 50 % unknown (query limit) instead`,
      '50 % 192.0.2.99 and 50 % unknown (query limit)',
    ],
    [
      '1 cut off',
      '1 cut off',
      'unknown',
      'every path is unknown',
      'not known: 100 % of warm lookups were not examined',
    ],
    [
      '1/2 right, 1/2 cut off',
      '1 right',
      'unknown',
      '50 % of paths are unknown',
      'not known: 50 % of lookups were not examined',
    ],
    [
      '1/4 right, 3/4 cut off',
      '1/4 wrong, 3/4 cut off',
      'unknown',
      '75 % of paths are unknown',
      'not known: 75 % of warm lookups were not examined',
    ],
    [
      '3/4 right, 1/4 timeout',
      '1/4 right, 3/4 timeout',
      'differs',
      `25 % of paths fail, different ${ONCE}`,
      '75 % timeout and 25 % 198.51.100.80',
    ],
    [
      '3/4 right, 1/4 timeout',
      '1 cut off',
      'unknown',
      `25 % of paths fail, 100 % unknown ${ONCE}`,
      'not known: 100 % of warm lookups were not examined',
    ],
  ];

t.test('what differs for certain, and what is only not known', async (t) => {
  for (const [cold, warm, kind, verdict, words] of ROWS) {
    const result = resultWith(cold, warm);
    const label = `${cold} | ${warm}`;
    t.equal(warmthOf(result).kind, kind, label);
    t.equal(verdictOn(result).words, verdict, label);
    t.equal(warmWords(result, 'terse'), words, label);
  }
});

t.test('nothing is compared without a warm walk, or where somebody else answered', async (t) => {
  t.equal(warmthOf(HEALTHY).kind, 'not-compared');
  const intercepted = {
    ...resultWith('1 right', '1 wrong'),
    findings: [
      { id: 'f1', code: 'PATH_INTERCEPTED', severity: 'critical', message: '', exchanges: [] },
    ] as const,
  };
  t.equal(warmthOf(intercepted).kind, 'not-compared');
  t.equal(warmWords(intercepted, 'terse'), undefined);
});
