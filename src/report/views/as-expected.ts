import { isExpected } from '../../document/ends.ts';
import type { TraversalResult } from '../../document/result.ts';
import { countedProfiles, viewsOf } from '../../document/views.ts';
import { isUnknownKind } from '../../evaluate/end.ts';
import { userViews } from './users.ts';

/**
 * Whether users of every view get only expected ends; with `servers`, whether all paths end so. `unknown`: all known ends are
 * expected.
 */
export function asExpected(
  result: TraversalResult,
  who: 'users' | 'servers',
): 'expected' | 'unexpected' | 'unknown' {
  const views =
    who === 'servers'
      ? viewsOf(result)
      : [...userViews(result).map(({ view }) => view), ...countedProfiles(result)];
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
