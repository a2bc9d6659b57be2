import type { Failed } from './evaluation.ts';

/** The end of a traversal that was too much for its thread. */
export function tooMuch(reason: string): Failed {
  const detail = `The traversal was too much for one thread: ${reason}.`;
  return { kind: 'failed', error: { title: 'Too much work', detail } };
}
