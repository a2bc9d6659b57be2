import type { TraversalResult } from '../../document/result.ts';
import type { WhatIf } from '../../evaluate/what-if/what-if.ts';
import type { ImaginedResult } from '../../imagine.ts';

/** A message to the what-if worker: first the recorded result, then questions about it. */
export type WhatIfRequest = { readonly kind: 'recorded'; readonly result: TraversalResult } | WhatIfQuestion;

/** The change to evaluate. */
export interface WhatIfQuestion {
  readonly kind: 'what-if';
  readonly number: number;
  readonly whatIf: WhatIf;
}

/** A reply of the worker, with the number of its request. */
export interface WhatIfReply {
  readonly number: number;
  readonly imagined: ImaginedResult | { readonly kind: 'failed' };
}
