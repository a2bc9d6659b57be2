import { onAbort } from '../../abort.ts';
import { type ApiAnswer, failed } from '../../client/failure.ts';
import type { TraversalResult } from '../../document/result.ts';
import { formatDurationMs } from '../../duration.ts';
import { shareExchanges } from '../../exchange/shared.ts';
import { traverse } from '../../traverse.ts';
import type { Question } from '../../wire/question.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import type { Io } from '../process/io.ts';
import { type Field, openField } from '../runner/field.ts';
import { requestBody } from '../runner/request-body.ts';
import { traverseThere } from '../runner/traverse-there.ts';

/** Whoever traverses many names. A traversal that is stopped gives what it knew, or fails as stopped. */
export interface Traverser {
  readonly traverse: (question: Question, signal: AbortSignal) => Promise<ApiAnswer<TraversalResult>>;
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
    const waitMs = Math.min(Math.max(Math.ceil(retryAfterMs), LEAST_WAIT_MS), MOST_WAIT_MS);
    const now = performance.now();
    // One line for all that are refused at once.
    if (now >= notBefore) say(`${detail || 'it takes no more now'}; waiting for ${formatDurationMs(waitMs)}`);
    notBefore = Math.max(notBefore, now + waitMs);
  };
  return {
    traverse: async (question, signal) => {
      const body = requestBody(question, flags);
      for (;;) {
        await waitUntil(notBefore, signal);
        if (signal.aborted) return failed({ kind: 'stopped' });
        const sight = { signal, emit: () => {}, identified: () => {}, connection: () => {} };
        const answer = await traverseThere(server, body, sight);
        if (answer.kind === 'ok') return answer;
        const { failure } = answer;
        if (failure.kind !== 'rate-limited' && failure.kind !== 'busy') return answer;
        hold(failure);
      }
    },
    close: async () => {},
  };
}

const USUAL_WAIT_MS = 5_000;

/** Whatever a server says, it is not asked all the time, and no timer is set that the system would cut short. */
const [LEAST_WAIT_MS, MOST_WAIT_MS] = [1_000, 86_400_000];

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
