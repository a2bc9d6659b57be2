import { type LimitKind, unexamined } from '../evaluate/end.ts';
import type { TraversalResult } from './result.ts';

const LIMITS: readonly LimitKind[] = ['query-limit', 'time-limit', 'work-limit', 'depth-limit'];

/** The limits that left something unknown: as an end of either view, or as the cause of one. */
export function limitsMet({
  outcomes,
  resolver,
}: Pick<TraversalResult, 'outcomes' | 'resolver'>): readonly LimitKind[] {
  const met = new Set([...outcomes, ...resolver.outcomes].map((end) => unexamined(end)?.kind));
  return LIMITS.filter((kind) => met.has(kind));
}
