import { pause } from '../../abort.ts';
import { type ApiAnswer, type ApiFailure, failed } from '../../client/failure.ts';
import type { Question } from '../../wire/question.ts';
import type { RunObserver } from './observer.ts';
import type { Runner } from './runner.ts';

/** A server that refuses new jobs for now. */
export interface Refusal {
  /** The server's words; may be empty. */
  readonly detail: string;
  readonly waitMs: number;
}

/**
 * A runner that waits and tries again where a server refuses new jobs for now. One refusal holds up all
 * names; `told` hears of it once.
 */
export function patient(runner: Runner, told: (refusal: Refusal) => void): Runner {
  let notBefore = 0;
  const hold = ({ detail, retryAfterMs = USUAL_WAIT_MS }: Temporary) => {
    const waitMs = Math.min(Math.max(Math.ceil(retryAfterMs), LEAST_WAIT_MS), MOST_WAIT_MS);
    const now = performance.now();
    if (now >= notBefore) told({ detail, waitMs });
    notBefore = Math.max(notBefore, now + waitMs);
  };
  const persist =
    <Result>(run: Run<Result>): Run<Result> =>
    async (question, observer) => {
      for (;;) {
        await pause(notBefore - performance.now(), observer.signal);
        if (observer.signal.aborted) return failed({ kind: 'stopped' });
        const answer = await run(question, observer);
        if (answer.kind === 'ok' || !isTemporary(answer.failure)) return answer;
        hold(answer.failure);
      }
    };
  return { traverse: persist(runner.traverse), identify: persist(runner.identify), close: runner.close };
}

type Run<Result> = (question: Question, observer: RunObserver) => Promise<ApiAnswer<Result>>;

type Temporary = Extract<ApiFailure, { readonly kind: 'rate-limited' | 'busy' }>;

function isTemporary(failure: ApiFailure): failure is Temporary {
  return failure.kind === 'rate-limited' || failure.kind === 'busy';
}

const USUAL_WAIT_MS = 5_000;

/** Whatever a server says: it is not asked all the time, and no timer is longer than timers can be. */
const [LEAST_WAIT_MS, MOST_WAIT_MS] = [1_000, 86_400_000];
