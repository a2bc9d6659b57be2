import { limitsMet } from '../../document/limits-met.ts';
import type { Saved } from '../../document/read-result.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { LimitKind } from '../../evaluate/end.ts';
import { type MetServer, serversMet } from '../../fingerprint/servers-met.ts';
import { replay } from '../../traverse.ts';

/** A traversal's end as a job keeps it: what is large in it is serialised already. */
export interface Traversed extends Pick<TraversalResult, 'ending' | 'summary' | 'durationMs'> {
  readonly limits: readonly LimitKind[];
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
  return { ending, summary, limits: limitsMet(result), durationMs, result: text, met: serversMet(result) };
}
