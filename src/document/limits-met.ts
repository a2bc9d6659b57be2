import { type LimitKind, unexamined } from '../evaluate/end.ts';
import { choice } from '../shape/values.ts';
import { viewsOf } from './views.ts';

/** A limit that can end a path. */
export const LIMIT_KIND = choice<LimitKind>({
  'query-limit': true,
  'time-limit': true,
  'work-limit': true,
  'depth-limit': true,
});

/** The limits that left something unknown: as an end in any view, or as the cause of one. */
export function limitsMet(result: Parameters<typeof viewsOf>[0]): readonly LimitKind[] {
  const ends = viewsOf(result).flatMap(({ outcomes }) => outcomes);
  const met = new Set(ends.map((end) => unexamined(end)?.kind));
  return LIMIT_KIND.names.filter((kind) => met.has(kind));
}
