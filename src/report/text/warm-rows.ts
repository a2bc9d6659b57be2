import type { TraversalResult } from '../../document/result.ts';
import { warmthOf } from '../../reading/cold-and-warm.ts';
import type { Wording } from '../../reading/wording.ts';
import type { Rows } from '../table/table.ts';
import { comparisonRows } from './comparison-rows.ts';

/** The shares of the cold and the warm views side by side, where they differ. */
export function warmRows(result: TraversalResult, wording: Wording): Rows {
  const { warm, resolver } = result;
  if (warm === undefined || warmthOf(result).kind !== 'differs') return [];
  const columns = [
    { head: 'paths: cold', view: result },
    { head: 'warm', view: warm },
    { head: 'resolvers: cold', view: resolver },
    { head: 'warm', view: warm.resolver },
  ];
  return comparisonRows("With the zones' own name servers (warm)", columns, wording);
}
