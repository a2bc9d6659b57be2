import type { Answer } from '../client/failure.ts';
import { formatDurationMs } from '../duration.ts';
import { onAbort } from '../exchange/abort.ts';
import { shareExchanges } from '../exchange/shared.ts';
import type { TraversalResult } from '../report/result.ts';
import { traverse } from '../traverse.ts';
import type { Question } from '../wire/question.ts';
import { type Field, openField } from './field.ts';
import type { Io } from './io.ts';
import { requestBody } from './remote/request-body.ts';
import { traverseThere } from './remote/traverse-there.ts';
import type { TraversalFlags } from './traversal-flags.ts';

/** Whoever traverses many names. A traversal that is stopped gives what it knew, or fails as stopped. */
export interface Traverser {
  readonly traverse: (question: Question, signal: AbortSignal) => Promise<Answer<TraversalResult>>;
  readonly close: () => Promise<void>;
}

/** So many replies are kept for other names: some dozen megabytes. */
const MOST_KEPT = 20_000;

/** Traverses here. All names share the pacing, and exchanges where that is sound. */
export async function traverserHere(flags: TraversalFlags, io: Io): Promise<Traverser> {
  const field: Field = await openField(flags, io);
  const { options, hints } = field;
  const exchange = shareExchanges(field.exchange, { maxAgeMs: options.maxTimeMs, maxKept: MOST_KEPT });
  return {
    traverse: async (question, signal) => {
      const value = await traverse({ question, options, hints }, { exchange, emit: () => {}, signal });
      return { kind: 'ok', value };
    },
    close: field.close,
  };
}

/** Has a server traverse. Where it takes no more for now, all names wait as long as it says. */
export function traverserAt(server: URL, flags: TraversalFlags, say: (line: string) => void): Traverser {
  let notBefore = 0;
  const hold = (failure: { readonly detail: string; readonly retryAfterMs?: number }) => {
    const { detail, retryAfterMs = USUAL_WAIT_MS } = failure;
    const now = performance.now();
    // One line for all that are refused at once.
    if (now >= notBefore) say(`${detail}; waiting for ${formatDurationMs(Math.ceil(retryAfterMs))}`);
    notBefore = Math.max(notBefore, now + retryAfterMs);
  };
  return {
    traverse: async (question, signal) => {
      const body = requestBody(question, flags);
      for (;;) {
        await waitUntil(notBefore, signal);
        const sight = { signal, emit: () => {}, identified: () => {}, connection: () => {} };
        const answer = await traverseThere(server, body, sight);
        if (answer.kind === 'ok' || signal.aborted) return answer;
        const { failure } = answer;
        if (failure.kind !== 'rate-limited' && failure.kind !== 'busy') return answer;
        hold(failure);
      }
    },
    close: async () => {},
  };
}

const USUAL_WAIT_MS = 5_000;

/** Waits until a moment of `performance.now`, or until it is stopped. */
function waitUntil(moment: number, signal: AbortSignal): Promise<void> {
  const ms = moment - performance.now();
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      forget();
      resolve();
    }, ms);
    const forget = onAbort(signal, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
