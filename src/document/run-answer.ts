import type { Issue } from '../base/shape.ts';

/** What came of a run, or of a call of the API: a value, or why there is none. */
export type RunAnswer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'failed'; readonly failure: RunFailure };

/** Why a run came to nothing, on this host (stopped, or a fault) or at a service. The texts come from outside: escape them before printing. */
export type RunFailure =
  /** No connection, or one that broke. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'rate-limited' | 'busy'; readonly detail: string; readonly retryAfterMs?: number }
  /** There never was such a job, or it has expired. */
  | { readonly kind: 'no-such-job' }
  | { readonly kind: 'refused'; readonly detail: string; readonly errors: readonly Issue[] }
  /** Something went wrong inside it. */
  | { readonly kind: 'fault'; readonly detail: string }
  /** Something answered that does not speak svc-api(5). */
  | { readonly kind: 'not-a-service'; readonly detail: string }
  /** The caller's signal was aborted. */
  | { readonly kind: 'stopped' };

/** An answer that is a value. */
export function ok<T>(value: T): RunAnswer<T> {
  return { kind: 'ok', value };
}

/** An answer that is a failure. */
export function failed(failure: RunFailure): RunAnswer<never> {
  return { kind: 'failed', failure };
}

/** The answer that `then` gives for a value. A failure stays as it is. */
export function map<A, B>(answer: RunAnswer<A>, then: (value: A) => RunAnswer<B>): RunAnswer<B> {
  return answer.kind === 'ok' ? then(answer.value) : answer;
}
