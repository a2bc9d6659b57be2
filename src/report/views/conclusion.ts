/* The conclusion from a result: its verdict, its exit status, and whether enough is known, or all is as expected. */

import { isExpected, type OutcomeRow } from '../../document/ends.ts';
import type { Conclusion } from '../../document/events.ts';
import { type FailOn, SEVERITY, type Severity } from '../../document/finding.ts';
import type { TraversalResult, UnjudgedResult, VerdictRow, VerdictStatus } from '../../document/result.ts';
import { type AllViews, everyView, limitsMet, type View, viewsOf } from '../../document/views.ts';
import { unexamined } from '../../evaluate/end.ts';
import { toNumber } from '../../evaluate/fraction.ts';
import { comparisonOf, ownEffect } from './effects.ts';
import { findingCounts, hasFinding, isIntercepted, nothingHeard } from './findings.ts';
import { EXIT_STATUS, RESULT_STATUS, type ResultStatus, statusOf } from './status.ts';
import { userShares, userViews } from './user-shares.ts';
import { lateShares } from './users.ts';
import { verdictText } from './verdict.ts';
import { POINT } from './wording.ts';

/** What a result comes to. */
export function conclusionOf(result: TraversalResult): ResultConclusion {
  const { ending, verdict, users, findings, durationMs } = result;
  return {
    status: ending === 'cancelled' ? 'cancelled' : 'complete',
    verdict,
    users,
    limits: limitsMet(result),
    findings: findingCounts(findings),
    durationMs,
  };
}

/** The conclusion of a traversal with a result. */
export type ResultConclusion = Conclusion & Required<Pick<Conclusion, 'verdict' | 'users'>>;

/** What a traversal without a result comes to. */
export function withoutResult(status: 'failed' | 'cancelled', durationMs: number): Conclusion {
  return { status, limits: [], findings: findingCounts([]), durationMs };
}

/** What a verdict's status depends on. */
type StatusBasis = AllViews & Pick<TraversalResult, 'ending' | 'exchanges' | 'findings' | 'expected'>;

/** The verdict as a result has it. */
export function verdictRow(result: UnjudgedResult, users = userShares(result)): VerdictRow {
  const status = statusIn(result);
  const severities = [SEVERITY_OF[status], ...result.findings.map(({ severity }) => severity)];
  return {
    status,
    text: verdictText({ ...result, users }, status),
    severity: SEVERITY.names.find((one) => severities.includes(one)) ?? 'info',
    exitStatus: EXIT_STATUS[status],
  };
}

/** How bad each status is by itself. */
const SEVERITY_OF: Readonly<Record<VerdictStatus, Severity>> = {
  ok: 'info',
  slow: 'warning',
  differs: 'error',
  partial: 'error',
  broken: 'critical',
  unknown: 'notice',
};

/** What users get, in one word. */
export function statusIn(result: StatusBasis): VerdictStatus {
  const views = viewsOf(result);
  const ofUsers = views.filter(({ row }) => row.of === 'users');
  const all = ofUsers.flatMap(({ view }) => (view.asking === undefined ? [view] : [view, view.asking]));
  const ends = all.flatMap(({ outcomes }) => outcomes);
  return statusOf({
    known: isInconclusive(result) ? 'too-little' : 'enough',
    users: new Set([
      ...ends.map((end) => got(end, result.expected)),
      ...(lateShares(result, 'named').some(({ share }) => toNumber(share) > POINT)
        ? (['late'] as const)
        : []),
    ]),
    answers: comparisonOf(ends).answers,
    firstTries: views.every(({ row, view }) => row.of === 'users' || agrees(view)) ? 'fine' : 'some-fail',
    findings: hasFinding(result, 'error') ? 'error' : 'fine',
  });
}

function got(end: OutcomeRow, expected: TraversalResult['expected']): 'answer' | 'unexpected' | 'none' {
  if (ownEffect(end) !== 'ends-well') return 'none';
  return expected === undefined || isExpected(end) ? 'answer' : 'unexpected';
}

/**
 * The exit status for a result: that of its status. With `failOn`, trouble is a finding of that severity or worse, and
 * nothing else.
 */
export function exitStatus(
  { verdict: { exitStatus }, findings }: Pick<TraversalResult, 'verdict' | 'findings'>,
  failOn?: FailOn,
): ResultStatus {
  if (failOn === undefined || exitStatus === RESULT_STATUS.unknown) return exitStatus;
  return hasFinding({ findings }, failOn) ? RESULT_STATUS.trouble : RESULT_STATUS.agreed;
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
  return (
    result.views['first-tries'].outcomes.every((end) => ownEffect(end) === 'unknown') &&
    !hasFinding(result, 'error')
  );
}

function agrees({ outcomes }: View): boolean {
  return comparisonOf(outcomes).answers <= 1 && outcomes.every((end) => ownEffect(end) === 'ends-well');
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
  const others = views.flatMap(({ outcomes }) => outcomes).filter((end) => !isExpected(end));
  if (others.length === 0) return 'expected';
  return others.every((end) => unexamined(end) !== undefined) ? 'unknown' : 'unexpected';
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
