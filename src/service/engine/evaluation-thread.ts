// What an evaluation thread runs: a recording comes in, its evaluation goes out.
import { parentPort } from 'node:worker_threads';
import type { Saved } from '../../document/read-result.ts';
import { type Evaluated, evaluated } from './evaluation.ts';

/** What became of a recording that was sent to the thread. */
export type ThreadReply =
  | { readonly kind: 'done'; readonly evaluated: Evaluated }
  | { readonly kind: 'threw'; readonly error: unknown };

parentPort?.on('message', (saved: Saved) => {
  const reply = replyTo(saved);
  // The text changes hands without being copied.
  parentPort?.postMessage(reply, reply.kind === 'done' ? [reply.evaluated.result.buffer] : []);
});

function replyTo(saved: Saved): ThreadReply {
  try {
    return { kind: 'done', evaluated: evaluated(saved) };
  } catch (error) {
    return { kind: 'threw', error };
  }
}
