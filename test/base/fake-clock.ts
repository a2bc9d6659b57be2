import type { Clock } from '../../src/base/clock.ts';

/** A clock that stands still until it is advanced. */
export interface FakeClock extends Clock {
  /** Advances by `ms` milliseconds and runs what becomes due on the way. */
  advance(ms: number): Promise<void>;
  /** Number of pending timers. */
  readonly timers: number;
}

export function createFakeClock(): FakeClock {
  let now = 0;
  const timers = new Map<() => void, number>();

  function nextDue(until: number): [() => void, number] | undefined {
    const due = [...timers].filter(([, at]) => at <= until);
    return due.sort(([, a], [, b]) => a - b)[0];
  }

  return {
    now: () => now,
    after: (ms, run) => {
      const entry = () => run();
      timers.set(entry, now + ms);
      return () => {
        timers.delete(entry);
      };
    },
    advance: async (ms) => {
      await settled();
      const until = now + ms;
      for (let due = nextDue(until); due !== undefined; due = nextDue(until)) {
        const [run, at] = due;
        now = at;
        timers.delete(run);
        run();
        await settled();
      }
      now = until;
      await settled();
    },
    get timers() {
      return timers.size;
    },
  };
}

/** Resolves once all promises that can settle now have done so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
