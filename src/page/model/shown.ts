import type { TraversalResult } from '../../document/result.ts';
import type { Wording } from '../../report/views/wording.ts';

/** A result on the page, and how its parts are worded. */
export interface Shown {
  readonly result: TraversalResult;
  readonly wording: Wording;
}
