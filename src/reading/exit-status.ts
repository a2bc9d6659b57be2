import { type FailOn, SEVERITY, type Severity } from '../document/findings.ts';
import { limitsMet } from '../document/limits-met.ts';
import type { TraversalResult } from '../document/result.ts';
import { type View, viewsOf } from '../document/views.ts';
import { bearingOf } from './bearing.ts';
import { isIntercepted } from './finding-place.ts';

/** The exit statuses that a result can stand for (svc(1), EXIT STATUS). */
export const RESULT_STATUS = { agreed: 0, trouble: 1, unknown: 3 } as const;

/** One of them. */
type ResultStatus = (typeof RESULT_STATUS)[keyof typeof RESULT_STATUS];

/** What the exit status depends on. */
type Concluded = Pick<
  TraversalResult,
  'ending' | 'outcomes' | 'summary' | 'resolver' | 'warm' | 'validating' | 'exchanges' | 'findings'
>;

/**
 * The exit status for a result: too little is known, there is trouble, or every path of every view agrees. With
 * `failOn`, trouble is a finding of that severity or worse, and nothing else.
 */
export function exitStatus(result: Concluded, failOn?: FailOn): ResultStatus {
  if (isInconclusive(result)) return RESULT_STATUS.unknown;
  const agreed = failOn === undefined ? isAgreed(result) : !hasFinding(result, failOn);
  return agreed ? RESULT_STATUS.agreed : RESULT_STATUS.trouble;
}

/** Whether a result has a finding of this severity or worse. */
export function hasFinding({ findings }: Pick<TraversalResult, 'findings'>, least: Severity): boolean {
  return findings.some(({ severity }) => isAtLeast(severity, least));
}

/** Whether questions were sent and not one reply came: no network, rather than trouble in the DNS. */
export function nothingHeard({ exchanges }: Pick<TraversalResult, 'exchanges'>): boolean {
  return (
    exchanges.length > 0 &&
    exchanges.every(({ failure }) => failure === 'unreachable' || failure === 'timeout')
  );
}

/** Whether too little is known to say how a name is. */
export function isInconclusive(result: Concluded): boolean {
  return (
    result.ending === 'cancelled' ||
    nothingHeard(result) ||
    isIntercepted(result) ||
    limitsMet(result).length > 0 ||
    isUnexamined(result)
  );
}

/**
 * Whether no path was followed to its end, and no finding says that this is the zone's fault: policy forbids to ask the
 * root's servers, for example.
 */
function isUnexamined(result: Concluded): boolean {
  return result.outcomes.every((end) => bearingOf(end) === 'unknown') && !hasFinding(result, 'error');
}

function isAgreed(result: Concluded): boolean {
  return viewsOf(result).every(agrees) && !hasFinding(result, 'error');
}

function agrees({ outcomes, summary }: View): boolean {
  return summary.length === 1 && outcomes.every((end) => bearingOf(end) === 'ends-well');
}

/** Whether a finding of this severity is trouble by itself, whatever the paths end in. */
export function isTrouble(severity: Severity): boolean {
  return isAtLeast(severity, 'error');
}

function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITY.names.indexOf(severity) <= SEVERITY.names.indexOf(least);
}
