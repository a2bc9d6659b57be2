/* Reduces a result to the verdict and findings that reports for other programs (JUnit, SARIF) need. */

import type { Finding } from '../../document/finding.ts';
import type { TraversalResult } from '../../document/result.ts';
import { conclusionOf, type ResultStatus, verdictStatus } from './conclusion.ts';

/** The conclusion and findings of a result. */
export interface Judged extends Pick<TraversalResult, 'query' | 'startedAt' | 'finishedAt' | 'durationMs'> {
  readonly verdict: string;
  /** The exit status without regard to findings. */
  readonly verdictStatus: ResultStatus;
  readonly exitStatus: ResultStatus;
  readonly findings: readonly Finding[];
}

/** Extracts the conclusion and findings of a result. */
export function judged(result: TraversalResult): Judged {
  const { query, startedAt, finishedAt, durationMs, findings } = result;
  const { verdict = '', exitStatus } = conclusionOf(result);
  return {
    query,
    startedAt,
    finishedAt,
    durationMs,
    verdict,
    verdictStatus: verdictStatus(result),
    exitStatus,
    findings,
  };
}
