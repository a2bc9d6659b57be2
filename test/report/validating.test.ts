import t from 'tap';
import { someoneGetsNoAnswer } from '../../src/report/nagios.ts';
import { verdictRow } from '../../src/report/views/conclusion.ts';
import { validatingDiffers } from '../../src/report/views/user-shares.ts';
import { validatedWords } from '../../src/report/views/users.ts';
import { validatedResult } from './validated-results.ts';

const ALL_WELL = 'all users get the answer';
const OTHERS = 'others 198.51.100.80';

/** What validating resolvers get. */
const ROWS: readonly {
  readonly shares: string;
  readonly validation: 'same' | 'differs';
  readonly verdict: string;
  readonly status: 0 | 1 | 3;
  readonly words: string;
}[] = [
  {
    shares: '1 secure',
    validation: 'same',
    verdict: ALL_WELL,
    status: 0,
    words: '100 % 198.51.100.80 (secure)',
  },
  {
    shares: '1 insecure',
    validation: 'same',
    verdict: ALL_WELL,
    status: 0,
    words: '100 % 198.51.100.80 (insecure)',
  },
  {
    shares: '3/4 insecure, 1/4 secure',
    validation: 'same',
    verdict: ALL_WELL,
    status: 0,
    words: '100 % 198.51.100.80 (25 % secure)',
  },
  {
    shares: '3/4 secure, 1/4 expired',
    validation: 'differs',
    verdict: `users behind validating resolvers get 198.51.100.80 (75 %) or SERVFAIL (the signature has expired) (25 %), ${OTHERS}`,
    status: 1,
    words: '75 % 198.51.100.80 and 25 % SERVFAIL (answers secure)',
  },
  {
    shares: '1 no-matching-ds',
    validation: 'differs',
    verdict: `users behind validating resolvers get SERVFAIL (no key fits the DS records of the parent), ${OTHERS}`,
    status: 1,
    words: '100 % SERVFAIL',
  },
  {
    shares: '1/2 secure, 1/2 cut off',
    validation: 'same',
    verdict: `users behind validating resolvers get 198.51.100.80 (50 %) or something unknown (query limit) (50 %), ${OTHERS}`,
    status: 3,
    words: '50 % 198.51.100.80 and 50 % unknown (query limit) (answers secure)',
  },
];

t.test('what validating resolvers get counts in verdict and exit status', async (t) => {
  for (const { shares, validation, verdict, status, words } of ROWS) {
    const result = validatedResult(shares);
    const {
      views: { validating },
    } = result;
    t.equal(validatingDiffers(result), validation === 'differs', shares);
    t.match(verdictRow(result), { text: verdict, exitStatus: status }, shares);
    t.equal(validating && validatedWords(validating, 'terse'), words);
    t.equal(someoneGetsNoAnswer(result), status === 1, shares);
  }
});

t.test('a result that tells nothing of validating', async (t) => {
  const whole = validatedResult('1 expired');
  const { validating, ...views } = whole.views;
  const result = { ...whole, views };
  t.ok(validating);
  t.notOk(validatingDiffers(result));
  t.equal(verdictRow(result).exitStatus, 0);
});

t.test('users who would get nothing anyway are not lost by validating', async (t) => {
  const result = validatedResult('1 timeout');
  const {
    views: { validating },
  } = result;
  if (validating === undefined) throw new Error('it has views that validate');
  t.equal(
    verdictRow({ ...result, views: { ...result.views, 'first-tries': validating, resolver: validating } })
      .text,
    'all users get SERVFAIL (timeout: no reply)',
  );
});
