// What an evaluation thread runs: a recording comes in, what it says goes out.
import { parentPort } from 'node:worker_threads';
import type { Saved } from '../../document/read-result.ts';
import { evaluated, type Traversed } from './evaluation.ts';

/** What became of a recording that was sent to the thread. */
export type ThreadReply =
  | { readonly kind: 'evaluated'; readonly traversed: Traversed }
  | { readonly kind: 'failed'; readonly error: unknown };

parentPort?.on('message', (saved: Saved) => {
  const reply = replyTo(saved);
  // The text changes hands without being copied.
  parentPort?.postMessage(reply, reply.kind === 'evaluated' ? [reply.traversed.result.buffer] : []);
});

function replyTo(saved: Saved): ThreadReply {
  try {
    return { kind: 'evaluated', traversed: evaluated(saved) };
  } catch (error) {
    return { kind: 'failed', error };
  }
}
