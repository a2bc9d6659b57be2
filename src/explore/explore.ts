import { onAbort } from '../abort.ts';
import type { Exchange, Exchanged } from '../exchanged.ts';
import { Exploration, type WantedQuery } from './exploration.ts';
import type { HeardExchange } from './hear-again.ts';
import { type Arrival, Mailbox } from './mailbox.ts';
import type { Recording, Scope, Unasked, WhyUnasked } from './recording.ts';

/** What bounds one exploration. */
export interface Budget {
  /** Distinct questions asked. */
  readonly maxQueries: number;
  /** Milliseconds. */
  readonly maxTimeMs: number;
}

/** What somebody who watches an exploration is told. */
export interface Observer {
  /** An exchange ended. */
  heard(heard: HeardExchange): void;
}

/** How an exploration ended: everything asked, cut off by a limit, or cancelled by its caller. */
export type ExplorationEnding = 'whole' | 'query-limit' | 'time-limit' | 'cancelled';

/** What an exploration brought. */
export interface Explored {
  readonly recording: Recording;
  readonly ending: ExplorationEnding;
}

/**
 * What a query limit cuts off is chosen breadth first and is the same in every run (MODEL 5), whoever
 * answers first. So questions count in rounds: all that are known at a round's start, and the next
 * round only when all of them ended. But waiting for a round's slowest server is slow, and most names
 * need few questions: a quarter of a large budget goes out the moment each question is known. If that
 * is not enough, rounds begin again from the start, over what was heard already. If the whole budget is
 * not enough either, as many questions count as are left of it without that quarter.
 */
const ALL_IN_ROUNDS = 500;

function eagerPart(maxQueries: number): number {
  return maxQueries <= ALL_IN_ROUNDS ? 0 : Math.floor(maxQueries / 4);
}

/** Asks, through `exchange`, every question that some path contains. One driver around `Exploration`. */
export class Explorer {
  readonly #scope: Scope;
  readonly #budget: Budget;
  readonly #exploration: Exploration;
  /** By key: every question that is known. */
  readonly #known = new Map<string, WantedQuery>();
  /** In the order they were heard. */
  readonly #heard = new Map<string, Exchanged>();
  #asked = 0;
  #inFlight = 0;

  constructor(scope: Scope, budget: Budget) {
    this.#scope = scope;
    this.#budget = budget;
    this.#exploration = new Exploration(scope);
  }

  /** Questions on the wire or waiting for their turn. */
  get pending(): number {
    return this.#known.size - this.#heard.size;
  }

  /** What is known so far; questions still on the wire count as `pending`. */
  recording(): Recording {
    return this.#without(this.#unheard(), { kind: 'pending' });
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
    const forget = onAbort(signal, callOff);
    if (signal.aborted) callOff();
    try {
      const beyond = await this.#askAll({ exchange, observer, stop: stop.signal, mailbox: new Mailbox() });
      return this.#explored(beyond, stop.signal, signal);
    } catch (bug) {
      // Nobody takes the other replies any more: call them off.
      callOff();
      throw bug;
    } finally {
      clearTimeout(timer);
      forget();
    }
  }

