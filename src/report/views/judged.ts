/* What reports for other programs say of a question. */

import type { Finding } from '../../document/finding.ts';
import type { TraversalResult } from '../../document/result.ts';
import { conclusionOf, type ResultStatus, verdictStatus } from './conclusion.ts';

/** What a question came to, without its result. */
export interface Judged extends Pick<TraversalResult, 'query' | 'startedAt' | 'finishedAt' | 'durationMs'> {
  readonly verdict: string;
  /** As if there were no findings. */
  readonly verdictStatus: ResultStatus;
  readonly exitStatus: ResultStatus;
  readonly findings: readonly Finding[];
}

/** What a result comes to. */
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
