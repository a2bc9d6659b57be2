import type { Saved } from '../document/read-result.ts';
import { type MetServer, serversMet } from '../fingerprint/servers-met.ts';
import { type Conclusion, conclusionOf } from '../reading/conclusion.ts';
import { replay } from '../traverse.ts';

/** The end of a traversal as a job keeps it: what is large in it is serialised already. */
export interface Evaluated {
  readonly kind: 'evaluated';
  readonly conclusion: Conclusion;
  /** The whole result as JSON text (svc-api(5)). */
  readonly result: Uint8Array<ArrayBuffer>;
  /** The servers it met. */
  readonly met: readonly MetServer[];
}

/** Evaluates what a traversal recorded, and serialises the result. */
export function evaluated(saved: Saved): Evaluated {
  const result = replay(saved);
  return {
    kind: 'evaluated',
    conclusion: conclusionOf(result),
    result: new TextEncoder().encode(JSON.stringify(result)),
    met: serversMet(result),
  };
}
