import { limitsMet } from '../document/limits-met.ts';
import type { Finding, Severity, SummaryRow, TraversalResult } from '../document/result.ts';
import type { LimitKind } from '../evaluate/end.ts';
import { exitStatus, RESULT_STATUS, type ResultStatus } from './exit-status.ts';

/** How many findings there are of each severity. */
export type FindingCounts = Readonly<Record<Severity, number>>;

/** What a traversal came to: the data of the `complete` event. */
export interface Conclusion {
  readonly status: 'complete' | 'failed' | 'cancelled';
  readonly summary: readonly SummaryRow[];
  /** Those that left something unknown, in any view: the summary alone does not tell all of them. */
  readonly limits: readonly LimitKind[];
  readonly findings: FindingCounts;
  /** The exit status that `svc traverse` has for the result. */
  readonly exitStatus: ResultStatus;
  readonly durationMs: number;
}

type Concluded = Parameters<typeof exitStatus>[0] & Pick<TraversalResult, 'durationMs'>;

/** What a result comes to. */
export function conclusionOf(result: Concluded): Conclusion {
  const { ending, summary, findings, durationMs } = result;
  return {
    status: ending === 'cancelled' ? 'cancelled' : 'complete',
    summary,
    limits: limitsMet(result),
    findings: countsOf(findings),
    exitStatus: exitStatus(result),
    durationMs,
  };
}

/** What a traversal without a result comes to. */
export function withoutResult(status: 'failed' | 'cancelled', durationMs: number): Conclusion {
  const exitStatus = RESULT_STATUS.unknown;
  return { status, summary: [], limits: [], findings: countsOf([]), exitStatus, durationMs };
}

function countsOf(findings: readonly Finding[]): FindingCounts {
  const count = (wanted: Severity) => findings.filter(({ severity }) => severity === wanted).length;
  return {
    critical: count('critical'),
    error: count('error'),
    warning: count('warning'),
    notice: count('notice'),
    info: count('info'),
  };
}
