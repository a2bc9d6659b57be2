/** Things to do later that can all be cancelled. */
export interface Timers {
  /** Runs it after `ms` milliseconds; for 0 at once. */
  after(ms: number, run: () => void): void;
  /** Cancels what has not run yet. */
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
