import type { OutcomeRow, SummaryRow } from './ends.ts';
import type { TraversalResult } from './result.ts';

/** One view of a result. */
export interface View {
  readonly outcomes: readonly OutcomeRow[];
  readonly summary: readonly SummaryRow[];
}

/** Every view that a result has: the path view, the resolver view, both of the warm walk, and those that validate. */
export function viewsOf(
  result: Pick<TraversalResult, 'outcomes' | 'summary' | 'resolver' | 'warm' | 'validating'>,
): readonly View[] {
  const { resolver, warm, validating } = result;
  return [
    result,
    resolver,
    ...(warm === undefined ? [] : [warm, warm.resolver]),
    ...(validating === undefined ? [] : [validating, validating.firstTry]),
  ];
}
