import type { Saved } from '../../document/read-result.ts';
import { type MetServer, serversMet } from '../../fingerprint/servers-met.ts';
import { type Conclusion, conclusionOf } from '../../reading/conclusion.ts';
import { replay } from '../../traverse.ts';

/** A traversal's end as a job keeps it: what is large in it is serialised already. */
export interface Traversed {
  readonly conclusion: Conclusion;
  /** The whole result as JSON text (contract, section 1). */
  readonly result: Uint8Array<ArrayBuffer>;
  /** The servers that it met. */
  readonly met: readonly MetServer[];
}

/** Evaluates what a traversal recorded, and serialises the result. */
export function evaluated(saved: Saved): Traversed {
  const result = replay(saved);
  const text = new TextEncoder().encode(JSON.stringify(result));
  return { conclusion: conclusionOf(result), result: text, met: serversMet(result) };
}
