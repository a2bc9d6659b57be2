import type { Urgency } from '../exchanged.ts';
import { getOrMake } from '../get-or-make.ts';
import { UrgencyLine } from '../urgency-line.ts';
import type { Allowance } from './allowance.ts';

/** One address: who waits for it, and what is on its way to it. */
export interface Lane {
  readonly address: string;
  readonly district: District;
  readonly allowance: Allowance;
  readonly waiting: WaitingLine<AbortSignal>;
  inFlight: number;
  /** Traversals whose share in flight has room, which this lane may use; if it does not, another may. */
  readonly takenUpFor: Set<AbortSignal>;
  /** Set while only the rate of this address keeps the first from going. */
  cancelTimer: (() => void) | undefined;
}

/** The addresses of one prefix. */
export interface District {
  readonly prefix: string;
  readonly allowance: Allowance;
  /** How many lanes it has. */
  lanes: number;
  /** Lanes that wait because of the rate of the prefix, in order of their turns. */
  readonly parked: Set<Lane>;
  /** Set while there are parked lanes and a time at which the first may go. */
  cancelTimer: (() => void) | undefined;
}

/** Lets one of those who wait go ahead. */
export type Go = () => void;

/**
 * Those who wait for one thing, each on behalf of somebody, such as a job. These take turns, and for each
 * of them urgency counts, then order of arrival, so one with thousands delays the others by no more than
 * one at a time.
 */
export class WaitingLine<W> {
  readonly #lines = new Map<W, UrgencyLine<Go>>();

  get empty(): boolean {
    return this.#lines.size === 0;
  }

  join(whose: W, urgency: Urgency, go: Go): void {
    getOrMake(this.#lines, whose, () => new UrgencyLine<Go>()).join(go, urgency);
  }

  /** Gives one of those who wait another urgency. Whose turn it is does not change by that. */
  move(whose: W, urgency: Urgency, go: Go): void {
    this.#lines.get(whose)?.move(go, urgency);
  }

  leave(whose: W, go: Go): void {
    const line = this.#lines.get(whose);
    line?.leave(go);
    if (line?.empty) this.#lines.delete(whose);
  }

  /** Removes and returns the next of those who may go; undefined if none of them waits. */
  next(may: (whose: W) => boolean): Go | undefined {
    for (const [whose, line] of this.#lines) {
      if (!may(whose)) continue;
      const go = line.next();
      // A map keeps insertion order: whoever has more goes to the end.
      this.#lines.delete(whose);
      if (!line.empty) this.#lines.set(whose, line);
      return go;
    }
    return undefined;
  }
}
