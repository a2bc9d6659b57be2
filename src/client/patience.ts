import { onAbort } from '../abort.ts';

/** Patience with somebody who may never answer. */
export interface Patience {
  /** Aborted when it has run out, or when the caller's signal is. */
  readonly signal: AbortSignal;
  readonly state: () => 'waiting' | 'run-out' | 'over';
  /** Something came: the time begins anew. */
  readonly renew: () => void;
  /** There is nothing more to wait for. */
  readonly end: () => void;
}

/**
 * Patience for so many milliseconds. (Not made from `AbortSignal.any` and `AbortSignal.timeout`: what
 * hangs on those alone may be collected as garbage before it is aborted.)
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
