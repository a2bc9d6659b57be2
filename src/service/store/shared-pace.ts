/* Shares the rates of queries among all instances. */

import { type Clock, systemClock } from '../../base/clock.ts';
import { type Allowance, type Allowances, type Rates, UNLIMITED } from '../../exchange/allowance.ts';
import { BookedPlace, type PaceView } from './booked-place.ts';
import {
  bookTurns,
  COUNTED_MS,
  forgetTurns,
  joinSenders,
  leaveSenders,
  MOST_WINDOW_MS,
  SETTLE_MS,
} from './booked-turns.ts';
import type { Database } from './database.ts';
import { Loop } from './repeating.ts';

/** What the pace needs from outside. */
interface PaceSurroundings {
  readonly database: Pick<Database, 'query' | 'instance' | 'state' | 'onState'>;
  /** Is told why the store was asked in vain: through a bug, or because it is away. */
  readonly failed: (error: unknown) => void;
  readonly clock?: Clock;
}

/** How long to collect places to ask for. */
const COLLECT_MS = 4;

/** The most places to ask for at once: others wait for their rows meanwhile. */
const MOST_AT_ONCE = 200;

/** How often an instance says that it is there. */
const JOIN_MS = 2_000;

/** How often it does so until it deletes again what no longer counts. */
const JOINS_TO_FORGET = 15;

/** What an instance knows of the others ends before it no longer counts, by the time of its last packet and more. */
const BELIEVED_MS = COUNTED_MS - 10_000;

/** For how long the number of instances is worth telling. */
const TOLD_MS = 3 * JOIN_MS;

/**
 * Shares rates among all instances of a service. One query a second to an address, and a little of wider rates, an instance
 * may send without asking; all other turns it books, for many places at once. Whatever joins, leaves, dies or is cut off, all
 * together never send more than the rates: the store sets aside what an instance may send without asking for as long as it
 * may do so. Instances that are cut off send one query a second each to an address, all of them at most half of its rate.
 */
export class SharedPace {
  readonly #database: PaceSurroundings['database'];
  readonly #failed: (error: unknown) => void;
  readonly #clock: Clock;
  readonly #storeClock = new StoreClock();
  /** Says that this instance is there. */
  readonly #joining: Loop;
  /** Places that lack turns and have not been asked for. */
  readonly #lacking = new Map<string, BookedPlace>();
  #known = { counted: 0, present: 0, at: Number.NEGATIVE_INFINITY };
  #joined = 0;
  #isAsking = false;
  /** For how long a turn may be used: a reply that takes longer is of no use. */
  #windowMs = FIRST_WINDOW_MS;

  constructor({ database, failed, clock = systemClock }: PaceSurroundings) {
    this.#database = database;
    this.#failed = failed;
    this.#clock = clock;
    this.#joining = new Loop(() => this.#join(), { everyMs: () => JOIN_MS, clock, failed });
    this.#joining.wake();
    database.onState((state) => {
      if (state.kind === 'ok') this.#joining.wake();
    });
  }

  /** How many instances there are, as far as this one knows; 0: the store has not said so lately. */
  get instances(): number {
    const { present, at } = this.#known;
    return this.#database.state.kind === 'ok' && this.#clock.now() - at < TOLD_MS ? present : 0;
  }

  /** What this instance may send, at rates that hold for all instances together. */
  readonly allowancesOf = ({ ratePerAddress, ratePerPrefix = 0, rateTotal = 0 }: Rates): Allowances => ({
    forAddress: (address, more) =>
      this.#placeAt(`address:${address}`, ratePerAddress, { extent: 'address', more }),
    forPrefix: (prefix, more) => this.#placeAt(`prefix:${prefix}`, ratePerPrefix, { extent: 'wider', more }),
    forAll: (more) => this.#placeAt('total', rateTotal, { extent: 'wider', more }),
  });

  /** Asks the store no more, and says so. Nothing may be sent from then on. */
  async stop(): Promise<void> {
    await this.#joining.stop();
    await leaveSenders(this.#database, this.#database.instance).catch(this.#failed);
  }

  async #join(): Promise<void> {
    const sentAt = this.#clock.now();
    const { settled, counted, present, at } = await joinSenders(this.#database, this.#database.instance);
    this.#storeClock.read(at, sentAt, this.#clock.now());
    this.#known = { counted: settled ? counted : 0, present, at: sentAt };
    this.#joined += 1;
    if (this.#joined % JOINS_TO_FORGET === 0) await forgetTurns(this.#database);
  }

  #placeAt(name: string, rate: number, about: Pick<PaceView, 'extent' | 'more'>): Allowance {
    if (rate === 0) return UNLIMITED;
    return new BookedPlace(name, rate, {
      ...about,
      now: () => this.#clock.now(),
      senders: (now) => this.#senders(now),
      lacks: (place) => {
        this.#lacking.set(place.place, place);
        this.#askSoon();
      },
    });
  }

  #senders(now: number): number {
    const { counted, at } = this.#known;
    return !this.#joining.stopped && now - at < BELIEVED_MS ? counted : 0;
  }

  /** Places that come to lack turns while the store is being asked are asked for together, once it has replied. */
  #askSoon(): void {
    if (this.#joining.stopped || this.#isAsking || this.#lacking.size === 0) return;
    this.#isAsking = true;
    this.#clock.after(COLLECT_MS, () =>
      this.#ask().finally(() => {
        this.#isAsking = false;
        this.#askSoon();
      }),
    );
  }

  async #ask(): Promise<void> {
    if (this.#joining.stopped) return;
    const places = new Map([...this.#lacking].slice(0, MOST_AT_ONCE));
    for (const place of places.keys()) this.#lacking.delete(place);
    await this.#book(places).catch(this.#failed);
    // Not earlier: a query may need turns at several of them.
    for (const place of places.values()) place.answered(this.#clock.now());
  }

  async #book(places: ReadonlyMap<string, BookedPlace>): Promise<void> {
    const [sentAt, windowMs] = [this.#clock.now(), this.#windowMs];
    const wishes = [...places.values()].map((place) => place.wish());
    const bookings = await bookTurns(this.#database, wishes, windowMs);
    const now = this.#clock.now();
    this.#windowMs = Math.min(Math.max(4 * (now - sentAt), LEAST_WINDOW_MS), MOST_WINDOW_MS);
    for (const { place, starts, at } of bookings) {
      if (!this.#storeClock.read(at, sentAt, now)) continue;
      // The store read its clock after it was asked and before it replied.
      const turns = starts.map((start) => ({ from: now + start, until: sentAt + start + windowMs }));
      places.get(place)?.booked(turns);
    }
  }
}

const LEAST_WINDOW_MS = 50;
const FIRST_WINDOW_MS = 200;

/** Clocks that run at different speeds drift that far apart between two readings. */
const DRIFT_MS = 100;

/**
 * How far the store's clock is ahead of this instance's. When it is set, or when another server takes the store's place, turns
 * that were booked before may be booked again: none is taken until they no longer count.
 */
class StoreClock {
  #ahead = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };
  #steadyFrom = Number.NEGATIVE_INFINITY;

  /** Notes what the store's clock showed at some moment between two; returns whether it has been steady for long enough. */
  read(at: number, from: number, to: number): boolean {
    const [least, most] = [at - to, at - from];
    const isSteady = least <= this.#ahead.most + DRIFT_MS && most >= this.#ahead.least - DRIFT_MS;
    if (!isSteady) this.#steadyFrom = to + SETTLE_MS;
    this.#ahead = { least, most };
    return to >= this.#steadyFrom;
  }
}
