import type { TraversalResult } from '../../document/result.ts';
import type { WhatIf } from '../../evaluate/what-if/what-if.ts';
import type { ImaginedResult } from '../../imagine.ts';

/** What the worker that imagines is told: first what was recorded, then what is different. */
export type WhatIfRequest = { readonly kind: 'recorded'; readonly result: TraversalResult } | WhatIfQuestion;

/** What is to be different. */
export interface WhatIfQuestion {
  readonly kind: 'what-if';
  readonly number: number;
  readonly whatIf: WhatIf;
}

/** What the worker says to a request, by its number. */
export interface WhatIfReply {
  readonly number: number;
  readonly imagined: ImaginedResult | { readonly kind: 'failed' };
}
