import { type MetServer, serversMet } from '../fingerprint/servers-met.ts';
import type { Saved } from '../report/read-result.ts';
import type { TraversalResult } from '../report/result.ts';
import { replay } from '../traverse.ts';

/** A traversal's end as a job keeps it: what is large in it is serialised already. */
export interface Traversed extends Pick<TraversalResult, 'ending' | 'summary' | 'durationMs'> {
  /** The whole result as JSON text (contract, section 1). */
  readonly result: Uint8Array<ArrayBuffer>;
  /** The servers that it met. */
  readonly met: readonly MetServer[];
}

/** Evaluates what a traversal recorded, and serialises the result. */
export function evaluated(saved: Saved): Traversed {
  const result = replay(saved);
  const { ending, summary, durationMs } = result;
  const text = new TextEncoder().encode(JSON.stringify(result));
  return { ending, summary, durationMs, result: text, met: serversMet(result) };
}
