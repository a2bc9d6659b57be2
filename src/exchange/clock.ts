/** Time as a parameter. */
export interface Clock {
  /** Milliseconds since some fixed moment; never goes back. */
  now(): number;
  /** Calls `run` once, `ms` milliseconds from now; the function it returns prevents that. */
  after(ms: number, run: () => void): () => void;
}

/**
 * The machine's own clock. What is due runs after what has come in meanwhile: if the process was
 * busy past a time-out, replies that wait in the sockets still count.
 */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    let immediate: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // Node polls the sockets between its timers and its immediates.
      immediate = setImmediate(run);
    }, ms);
    return () => {
      clearTimeout(timer);
      clearImmediate(immediate);
    };
  },
};

/** The time from one moment to another, in milliseconds, rounded to the microsecond. */
export function between(from: number, to: number): number {
  return Math.round((to - from) * 1_000) / 1_000;
}
