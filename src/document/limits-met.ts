import type { LimitKind } from '../evaluate/end.ts';
import type { OutcomeRow, TraversalResult } from './result.ts';

const LIMITS: readonly LimitKind[] = ['query-limit', 'time-limit', 'work-limit', 'depth-limit'];

/** The limits that left something unknown: as an end of either view, or as the cause of one. */
export function limitsMet({
  outcomes,
  resolver,
}: Pick<TraversalResult, 'outcomes' | 'resolver'>): readonly LimitKind[] {
  const met = new Set([...outcomes, ...resolver.outcomes].flatMap(kinds));
  return LIMITS.filter((kind) => met.has(kind));
}

function kinds(end: OutcomeRow): readonly OutcomeRow['kind'][] {
  return 'cause' in end && end.cause !== undefined ? [end.kind, end.cause.kind] : [end.kind];
}
