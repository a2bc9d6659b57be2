import type { LiveUrgency } from '../query.ts';
import { UrgencyQueue, urgencyNow } from './urgency.ts';

/** How many items go in one turn of the event loop. */
const AT_ONCE = 2;

/**
 * Releases a few items in each turn of the event loop, the most urgent first. One reply can lead to hundreds of queries:
 * if all of these went at once, replies that come meanwhile would wait, and with them the longest chain of queries.
 */
export class EventLoopThrottle<T> {
  readonly #release: (item: T) => void;
  readonly #stop: AbortSignal;
  readonly #waiting = new UrgencyQueue<T>();
  #releasedNow = 0;

  /** Once `stop` is aborted all items go at once. */
  constructor(release: (item: T) => void, stop: AbortSignal) {
    this.#release = release;
    this.#stop = stop;
  }

  add(item: T, urgency: LiveUrgency): void {
    this.#waiting.join(item, urgencyNow(urgency));
    urgency.rising?.onRise(() => this.#waiting.move(item, urgencyNow(urgency)));
    if (this.#releasedNow === 0) setImmediate(() => this.#nextTurn());
    this.#releaseSome();
  }

  #nextTurn(): void {
    this.#releasedNow = 0;
    this.#releaseSome();
    if (this.#releasedNow > 0) setImmediate(() => this.#nextTurn());
  }

  #releaseSome(): void {
    while (this.#releasedNow < AT_ONCE || this.#stop.aborted) {
      const first = this.#waiting.next();
      if (first === undefined) return;
      this.#releasedNow += 1;
      this.#release(first);
    }
  }
}
