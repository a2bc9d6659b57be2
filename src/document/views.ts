import type { OutcomeRow, SummaryRow } from './ends.ts';
import type { TraversalResult } from './result.ts';

/** One view of a result. */
export interface View {
  readonly outcomes: readonly OutcomeRow[];
  readonly summary: readonly SummaryRow[];
}

/** Every view that a result has: the path view, the resolver view, and both of the warm walk if there is one. */
export function viewsOf(
  result: Pick<TraversalResult, 'outcomes' | 'summary' | 'resolver' | 'warm'>,
): readonly View[] {
  const { resolver, warm } = result;
  return [result, resolver, ...(warm === undefined ? [] : [warm, warm.resolver])];
}