  /** Resolves with the questions beyond the query limit. */
  async #askAll(wire: Wire): Promise<readonly WantedQuery[]> {
    const { maxQueries } = this.#budget;
    const eager = eagerPart(maxQueries);
    const left = await this.#askEagerly(eager, wire);
    return left === 'none' ? [] : this.#askInRounds(maxQueries - eager, wire);
  }

  async #askEagerly(budget: number, wire: Wire): Promise<'some' | 'none'> {
    const queue = [...this.#newlyWanted()];
    while (!wire.stop.aborted && queue.length + this.#inFlight > 0) {
      for (const wanted of queue.splice(0, budget - this.#asked)) this.#ask(wanted, wire);
      if (this.#inFlight === 0) return 'some';
      for (const asked of await wire.mailbox.take(1)) this.#take(asked, wire.observer);
      queue.push(...this.#newlyWanted());
    }
    await this.#takeAll(wire);
    return 'none';
  }

  /** Lets the first `budget` questions count, or all of them if the whole budget is enough for that. */
  async #askInRounds(budget: number, wire: Wire): Promise<readonly WantedQuery[]> {
    const exploration = new Exploration(this.#scope);
    let left = budget;
    let beyond: readonly WantedQuery[] | undefined;
    let round = exploration.takeWanted();
    while (round.length > 0 && !wire.stop.aborted) {
      const now = beyond === undefined ? round.slice(0, left) : round;
      const unheard = now.filter(({ key }) => !this.#heard.has(key));
      if (beyond !== undefined && this.#asked + unheard.length > this.#budget.maxQueries) return beyond;
      for (const wanted of unheard) this.#ask(wanted, wire);
      await this.#takeAll(wire);
      for (const { key } of now) this.#learnAgain(key, exploration);
      round = [...round.slice(now.length), ...exploration.takeWanted()];
      left -= now.length;
      if (left === 0) beyond = round;
    }
    return [];
  }

  #learnAgain(key: string, exploration: Exploration): void {
    const exchanged = this.#heard.get(key);
    if (exchanged !== undefined) exploration.learn(exchanged);
  }

  #newlyWanted(): readonly WantedQuery[] {
    const wanted = this.#exploration.takeWanted();
    for (const one of wanted) this.#known.set(one.key, one);
    return wanted;
  }

  #ask(wanted: WantedQuery, { exchange, stop, mailbox }: Wire): void {
    const asked = { order: this.#asked, wanted, exchanged: undefined };
    this.#asked += 1;
    this.#inFlight += 1;
    exchange({ address: wanted.address, question: wanted.question }, stop).then(
      (exchanged) => mailbox.put({ ...asked, exchanged }),
      (reason) => (stop.aborted ? mailbox.put(asked) : mailbox.fail(reason)),
    );
  }

  /** Waits for all that is on the wire; it ends at once when `stop` is aborted. */
  async #takeAll({ mailbox, observer }: Wire): Promise<void> {
    for (const asked of await mailbox.take(this.#inFlight)) this.#take(asked, observer);
    this.#newlyWanted();
  }

  #take({ wanted, exchanged }: Arrival, observer: Observer): void {
    this.#inFlight -= 1;
    if (exchanged === undefined) return;
    this.#heard.set(wanted.key, exchanged);
    this.#exploration.learn(exchanged);
    const names = this.#exploration.serverNames.of(exchanged.address);
    observer.heard({ position: this.#heard.size, exchanged, zone: wanted.zone, names });
  }

  #explored(beyond: readonly WantedQuery[], stop: AbortSignal, cancel: AbortSignal): Explored {
    const { maxTimeMs, maxQueries } = this.#budget;
    if (stop.aborted) {
      const unheard = this.#unheard();
      const recording = this.#without(unheard, { kind: 'time-limit', limit: maxTimeMs });
      if (unheard.length === 0) return { recording, ending: 'whole' };
      return { recording, ending: cancel.aborted ? 'cancelled' : 'time-limit' };
    }
    const recording = this.#without(beyond, { kind: 'query-limit', limit: maxQueries });
    return { recording, ending: beyond.length === 0 ? 'whole' : 'query-limit' };
  }

  #unheard(): readonly WantedQuery[] {
    return [...this.#known.values()].filter(({ key }) => !this.#heard.has(key));
  }

  #without(questions: readonly WantedQuery[], why: WhyUnasked): Recording {
    const unasked = new Map(questions.map((query): [string, Unasked] => [query.key, { query, why }]));
    return { scope: this.#scope, exchanges: new Map(this.#heard), unasked };
  }
}

/** What one run asks with, and who hears of it. */
interface Wire {
  readonly exchange: Exchange;
  readonly stop: AbortSignal;
  readonly observer: Observer;
  readonly mailbox: Mailbox;
}
