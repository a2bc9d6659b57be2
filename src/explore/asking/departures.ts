import type { QueryRank } from '../../exchanged.ts';
import type { RisingUrgency } from '../../rising-urgency.ts';
import { UrgencyLine } from '../../urgency-line.ts';
import type { WantedQuery } from '../questions.ts';

/** A question that is to go out. */
export interface Departure {
  /** In which it was asked. */
  readonly order: number;
  readonly wanted: WantedQuery;
  readonly rank: QueryRank;
  /** Of what somebody more pressed may come to want, too. */
  readonly rising: RisingUrgency | undefined;
}

/** How many go out in one turn of the event loop. */
const AT_ONCE = 2;

/**
 * Lets a few questions out in each turn of the event loop, the most urgent first. One reply can lead to hundreds: if all of
 * these went at once, replies that come meanwhile would wait, and with them what the longest chain waits for.
 */
export class Departures {
  readonly #leave: (departure: Departure) => void;
  readonly #stop: AbortSignal;
  readonly #waiting = new UrgencyLine<Departure>();
  #leftNow = 0;

  /** Once `stop` is aborted all go at once. */
  constructor(leave: (departure: Departure) => void, stop: AbortSignal) {
    this.#leave = leave;
    this.#stop = stop;
  }

  add(departure: Departure): void {
    const { rank, wanted, rising } = departure;
    const { links, place } = wanted;
    this.#waiting.join(departure, { rank, links, place });
    rising?.onRise(() => this.#waiting.move(departure, rising.now));
    if (this.#leftNow === 0) setImmediate(() => this.#nextTurn());
    this.#letSomeOut();
  }

  #nextTurn(): void {
    this.#leftNow = 0;
    this.#letSomeOut();
    if (this.#leftNow > 0) setImmediate(() => this.#nextTurn());
  }

  #letSomeOut(): void {
    while (this.#leftNow < AT_ONCE || this.#stop.aborted) {
      const first = this.#waiting.next();
      if (first === undefined) return;
      this.#leftNow += 1;
      this.#leave(first);
    }
  }
}
