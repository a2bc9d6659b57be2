import type { Exchange, Exchanged } from '../exchange/exchanged.ts';
import { Exploration, type Wanted } from './exploration.ts';
import type { Plan, Recording, Unasked } from './recording.ts';

/** What bounds one exploration. */
export interface Budget {
  /** Distinct questions asked. */
  readonly maxQueries: number;
  /** Milliseconds. */
  readonly maxTimeMs: number;
}

/** What somebody who watches an exploration is told. */
export interface Observer {
  /** An exchange ended; `wanted` says for which zone it was asked first. */
  heard(exchanged: Exchanged, wanted: Wanted): void;
}

/** How an exploration ended: everything asked, cut off by a limit, or cancelled by its caller. */
export type Ending = 'whole' | 'query-limit' | 'time-limit' | 'cancelled';

/** What an exploration brought. */
export interface Explored {
  readonly recording: Recording;
  readonly ending: Ending;
}

/**
 * The last part of the query budget is spent in rounds: all questions known at a round's start, and
 * the next round only when all of them ended. So what a query limit cuts off is chosen breadth first,
 * and a budget of this or less is spent on the same questions in every run (MODEL 5). Of a larger one
 * the first part goes out the moment each question is known: that is what makes a traversal fast, and
 * it makes what is left for the rounds depend on who answered first.
 */
const ROUNDS_BUDGET = 500;

/** Asks, through `exchange`, every question that some path contains. One driver around `Exploration`. */
export class Explorer {
  readonly #plan: Plan;
  readonly #budget: Budget;
  readonly #exploration: Exploration;
  readonly #asked: Wanted[] = [];
  /** In the order they were heard. */
  readonly #heard = new Map<string, Exchanged>();
  readonly #unasked = new Map<string, Unasked>();
  #queue: Wanted[] = [];
  #inFlight = 0;

  constructor(plan: Plan, budget: Budget) {
    this.#plan = plan;
    this.#budget = budget;
    this.#exploration = new Exploration(plan);
  }

  /** Questions on the wire or waiting for their turn. */
  get pending(): number {
    return this.#inFlight + this.#queue.length;
  }

  /** What is known so far; questions still on the wire count as `pending`. */
  recording(): Recording {
    const unasked = new Map(this.#unasked);
    for (const query of [...this.#asked, ...this.#queue]) {
      const { key } = query;
      if (!this.#heard.has(key) && !unasked.has(key)) unasked.set(key, { query, why: { kind: 'pending' } });
    }
    return { plan: this.#plan, exchanges: new Map(this.#heard), unasked };
  }

  /**
   * Runs to the end, which is also reached when the time is up or `signal` is aborted: what was heard
   * until then is the recording. Rejects only when `exchange` does for a reason of its own (a bug).
   */
  async run(exchange: Exchange, signal: AbortSignal, observer: Observer): Promise<Explored> {
    // Not `AbortSignal.any`: Node keeps what that makes for ever once somebody has listened to it.
    const stop = new AbortController();
    const callOff = () => stop.abort();
    const timer = setTimeout(callOff, this.#budget.maxTimeMs);
    signal.addEventListener('abort', callOff);
    if (signal.aborted) callOff();
    try {
      await this.#askAll(exchange, stop.signal, observer);
    } catch (bug) {
      // Nobody takes the other replies any more: call them off.
      callOff();
      throw bug;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', callOff);
    }
    const left = this.#writeOff(stop.signal);
    const cancelled = signal.aborted && left === 'time-limit';
    return { recording: this.recording(), ending: cancelled ? 'cancelled' : left };
  }

  async #askAll(exchange: Exchange, stop: AbortSignal, observer: Observer): Promise<void> {
    const mailbox = new Mailbox();
    while (!stop.aborted) {
      for (const wanted of this.#next()) this.#ask(wanted, exchange, stop, mailbox);
      if (this.#inFlight === 0) return;
      for (const asked of await mailbox.take(this.#inRounds() ? this.#inFlight : 1))
        this.#take(asked, observer);
    }
    // Every exchange ends at once when `stop` is aborted: nothing is left on the wire behind us.
    while (this.#inFlight > 0) for (const asked of await mailbox.take(1)) this.#take(asked, observer);
  }

  #inRounds(): boolean {
    return this.#asked.length >= this.#budget.maxQueries - ROUNDS_BUDGET;
  }

  /** The questions to put on the wire now. */
  #next(): readonly Wanted[] {
    this.#queue.push(...this.#exploration.takeWanted());
    if (this.#inRounds() && this.#inFlight > 0) return [];
    const { maxQueries } = this.#budget;
    const allowed = this.#inRounds() ? maxQueries : maxQueries - ROUNDS_BUDGET;
    return this.#queue.splice(0, allowed - this.#asked.length);
  }

  #ask(wanted: Wanted, exchange: Exchange, stop: AbortSignal, mailbox: Mailbox): void {
    const asked = { order: this.#asked.length, wanted, exchanged: undefined };
    this.#asked.push(wanted);
    this.#inFlight += 1;
    exchange({ address: wanted.address, question: wanted.question }, stop).then(
      (exchanged) => mailbox.put({ ...asked, exchanged }),
      (reason) => (stop.aborted ? mailbox.put(asked) : mailbox.fail(reason)),
    );
  }

  #take(asked: Asked, observer: Observer): void {
    this.#inFlight -= 1;
    const { exchanged, wanted } = asked;
    if (exchanged === undefined) return;
    this.#heard.set(wanted.key, exchanged);
    this.#exploration.learn(exchanged);
    observer.heard(exchanged, wanted);
  }

  /** Notes why the rest was not asked. */
  #writeOff(stop: AbortSignal): Exclude<Ending, 'cancelled'> {
    const unheard = this.#asked.filter(({ key }) => !this.#heard.has(key));
    this.#queue.push(...this.#exploration.takeWanted());
    const timeUp = { kind: 'time-limit', limit: this.#budget.maxTimeMs } as const;
    const spent = { kind: 'query-limit', limit: this.#budget.maxQueries } as const;
    for (const query of unheard) this.#unasked.set(query.key, { query, why: timeUp });
    const why = stop.aborted ? timeUp : spent;
    for (const query of this.#queue) this.#unasked.set(query.key, { query, why });
    if (this.#unasked.size === 0) return 'whole';
    return stop.aborted ? 'time-limit' : 'query-limit';
  }
}

interface Asked {
  readonly order: number;
  readonly wanted: Wanted;
  readonly exchanged: Exchanged | undefined;
}

/** Where ended exchanges wait until the driver takes them, in the order they were asked. */
class Mailbox {
  #arrived: Asked[] = [];
  #wake: (() => void) | undefined;
  #failure: { readonly reason: unknown } | undefined;

  put(asked: Asked): void {
    this.#arrived.push(asked);
    this.#wake?.();
  }

  fail(reason: unknown): void {
    this.#failure = { reason };
    this.#wake?.();
  }

  /** Waits until at least `count` are there. */
  async take(count: number): Promise<readonly Asked[]> {
    while (this.#arrived.length < count && this.#failure === undefined) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    if (this.#failure !== undefined) throw this.#failure.reason;
    const taken = this.#arrived.sort((a, b) => a.order - b.order);
    this.#arrived = [];
    return taken;
  }
}
