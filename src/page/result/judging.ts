import type { TraversalResult } from '../../document/result.ts';
import type { Judge } from '../../reading/bearing.ts';
import { comparisonOf, contentKey } from '../../reading/comparison.ts';

/**
 * Says what an end of any view means beside the ends of the path view, so that the same end looks the same in
 * all of them: what no path ends in differs.
 */
export function judgeIn({ outcomes }: Pick<TraversalResult, 'outcomes'>): Judge {
  const { judge } = comparisonOf(outcomes);
  const known = new Set(outcomes.map(contentKey));
  return (end) => {
    const bearing = judge(end);
    if (bearing !== 'ends-well' || known.has(contentKey(end))) return bearing;
    return end.kind === 'answer' ? 'differs' : 'denies';
  };
}
