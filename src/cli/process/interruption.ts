import type { Io } from './io.ts';

/** What ends a command early: a signal, or that nobody reads its results any more. */
export type Interrupted = 'signal' | 'lost-reader';

/** The wish to stop, and where it comes from. */
export interface Interruption {
  readonly signal: AbortSignal;
  readonly by: () => Interrupted | undefined;
  /** Listens no more. */
  readonly stop: () => void;
}

/** Listens for what ends a command early. */
export function interruption(io: Io): Interruption {
  const controller = new AbortController();
  let by: Interrupted | undefined;
  const interrupt = (why: Interrupted) => {
    by ??= why;
    controller.abort();
  };
  const unlisten = io.onSignal(() => interrupt('signal'));
  const lost = () => interrupt('lost-reader');
  io.stdout.once('error', lost);
  const stop = () => {
    unlisten();
    io.stdout.off('error', lost);
  };
  return { signal: controller.signal, by: () => by, stop };
}
