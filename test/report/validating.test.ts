import t from 'tap';
import { conclusionOf, exitStatus } from '../../src/report/views/conclusion.ts';
import { someoneGetsNoAnswer } from '../../src/report/views/effects.ts';
import { verdictOn } from '../../src/report/views/verdict.ts';
import { validatedWords, validatingDifference } from '../../src/report/views/warm-and-validating.ts';
import { validatedResult } from './validated-results.ts';

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
