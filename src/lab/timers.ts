/** Things to be done later, all of which can be called off. */
export interface Timers {
  /** Runs it in so many milliseconds; at once for 0. */
  after(ms: number, run: () => void): void;
  /** Calls off what has not run. */
  clear(): void;
}

/** An empty set of timers. */
export function createTimers(): Timers {
  const pending = new Set<NodeJS.Timeout>();
  return {
    after(ms, run) {
      if (ms <= 0) {
        run();
        return;
      }
      const timer = setTimeout(() => {
        pending.delete(timer);
        run();
      }, ms);
      pending.add(timer);
    },
    clear() {
      for (const timer of pending) clearTimeout(timer);
      pending.clear();
    },
  };
}
