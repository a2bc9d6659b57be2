import { getOrMake } from '../get-or-make.ts';

/** One address: who waits for it, and what is on its way to it. */
export interface Lane {
  readonly address: string;
  readonly window: SlidingWindow;
  readonly waiting: WaitingLine<AbortSignal>;
  inFlight: number;
  /** Set while only the rate keeps the first from going. */
  cancelTimer: (() => void) | undefined;
}

/** Lets one of those who wait go ahead. */
export type Go = () => void;

/**
 * Those who wait for one thing, each on behalf of somebody, such as a job. These take turns, and for each
 * of them order of arrival counts, so one with thousands delays the others by no more than one at a time.
 */
export class WaitingLine<W> {
  readonly #queues = new Map<W, Set<Go>>();

  get empty(): boolean {
    return this.#queues.size === 0;
  }

  join(whose: W, go: Go): void {
    getOrMake(this.#queues, whose, () => new Set<Go>()).add(go);
  }

  leave(whose: W, go: Go): void {
    const queue = this.#queues.get(whose);
    queue?.delete(go);
    if (queue?.size === 0) this.#queues.delete(whose);
  }

  /** Removes and returns the next of those who may go; undefined if none of them waits. */
  next(may: (whose: W) => boolean): Go | undefined {
    for (const [whose, queue] of this.#queues) {
      if (!may(whose)) continue;
      const [go] = queue;
      // A map keeps insertion order: whoever has more goes to the end.
      this.#queues.delete(whose);
      if (go !== undefined) queue.delete(go);
      if (queue.size > 0) this.#queues.set(whose, queue);
      return go;
    }
    return undefined;
  }
}

/** A limit on how often something happens in any one span of time. */
interface SlidingWindow {
  /**
   * Milliseconds from `now` until it may happen once more; 0: at once; infinite: not before something that
   * was allowed has happened.
   */
  wait(now: number): number;
  /** Takes leave for it to happen once, and gives the number by which `left` knows it. */
  take(): number;
  /** Notes that it happens now. */
  left(slot: number, now: number): void;
}

/** A sliding window of `most` (0: no limit) in any `spanMs` milliseconds. It remembers `most` moments. */
export function createSlidingWindow(most: number, spanMs: number): SlidingWindow {
  const moments: number[] = [];
  let next = 0;
  return {
    wait: (now) => {
      if (most === 0) return 0;
      return Math.max(0, (moments[next] ?? Number.NEGATIVE_INFINITY) + spanMs - now);
    },
    take: () => {
      if (most === 0) return 0;
      const slot = next;
      moments[slot] = Number.POSITIVE_INFINITY;
      next = (next + 1) % most;
      return slot;
    },
    left: (slot, now) => {
      if (most !== 0) moments[slot] = now;
    },
  };
}
