/** How many of something fit into any one span of time. */
export interface SlidingWindow {
  /** Milliseconds from `now` until one more fits; 0 if it does now. */
  wait(now: number): number;
  /** Notes that one happens now. */
  add(now: number): void;
}

/** A sliding window of `most` (0: without limit) in any `spanMs` milliseconds. It remembers `most` moments. */
export function createSlidingWindow(most: number, spanMs: number): SlidingWindow {
  const moments: number[] = [];
  let oldest = 0;
  return {
    wait: (now) => {
      if (most === 0 || moments.length < most) return 0;
      return Math.max(0, (moments[oldest] ?? now) + spanMs - now);
    },
    add: (now) => {
      if (most === 0) return;
      if (moments.length < most) {
        moments.push(now);
        return;
      }
      moments[oldest] = now;
      oldest = (oldest + 1) % most;
    },
  };
}
