/* What one instance may send to one place: a little without asking, and the turns that it has booked in the store. */

import { type Allowance, slidingSecond } from '../../exchange/allowance.ts';
import type { Wish } from './booked-turns.ts';

/** What a place is told. */
export interface PaceView {
  readonly extent: Extent;
  readonly now: () => number;
  /** How many instances count; 0: this one may send nothing that it has not booked. */
  readonly senders: (now: number) => number;
  /** The place lacks turns: some are to be booked. */
  readonly lacks: (place: BookedPlace) => void;
  /** Has whoever waits look again. */
  readonly more: () => void;
}

/** A turn that is booked for this instance, by its own clock. */
interface Turn {
  readonly from: number;
  /** From then on it may not be taken. */
  readonly until: number;
}

/** How much of the internet a rate is about: one address, or a prefix or all of it. */
type Extent = 'address' | 'wider';

/** When to ask again a store that gave nothing. */
const ASK_AGAIN_MS = 200;

/** What this instance may send to one place: a little without asking, and what it has booked. */
export class BookedPlace implements Allowance {
  readonly place: string;
  readonly #share: Share;
  readonly #pace: PaceView;
  readonly #unbooked: Allowance;
  /** Earliest first. */
  #turns: readonly Turn[] = [];
  /** Packets that the first of them has already let go. */
  #used = 0;
  /** How many turns to ask for: more and more while all are used. */
  #wanted = 1;
  /** When the store may be asked for turns; infinite while its reply is awaited. */
  #askFrom = Number.NEGATIVE_INFINITY;

  constructor(place: string, rate: number, pace: PaceView) {
    this.place = place;
    this.#share = shareOf(rate, pace.extent);
    this.#unbooked = slidingSecond(this.#share.unbooked);
    this.#pace = pace;
  }

  wait(now: number): number {
    this.#forget(now);
    const [turn] = this.#turns;
    if (turn !== undefined && turn.from <= now) return 0;
    const unbooked = this.#maySendUnbooked(now) ? this.#unbooked.wait(now) : Number.POSITIVE_INFINITY;
    if (unbooked === 0) return 0;
    return Math.min(unbooked, turn === undefined ? this.#untilMore(now) : turn.from - now);
  }

  /** Takes a turn that is booked before one that is not: it ends soon. */
  take(): number {
    const now = this.#pace.now();
    const [turn] = this.#turns;
    if (turn === undefined || turn.from > now) return this.#unbooked.take();
    this.#used += 1;
    if (this.#used === this.#share.packets) this.#next();
    return BOOKED;
  }

  left(slot: number, now: number): void {
    if (slot !== BOOKED) this.#unbooked.left(slot, now);
  }

  /** Says what to ask the store for; the reply is awaited from now on. */
  wish(): Wish {
    this.#askFrom = Number.POSITIVE_INFINITY;
    const { turns, aside } = this.#share;
    return { place: this.place, turns, aside, wanted: this.#wanted };
  }

  /** The store has booked turns. */
  booked(turns: readonly Turn[]): void {
    this.#turns = [...this.#turns, ...turns];
    this.#wanted = Math.min(this.#wanted * 2, Math.max(1, Math.floor(this.#share.turns / 4)));
    this.#askFrom = Number.NEGATIVE_INFINITY;
  }

  /** The request is over. Without a booking the store had no turn soon, or did not answer. */
  answered(now: number): void {
    if (this.#askFrom === Number.POSITIVE_INFINITY) this.#askFrom = now + ASK_AGAIN_MS;
    else this.#pace.more();
  }

  #maySendUnbooked(now: number): boolean {
    const { turns, aside } = this.#share;
    const senders = this.#pace.senders(now);
    return senders >= 1 && senders <= Math.floor(turns / (2 * aside));
  }

  #forget(now: number): void {
    while ((this.#turns[0]?.until ?? Number.POSITIVE_INFINITY) <= now) {
      this.#wanted = 1;
      this.#next();
    }
  }

  #next(): void {
    this.#turns = this.#turns.slice(1);
    this.#used = 0;
  }

  /** Asks for more, and says when to ask again. */
  #untilMore(now: number): number {
    if (this.#askFrom > now) return Math.min(this.#askFrom - now, ASK_AGAIN_MS);
    this.#pace.lacks(this);
    return ASK_AGAIN_MS;
  }
}

/** The packets of a booking have no slots: it ends by its time. */
const BOOKED = -1;

/** How a rate is divided. */
interface Share {
  /** Turns in a second. */
  readonly turns: number;
  /** Packets that a turn lets go. */
  readonly packets: number;
  /** Turns that are set aside for each instance, as long as these are half of all at most. */
  readonly aside: number;
  /** Packets in a second that these let an instance send without a booking. */
  readonly unbooked: number;
}

/** A high rate has turns of many packets, so that a booking is short. */
const LEAST_TURNS = 50;

/**
 * Divides a rate. Without a booking an instance sends one query a second to an address, which nobody minds, and the twentieth
 * part of wider rates: most queries need no more. It may do so when it is cut off, too.
 */
function shareOf(rate: number, extent: Extent): Share {
  const packets = Math.max(1, Math.floor(rate / LEAST_TURNS));
  const turns = Math.floor(rate / packets);
  switch (extent) {
    case 'address':
      return { turns, packets, aside: 1, unbooked: 1 };
    case 'wider': {
      const aside = Math.max(1, Math.floor(turns / 20));
      return { turns, packets, aside, unbooked: aside * packets };
    }
  }
}
