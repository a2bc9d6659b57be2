import t from 'tap';
import type { TraversalResult } from '../../src/document/result.ts';
import { summarise } from '../../src/document/summary.ts';
import { type Fraction, readFraction } from '../../src/evaluate/fraction.ts';
import { warmthOf } from '../../src/reading/cold-and-warm.ts';
import { verdictOn } from '../../src/reading/verdict.ts';
import { warmWords } from '../../src/reading/warm-words.ts';
import { savedResult } from '../report/graph/results.ts';

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
const ONCE = "once the zones' own servers are known";

const ROWS: readonly (readonly [cold: string, warm: string, kind: string, verdict: string, words: string])[] =
  [
    ['1 right', '1 right', 'same', SAME, 'the same'],
    ['1 right', '1 wrong', 'differs', `${SAME}, but something else ${ONCE}`, '100 % 192.0.2.99'],
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
      `${SAME}, but something else ${ONCE}`,
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
