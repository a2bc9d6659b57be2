/* The conclusion from a result: its verdict, its exit status, and whether enough is known, or all is as expected. */

import { isExpected } from '../../document/ends.ts';
import type { Conclusion } from '../../document/events.ts';
import type { FailOn, Finding } from '../../document/finding.ts';
import type { TraversalResult } from '../../document/result.ts';
import { type AllViews, everyView, limitsMet, type View } from '../../document/views.ts';
import { isUnknownKind } from '../../evaluate/end.ts';
import { comparisonOf, ownEffect } from './effects.ts';
import { findingCounts, hasFinding, isIntercepted } from './findings.ts';
import { userViews, validatingDiffers, warmDiffers } from './users.ts';
import { verdictLine, verdictOn } from './verdict.ts';

/** What a result comes to. */
export function conclusionOf(result: TraversalResult): Conclusion {
  const { ending, summary, warm, validating, findings, durationMs } = result;
  return {
    status: ending === 'cancelled' ? 'cancelled' : 'complete',
    verdict: verdictLine(verdictOn(result)),
    summary,
    ...(warm && warmDiffers(result) && { warm: { summary: warm.summary } }),
    ...(validating && validatingDiffers(result) && { validating: { summary: validating.summary } }),
    limits: limitsMet(result),
    findings: findingCounts(findings),
    exitStatus: exitStatus(result),
    durationMs,
  };
}

/** What a traversal without a result comes to. */
export function withoutResult(status: 'failed' | 'cancelled', durationMs: number): Conclusion {
  const exitStatus = RESULT_STATUS.unknown;
  return { status, summary: [], limits: [], findings: findingCounts([]), exitStatus, durationMs };
}

/** The exit statuses that a result can stand for (svc(1), EXIT STATUS). */
export const RESULT_STATUS = { agreed: 0, trouble: 1, unknown: 3 } as const;

/** One of them. */
export type ResultStatus = (typeof RESULT_STATUS)[keyof typeof RESULT_STATUS];

/** What the exit status depends on. */
type StatusBasis = AllViews & Pick<TraversalResult, 'ending' | 'exchanges' | 'findings'>;

/**
 * The exit status for a result: too little is known, there is trouble, or every path of every view agrees. With
 * `failOn`, trouble is a finding of that severity or worse, and nothing else.
 */
export function exitStatus(result: StatusBasis, failOn?: FailOn): ResultStatus {
  if (isInconclusive(result)) return RESULT_STATUS.unknown;
  const agreed = failOn === undefined ? isAgreed(result) : !hasFinding(result, failOn);
  return agreed ? RESULT_STATUS.agreed : RESULT_STATUS.trouble;
}

/** The exit status as if there were no findings: too little is known, paths fail or differ, or all agree. */
export function verdictStatus(result: StatusBasis): ResultStatus {
  const status = exitStatus(result);
  return status === RESULT_STATUS.unknown ? status : exitStatus({ ...result, findings: [] });
}

/** Whether questions were sent and not one reply came: no network, rather than trouble in the DNS. */
export function nothingHeard({ exchanges }: Pick<TraversalResult, 'exchanges'>): boolean {
  return (
    exchanges.length > 0 &&
    exchanges.every(({ failure }) => failure === 'unreachable' || failure === 'timeout')
  );
}

/** Whether too little is known to say how a name is. */
export function isInconclusive(result: StatusBasis): boolean {
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
function isUnexamined(result: StatusBasis): boolean {
  return result.outcomes.every((end) => ownEffect(end) === 'unknown') && !hasFinding(result, 'error');
}

function isAgreed(result: StatusBasis): boolean {
  return everyView(result).every(agrees) && !hasFinding(result, 'error');
}

function agrees({ outcomes }: View): boolean {
  return comparisonOf(outcomes).answers <= 1 && outcomes.every((end) => ownEffect(end) === 'ends-well');
}

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

/**
 * Whether users of every view get only expected ends; with `servers`, whether all paths end so. `unknown`: all known ends are
 * expected.
 */
export function asExpected(
  result: TraversalResult,
  who: 'users' | 'servers',
): 'expected' | 'unexpected' | 'unknown' {
  const views = who === 'servers' ? everyView(result) : userViews(result).map(({ view }) => view);
  const others = views.flatMap(({ summary }) => summary).filter((row) => !isExpected(row));
  if (others.length === 0) return 'expected';
  return others.every(({ kind }) => isUnknownKind(kind)) ? 'unknown' : 'unexpected';
}

const SHORTEST_PAUSE_MS = 2_000;

const LONGEST_PAUSE_MS = 60_000;

/**
 * The pause before the next traversal of a wait: a fifth of the time waited so far, so that a change is seen soon and servers
 * are not asked often.
 */
export function pauseAfter(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs / 5, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
}
