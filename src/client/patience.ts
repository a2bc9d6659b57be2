import { onAbort } from '../abort.ts';

/** A timeout of a server that may never reply. */
export interface ReplyTimeout {
  /** Aborted when the timeout expires, and with the caller's signal. */
  readonly signal: AbortSignal;
  readonly state: () => 'waiting' | 'expired' | 'over';
  /** Something came: starts the time again, which may have another length from now on. */
  readonly renew: (ms?: number) => void;
  /** Nothing is left to wait for. */
  readonly end: () => void;
}

/**
 * Starts a timeout of `ms` milliseconds. (`AbortSignal.any` and `AbortSignal.timeout` would not do: a signal held
 * by those alone may be collected as garbage before it is aborted.)
 */
export function startTimeout(ms: number, signal: AbortSignal): ReplyTimeout {
  const controller = new AbortController();
  let state: ReturnType<ReplyTimeout['state']> = 'waiting';
  const end = () => {
    if (state === 'waiting') state = 'over';
    clearTimeout(timer);
    forget();
  };
  const expire = () => {
    state = 'expired';
    forget();
    controller.abort(new Error('no reply in time'));
  };
  let timer = setTimeout(expire, ms);
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
      timer = setTimeout(expire, other);
    }
  };
  return { signal: controller.signal, state: () => state, renew, end };
}
