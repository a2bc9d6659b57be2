import t from 'tap';
import { conclusionOf, exitStatus } from '../../src/report/views/conclusion.ts';
import { someoneGetsNoAnswer } from '../../src/report/views/effects.ts';
import { validatedWords, validatingDiffers } from '../../src/report/views/users.ts';
import { verdictOn } from '../../src/report/views/verdict.ts';

import { validatedResult } from './validated-results.ts';

const ALL_WELL = 'all users get the answer';
const OTHERS = 'all others get 198.51.100.80';
const FIRST = 'users behind validating resolvers that do not retry';

/** What validating resolvers get: those that retry, and those that take the first reply. */
const ROWS: readonly {
  readonly tryingOn: string;
  readonly firstTry: string;
  readonly validation: 'same' | 'differs';
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
    verdict: `50 % of ${FIRST} get SERVFAIL (the signature has expired), 50 % of them get 198.51.100.80; ${OTHERS}`,
    status: 1,
    words: ['100 % 198.51.100.80 (secure)', '50 % 198.51.100.80 and 50 % SERVFAIL (answers secure)'],
  },
  {
    tryingOn: '3/4 secure, 1/4 expired',
    firstTry: '1/2 secure, 1/2 expired',
    validation: 'differs',
    verdict: `25 % of users behind validating resolvers that retry get SERVFAIL (the signature has expired), 75 % of them get 198.51.100.80; 50 % of ${FIRST} get SERVFAIL (the signature has expired), 50 % of them get 198.51.100.80; ${OTHERS}`,
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
    verdict: `users behind validating resolvers get SERVFAIL (no key fits the DS records of the parent); ${OTHERS}`,
    status: 1,
    words: ['100 % SERVFAIL', '100 % SERVFAIL'],
  },
  {
    tryingOn: '1/2 secure, 1/2 cut off',
    firstTry: '1/2 secure, 1/2 cut off',
    validation: 'same',
    verdict: `50 % of users behind validating resolvers get 198.51.100.80, what 50 % of them get is unknown (query limit); ${OTHERS}`,
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
    t.equal(validatingDiffers(result), validation === 'differs', what);
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
  t.notOk(validatingDiffers(result));
  t.equal(exitStatus(result), 0);
  t.equal(conclusionOf(result).validating, undefined);
});

t.test('users who would get nothing anyway are not lost by validating', async (t) => {
  const result = validatedResult('1 timeout');
  const { validating } = result;
  if (validating === undefined) throw new Error('it has views that validate');
  const { outcomes, summary } = validating;
  t.equal(
    verdictOn({ ...result, outcomes, summary, resolver: validating }).words,
    'all users get SERVFAIL (timeout: no reply)',
  );
});
