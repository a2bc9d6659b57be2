/** One thing that a server found wrong with a request's body, and where (RFC 6901 pointer). */
export interface BodyError {
  readonly pointer: string;
  readonly detail: string;
}

/** Why a server did not do what it was asked to. Texts come from outside: escape them before printing. */
export type ApiFailure =
  /** No connection, or it broke. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'rate-limited' | 'busy'; readonly detail: string; readonly retryAfterMs?: number }
  /** There never was such a job, or it is no longer kept. */
  | { readonly kind: 'no-such-job' }
  | { readonly kind: 'refused'; readonly detail: string; readonly errors: readonly BodyError[] }
  /** Something went wrong inside it. */
  | { readonly kind: 'fault'; readonly detail: string }
  /** Something answered that does not speak our interface. */
  | { readonly kind: 'not-a-service'; readonly detail: string }
  /** We were told to stop. */
  | { readonly kind: 'stopped' };

/** What came of a request: a value, or why there is none. */
export type ApiAnswer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'failed'; readonly failure: ApiFailure };

/** An answer that is a value. */
export function ok<T>(value: T): ApiAnswer<T> {
  return { kind: 'ok', value };
}

/** An answer that is a failure. */
export function failed(failure: ApiFailure): ApiAnswer<never> {
  return { kind: 'failed', failure };
}

/** The answer that the function makes of a value; a failure stays what it is. */
export function map<A, B>(answer: ApiAnswer<A>, then: (value: A) => ApiAnswer<B>): ApiAnswer<B> {
  return answer.kind === 'ok' ? then(answer.value) : answer;
}
