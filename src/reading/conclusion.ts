import type { Conclusion } from '../document/events.ts';
import type { Finding, FindingCounts, Severity } from '../document/findings.ts';
import { limitsMet } from '../document/limits-met.ts';
import type { TraversalResult } from '../document/result.ts';
import { warmthOf } from './cold-and-warm.ts';
import { exitStatus, RESULT_STATUS } from './exit-status.ts';
import { validatingDifference } from './validated/validating-difference.ts';

type Concluded = Parameters<typeof exitStatus>[0] & Pick<TraversalResult, 'durationMs'>;

/** What a result comes to. */
export function conclusionOf(result: Concluded): Conclusion {
  const { ending, summary, warm, findings, durationMs } = result;
  const differs = warm !== undefined && warmthOf(result).kind === 'differs';
  return {
    status: ending === 'cancelled' ? 'cancelled' : 'complete',
    summary,
    ...(differs ? { warm: { summary: warm.summary } } : {}),
    ...validatingIn(result),
    limits: limitsMet(result),
    findings: findingCounts(findings),
    exitStatus: exitStatus(result),
    durationMs,
  };
}

function validatingIn(result: Concluded): Pick<Conclusion, 'validating'> {
  const { validating } = result;
  if (validating === undefined || validatingDifference(result) !== 'differs') return {};
  const { summary, firstTry } = validating;
  return { validating: { summary, firstTry: { summary: firstTry.summary } } };
}

/** What a traversal without a result comes to. */
export function withoutResult(status: 'failed' | 'cancelled', durationMs: number): Conclusion {
  const exitStatus = RESULT_STATUS.unknown;
  return { status, summary: [], limits: [], findings: findingCounts([]), exitStatus, durationMs };
}

/** How many findings there are of each severity. */
export function findingCounts(findings: readonly Finding[]): FindingCounts {
  const count = (wanted: Severity) => findings.filter(({ severity }) => severity === wanted).length;
  return {
    critical: count('critical'),
    error: count('error'),
    warning: count('warning'),
    notice: count('notice'),
    info: count('info'),
  };
}
