let last: Promise<void> = Promise.resolve();

/**
 * Resolves after timers, sockets and other work had their turn. Of several who wait one goes on at a time, first come
 * first, so that however many there are, timers and sockets wait for one of them at most.
 */
export function letOthersRun(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
