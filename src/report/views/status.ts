/* The status of a verdict: one word for what users get, and the exit status that follows from it. */

import type { VerdictStatus } from '../../document/result.ts';

/** What the status depends on. */
export interface StatusFacts {
  /** Whether a limit, an interception or a missing network leaves too little known. */
  readonly known: 'enough' | 'too-little';
  /** What users get, in any view of users: an answer that is expected or that nothing contradicts, another one, none, or one too late. */
  readonly users: ReadonlySet<'answer' | 'unexpected' | 'none' | 'late'>;
  /** How many different answers they get; all that are expected count as one, and so does a denial. */
  readonly answers: number;
  readonly firstTries: 'fine' | 'some-fail';
  readonly findings: 'fine' | 'error';
}

/** The status of a verdict: the first row that holds of the table in svc-api(5), RESULT. */
export function statusOf({ known, users, answers, firstTries, findings }: StatusFacts): VerdictStatus {
  if (known === 'too-little') return 'unknown';
  if (!users.has('answer') && !users.has('late')) return 'broken';
  if (users.has('none') || users.has('late')) return 'partial';
  if (users.has('unexpected') || answers > 1) return 'differs';
  return firstTries === 'some-fail' || findings === 'error' ? 'slow' : 'ok';
}

/** The exit statuses that a result can stand for (svc(1), EXIT STATUS). */
export const RESULT_STATUS = { agreed: 0, trouble: 1, unknown: 3 } as const;

/** One of them. */
export type ResultStatus = (typeof RESULT_STATUS)[keyof typeof RESULT_STATUS];

/** The exit status of each status. */
export const EXIT_STATUS: Readonly<Record<VerdictStatus, ResultStatus>> = {
  ok: RESULT_STATUS.agreed,
  slow: RESULT_STATUS.trouble,
  differs: RESULT_STATUS.trouble,
  partial: RESULT_STATUS.trouble,
  broken: RESULT_STATUS.trouble,
  unknown: RESULT_STATUS.unknown,
};
