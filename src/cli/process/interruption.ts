import type { Io } from './io.ts';

/** The user's wish to stop. */
interface Interruption {
  /** Aborted at the first signal. */
  readonly signal: AbortSignal;
  /** Stops listening. */
  readonly stop: () => void;
}

/** Listens for a signal that interrupts a command. */
export function interruption(io: Io): Interruption {
  const controller = new AbortController();
  const stop = io.onSignal(() => controller.abort());
  return { signal: controller.signal, stop };
}
