import t from 'tap';
import { BOGUS_REASONS, type BogusReason } from '../../src/dns/dnssec/verdict.ts';
import { outcomeRow, summarise } from '../../src/document/ends.ts';
import type { ExchangeSecurity } from '../../src/document/exchanges.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import type { End } from '../../src/evaluate/end.ts';
import { readFraction } from '../../src/evaluate/fraction.ts';
import { conclusionOf, exitStatus } from '../../src/report/views/conclusion.ts';
import { someoneGetsNoAnswer } from '../../src/report/views/effects.ts';
import { validatedWords, validatingDifference } from '../../src/report/views/validating.ts';
import { verdictOn } from '../../src/report/views/verdict.ts';
import { savedResult } from './graph-results.ts';

const ALL_WELL = 'every path gets the same answer';

/** What validating resolvers get: those that retry, and those that take the first reply. */
const ROWS: readonly {
  readonly tryingOn: string;
  readonly firstTry: string;
  readonly validation: ReturnType<typeof validatingDifference>;
  readonly verdict: string;
  readonly status: 0 | 1 | 3;
  readonly words: readonly [tryingOn: string, firstTry: string];
}[] = [
  {
    tryingOn: '1 secure',
    firstTry: '1 secure',
    validation: 'same',
    verdict: ALL_WELL,
    status: 0,
    words: ['100 % 198.51.100.80 (secure)', '100 % 198.51.100.80 (secure)'],
  },
  {
    tryingOn: '1 insecure',
    firstTry: '3/4 insecure, 1/4 secure',
    validation: 'same',
    verdict: ALL_WELL,
    status: 0,
    words: ['100 % 198.51.100.80 (insecure)', '100 % 198.51.100.80 (25 % secure)'],
  },
  {
    tryingOn: '1 secure',
    firstTry: '1/2 secure, 1/2 expired',
    validation: 'differs',
    verdict: `${ALL_WELL}, but 50 % of lookups fail behind validating resolvers that do not retry`,
    status: 1,
    words: ['100 % 198.51.100.80 (secure)', '50 % 198.51.100.80 and 50 % SERVFAIL (answers secure)'],
  },
  {
    tryingOn: '3/4 secure, 1/4 expired',
    firstTry: '1/2 secure, 1/2 expired',
    validation: 'differs',
    verdict: `${ALL_WELL}, but 25 % of lookups fail behind validating resolvers, 50 % if they do not retry`,
    status: 1,
    words: [
      '75 % 198.51.100.80 and 25 % SERVFAIL (answers secure)',
      '50 % 198.51.100.80 and 50 % SERVFAIL (answers secure)',
    ],
  },
  {
    tryingOn: '1 no-matching-ds',
    firstTry: '1 no-matching-ds',
    validation: 'differs',
    verdict: `${ALL_WELL}, but everything fails behind validating resolvers`,
    status: 1,
    words: ['100 % SERVFAIL', '100 % SERVFAIL'],
  },
  {
    tryingOn: '1/2 secure, 1/2 cut off',
    firstTry: '1/2 secure, 1/2 cut off',
    validation: 'same',
    verdict: ALL_WELL,
    status: 3,
    words: [
      '50 % 198.51.100.80 and 50 % unknown (query limit) (answers secure)',
      '50 % 198.51.100.80 and 50 % unknown (query limit) (answers secure)',
    ],
  },
];

t.test('what validating resolvers get counts in verdict, exit status and conclusion', async (t) => {
  for (const { tryingOn, firstTry, validation, verdict, status, words } of ROWS) {
    const result = validatedResult(tryingOn, firstTry);
    const { validating } = result;
    const what = `${tryingOn}; ${firstTry}`;
    t.equal(validatingDifference(result), validation, what);
    t.equal(verdictOn(result).words, verdict, what);
    t.equal(exitStatus(result), status, what);
    t.same(
      validating && [validating, validating.firstTry].map((view) => validatedWords(view, 'terse')),
      words,
    );
    t.equal(someoneGetsNoAnswer(result), status === 1, what);
    const told = conclusionOf(result).validating;
    t.same(told?.firstTry.summary, validation === 'differs' ? validating?.firstTry.summary : undefined, what);
  }
});

t.test('a result that tells nothing of validating', async (t) => {
  const { validating, ...result } = validatedResult('1 expired');
  t.ok(validating);
  t.equal(validatingDifference(result), 'not-validated');
  t.equal(exitStatus(result), 0);
  t.equal(conclusionOf(result).validating, undefined);
});

t.test('users who would get nothing anyway are not lost by validating', async (t) => {
  const result = validatedResult('1 timeout');
  const { validating } = result;
  if (validating === undefined) throw new Error('it has views that validate');
  const { outcomes, summary } = validating;
  t.equal(verdictOn({ ...result, outcomes, summary, resolver: validating }).words, 'every path fails');
});

const HEALTHY = { ...savedResult('healthy'), findings: [] };
const [ANSWER] = HEALTHY.resolver.outcomes;
if (ANSWER?.kind !== 'answer') throw new Error('the healthy zone has an answer');
const { fraction: _, probability: __, ...RIGHT } = ANSWER;
const { records: ___, aliases: ____, authoritative: _____, ...PLACE } = RIGHT;
const AT = { ...PLACE, server: null };

/**
 * A result that others find healthy, and what validating resolvers' users get: "1/2 secure, 1/2 expired", with
 * `insecure`, `timeout`, `cut off` and each reason why something is bogus.
 */
export function validatedResult(tryingOn: string, firstTry = tryingOn): TraversalResult {
  const coldLatencyMs = { best: 40, mean: 50, worst: 60 };
  return { ...HEALTHY, validating: { ...view(tryingOn), coldLatencyMs, firstTry: view(firstTry) } };
}

/** The result with this verdict on every exchange with a server of the last zone. */
export function withSecurity(result: TraversalResult, security: ExchangeSecurity): TraversalResult {
  const step = result.steps.at(-1);
  const here = new Set(
    step?.nameservers.flatMap(({ addresses }) => addresses.map(({ exchange }) => exchange)),
  );
  const exchanges = result.exchanges.map((row) => (here.has(row.id) ? { ...row, security } : row));
  return { ...result, exchanges };
}

function view(text: string) {
  const outcomes = text.split(', ').map((part) => {
    const [fraction = '', what = ''] = part.split(/ (.*)/);
    return { end: endOf(what), probability: readFraction(fraction) };
  });
  return { outcomes: outcomes.map(outcomeRow), summary: summarise(outcomes) };
}

function endOf(what: string): End {
  switch (what) {
    case 'secure':
    case 'insecure':
      return { ...RIGHT, security: what };
    case 'timeout':
      return { ...AT, kind: 'servfail', cause: { ...AT, kind: 'timeout' } };
    case 'cut off':
      return { ...AT, kind: 'query-limit', limit: 20 };
    default:
      return { ...AT, kind: 'servfail', cause: { ...AT, kind: 'bogus', reason: reasonNamed(what) } };
  }
}

function reasonNamed(what: string): BogusReason {
  const reason = BOGUS_REASONS.find((one) => one === what);
  if (reason === undefined) throw new Error(`there is no reason ${what}`);
  return reason;
}
