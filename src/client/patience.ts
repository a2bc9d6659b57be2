import { onAbort } from '../abort.ts';

/** Patience with somebody who may never answer. */
export interface Patience {
  /** Aborted when patience has run out, and with the caller's signal. */
  readonly signal: AbortSignal;
  readonly state: () => 'waiting' | 'run-out' | 'over';
  /** Something came: starts the time again, which may have another length from now on. */
  readonly renew: (ms?: number) => void;
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
  const runOut = () => {
    state = 'run-out';
    forget();
    controller.abort(new Error('no reply in time'));
  };
  let timer = setTimeout(runOut, ms);
  const forget = onAbort(signal, () => {
    end();
    controller.abort(signal.reason);
  });
  const renew = (other?: number) => {
    if (state !== 'waiting') return;
    if (other === undefined) {
      timer.refresh();
    } else {
      clearTimeout(timer);
      timer = setTimeout(runOut, other);
    }
  };
  return { signal: controller.signal, state: () => state, renew, end };
}
