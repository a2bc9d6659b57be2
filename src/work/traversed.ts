import { limitsMet } from '../document/limits-met.ts';
import type { Saved } from '../document/read-result.ts';
import { serversMet } from '../fingerprint/servers-met.ts';
import { replay } from '../traverse.ts';
import type { Traversed } from './messages.ts';

/** Evaluates what a traversal recorded, and serialises the result. */
export function evaluated(saved: Saved): Traversed {
  const result = replay(saved);
  const { ending, summary, durationMs } = result;
  const text = new TextEncoder().encode(JSON.stringify(result));
  return { ending, summary, limits: limitsMet(result), durationMs, result: text, met: serversMet(result) };
}
