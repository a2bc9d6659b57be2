import { type LimitKind, unexamined } from '../evaluate/end.ts';
import { choice } from '../shape/values.ts';
import type { TraversalResult } from './result.ts';

/** A limit that can end a path. */
export const LIMIT_KIND = choice<LimitKind>({
  'query-limit': true,
  'time-limit': true,
  'work-limit': true,
  'depth-limit': true,
});

/** The limits that left something unknown: as an end of either view, or as the cause of one. */
export function limitsMet({
  outcomes,
  resolver,
}: Pick<TraversalResult, 'outcomes' | 'resolver'>): readonly LimitKind[] {
  const met = new Set([...outcomes, ...resolver.outcomes].map((end) => unexamined(end)?.kind));
  return LIMIT_KIND.names.filter((kind) => met.has(kind));
}
