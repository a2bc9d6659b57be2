import { onAbort } from '../abort.ts';

/** Patience with somebody who may never answer. */
export interface Patience {
  /** Aborted when patience has run out, and with the caller's signal. */
  readonly signal: AbortSignal;
  readonly state: () => 'waiting' | 'run-out' | 'over';
  /** Something came: starts the time again. */
  readonly renew: () => void;
  /** Nothing is left to wait for. */
  readonly end: () => void;
}

/**
 * Patience for `ms` milliseconds. (`AbortSignal.any` and `AbortSignal.timeout` would not do: a signal held
 * by those alone may be collected as garbage before it is aborted.)
 */
export function createPatience(ms: number, signal: AbortSignal): Patience {
  const controller = new AbortController();
  let state: ReturnType<Patience['state']> = 'waiting';
  const end = () => {
    if (state === 'waiting') state = 'over';
    clearTimeout(timer);
    forget();
  };
  const timer = setTimeout(() => {
    state = 'run-out';
    forget();
    controller.abort(new Error('no reply in time'));
  }, ms);
  const forget = onAbort(signal, () => {
    end();
    controller.abort(signal.reason);
  });
  const renew = () => {
    if (state === 'waiting') timer.refresh();
  };
  return { signal: controller.signal, state: () => state, renew, end };
}
