/* Signals to a command: interruption, the time left after it, and reloads of a service. */

import { onAbort } from '../../base/abort.ts';
import type { Io } from './io.ts';

/** Listens for a signal that interrupts a command. */
export function interruption(io: Io): Interruption {
  const controller = new AbortController();
  const stop = io.onSignal(() => controller.abort());
  return { signal: controller.signal, stop };
}

/** The user's wish to stop. */
interface Interruption {
  /** Aborted at the first signal. */
  readonly signal: AbortSignal;
  /** Stops listening. */
  readonly stop: () => void;
}

/** The time that is left once a command is interrupted. */
export interface Grace {
  readonly signal: AbortSignal;
  /** Leaves no more time. */
  readonly end: () => void;
  /** Stops listening. */
  readonly stop: () => void;
}

/**
 * How long ending a job, fetching what was known and evaluating it may still take together once a command is
 * interrupted, in milliseconds: it has ended within two seconds.
 */
const GRACE_MS = 1_700;

/** A signal that is aborted a little later than another, or than now if that has been aborted. */
export function graceAfter(signal: AbortSignal): Grace {
  const controller = new AbortController();
  const end = () => controller.abort();
  return { signal: controller.signal, end, stop: afterGrace(signal, end) };
}

/** Calls `run` when such a signal would be aborted; the function it returns prevents that. Costs less than a signal. */
export function afterGrace(signal: AbortSignal, run: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const forget = onAbort(signal, () => {
    timer = setTimeout(run, GRACE_MS);
  });
  return () => {
    forget();
    clearTimeout(timer);
  };
}

/** The signals that ask a service to read its files again. */
export interface Reloads {
  /** Says what to do for each. One that came before is heeded now, and one that comes meanwhile afterwards. */
  readonly begin: (reload: () => Promise<void>) => void;
}

/**
 * Listens for such signals from now on. Never two reloads go on at once: the one that began first could end
 * last, and leave what it read before in force.
 */
export function hearReloads({ onReload }: Pick<Io, 'onReload'>): Reloads {
  let state: 'not-begun' | 'idle' | 'reloading' = 'not-begun';
  let isWanted = false;
  let reload = async () => {};
  const reloadWhileWanted = async () => {
    if (state !== 'idle') return;
    state = 'reloading';
    while (isWanted) {
      isWanted = false;
      await reload();
    }
    state = 'idle';
  };
  onReload(() => {
    isWanted = true;
    void reloadWhileWanted();
  });
  return {
    begin: (run) => {
      reload = run;
      state = 'idle';
      void reloadWhileWanted();
    },
  };
}
