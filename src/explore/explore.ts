import { onAbort } from '../abort.ts';
import type { Exchange, Exchanged, Query } from '../exchanged.ts';
import { type Pausable, runInSlices } from '../pausable.ts';
import { type Budget, Spending } from './budget.ts';
import { Exploration, type WantedQuery } from './exploration.ts';
import type { HeardExchange } from './hear-again.ts';
import { type Arrival, Mailbox } from './mailbox.ts';
import { DENY_NOTHING, type Policy } from './policy.ts';
import type { Recording, Scope, Unasked, WhyUnasked } from './recording.ts';
import type { ShownNames } from './server-names.ts';

/** Is told what happens while an exploration runs. */
export interface Observer {
  /** Is called for each exchange that ends. */
  heard(heard: HeardExchange): void;
}

/** How an exploration ended: with everything asked, cut off by a limit, or cancelled by its caller. */
export type ExplorationEnding = 'whole' | 'query-limit' | 'time-limit' | 'cancelled';

/** What an exploration brings. */
export interface Explored {
  readonly recording: Recording;
  readonly ending: ExplorationEnding;
}

/**
 * What a query limit cuts off is chosen breadth first and is the same in every run, whoever answers
 * first: svc-model(7), LIMITS. So questions count in rounds: all that are known when a round begins, and
 * the next round begins only when all of these have ended. Waiting for the slowest server of each round
 * takes time, however, and most names need few questions: a quarter of a large budget is spent on asking
 * each question the moment it is known. If that is not enough, rounds begin at the start again, over
 * what was heard already. If the whole budget is not enough either, the questions that count are the
 * first of these rounds, up to the budget less that quarter.
 */
const ALL_IN_ROUNDS = 500;

function eagerPart(maxQueries: number): number {
  return maxQueries <= ALL_IN_ROUNDS ? 0 : Math.floor(maxQueries / 4);
}

/** A question that has not ended, and the names known for the server's address. */
export interface AwaitedQuery extends Query, ShownNames {}

/** Asks every question that some path contains: the driver around `Exploration`. */
export class Explorer {
  readonly #scope: Scope;
  readonly #budget: Budget;
  readonly #policy: Policy;
  readonly #exploration: Exploration;
  /** By key: every question that is known. */
  readonly #known = new Map<string, WantedQuery>();
  /** By key, in the order heard. */
  readonly #heard = new Map<string, Exchanged>();
  #asked = 0;
  #inFlight = 0;

  constructor(scope: Scope, budget: Budget, policy: Policy = DENY_NOTHING) {
    this.#scope = scope;
    this.#budget = budget;
    this.#policy = policy;
    this.#exploration = new Exploration(scope, policy);
  }

  /** Questions on the wire or waiting for their turn. */
  get pending(): number {
    return this.#known.size - this.#heard.size;
  }

  /** The first questions that have not ended, in the order in which they became known; at most `most` of them. */
  awaited(most: number): readonly AwaitedQuery[] {
    const awaited: AwaitedQuery[] = [];
    for (const { key, address, question } of this.#known.values()) {
      if (awaited.length === most) break;
      if (this.#heard.has(key)) continue;
      awaited.push({ address, question, ...this.#exploration.serverNames.of(address) });
    }
    return awaited;
  }

  /** What is known so far. Questions still on the wire count as `pending`. */
  recording(): Recording {
    return this.#without(this.#unheard(), { kind: 'pending' });
  }

  /**
   * Asks, through `exchange`, until nothing is left to ask, the budget is used up or `signal` is aborted;
   * the recording has what was heard until then. Rejects only when `exchange` does for a reason of its own,
   * which is a bug.
   */
  async run(exchange: Exchange, signal: AbortSignal, observer: Observer): Promise<Explored> {
    // Not `AbortSignal.any`: once its signal has had a listener, Node keeps it for ever.
    const stop = new AbortController();
    let why: CutShort | undefined;
    const cut = (by: CutShort) => {
      why ??= by;
      stop.abort();
    };
    const { maxTimeMs } = this.#budget;
    const timer = setTimeout(() => cut({ kind: 'time-limit', limit: maxTimeMs }), maxTimeMs);
    const callOff = () => cut({ kind: 'cancelled' });
    const forget = onAbort(signal, callOff);
    if (signal.aborted) callOff();
    const spending = new Spending(this.#budget, cut);
    const mailbox = new Mailbox();
    try {
      const beyond = await this.#askAll({ exchange, observer, stop: stop.signal, mailbox, spending });
      return why === undefined ? this.#askedUpTo(beyond) : this.#cutShort(why);
    } catch (bug) {
      // Nobody takes the other replies any more.
      callOff();
      throw bug;
    } finally {
      clearTimeout(timer);
      forget();
    }
  }

  /** Resolves with the questions beyond the query limit. */
  async #askAll(tools: Tools): Promise<readonly WantedQuery[]> {
    const { maxQueries } = this.#budget;
    const eager = eagerPart(maxQueries);
    const left = await this.#askEagerly(eager, tools);
    return left === 'none' ? [] : this.#askInRounds(maxQueries - eager, tools);
  }

  async #askEagerly(budget: number, tools: Tools): Promise<'some' | 'none'> {
    const queue = [...this.#newlyWanted()];
    while (!tools.stop.aborted && queue.length + this.#inFlight > 0) {
      for (const wanted of queue.splice(0, budget - this.#asked)) this.#ask(wanted, tools);
      if (this.#inFlight === 0) return 'some';
      for (const arrival of await tools.mailbox.take(1)) this.#take(arrival, tools.observer);
      queue.push(...this.#newlyWanted());
    }
    await this.#takeAll(tools);
    return 'none';
  }

  /** Resolves with the questions beyond the first `budget`, or with none if the query limit is enough for all. */
  async #askInRounds(budget: number, tools: Tools): Promise<readonly WantedQuery[]> {
    const exploration = new Exploration(this.#scope, this.#policy);
    let left = budget;
    let beyond: readonly WantedQuery[] | undefined;
    let round = exploration.takeWanted();
    while (round.length > 0 && !tools.stop.aborted) {
      const now = beyond === undefined ? round.slice(0, left) : round;
      const unheard = now.filter(({ key }) => !this.#heard.has(key));
      if (beyond !== undefined && this.#asked + unheard.length > this.#budget.maxQueries) return beyond;
      for (const wanted of unheard) this.#ask(wanted, tools);
      await this.#takeAll(tools);
      await runInSlices(this.#learnAgain(now, exploration));
      round = [...round.slice(now.length), ...exploration.takeWanted()];
      left -= now.length;
      if (left === 0) beyond = round;
    }
    return [];
  }

  *#learnAgain(round: readonly WantedQuery[], exploration: Exploration): Pausable<void> {
    for (const { key } of round) {
      const exchanged = this.#heard.get(key);
      if (exchanged !== undefined) exploration.learn(exchanged);
      yield;
    }
  }

  #newlyWanted(): readonly WantedQuery[] {
    const wanted = this.#exploration.takeWanted();
    for (const one of wanted) this.#known.set(one.key, one);
    return wanted;
  }

  #ask(wanted: WantedQuery, { exchange, stop, mailbox, spending }: Tools): void {
    const calledOff = { order: this.#asked, wanted, exchanged: undefined };
    this.#asked += 1;
    this.#inFlight += 1;
    const { address, question } = wanted;
    exchange({ address, question }, stop, () => spending.send()).then(
      (exchanged) => {
        mailbox.put({ ...calledOff, exchanged });
        spending.hear(exchanged.traffic.bytesReceived);
      },
      (reason) => (stop.aborted ? mailbox.put(calledOff) : mailbox.fail(reason)),
    );
  }

  /** Waits for all that is on the wire, which ends at once when `stop` is aborted. */
  async #takeAll({ mailbox, observer }: Tools): Promise<void> {
    for (const arrival of await mailbox.take(this.#inFlight)) this.#take(arrival, observer);
    this.#newlyWanted();
  }

  #take({ wanted, exchanged }: Arrival, observer: Observer): void {
    this.#inFlight -= 1;
    if (exchanged === undefined) return;
    this.#heard.set(wanted.key, exchanged);
    this.#exploration.learn(exchanged);
    const names = this.#exploration.serverNames.of(exchanged.address);
    observer.heard({ position: this.#heard.size, exchanged, zone: wanted.zone, ...names });
  }

  #askedUpTo(beyond: readonly WantedQuery[]): Explored {
    const recording = this.#without(beyond, { kind: 'query-limit', limit: this.#budget.maxQueries });
    return { recording, ending: beyond.length === 0 ? 'whole' : 'query-limit' };
  }

  #cutShort(by: CutShort): Explored {
    const unheard = this.#unheard();
    const time = { kind: 'time-limit', limit: this.#budget.maxTimeMs } as const;
    const recording = this.#without(unheard, by.kind === 'cancelled' ? time : by);
    return { recording, ending: unheard.length === 0 ? 'whole' : by.kind };
  }

  #unheard(): readonly WantedQuery[] {
    return [...this.#known.values()].filter(({ key }) => !this.#heard.has(key));
  }

  #without(questions: readonly WantedQuery[], why: WhyUnasked): Recording {
    const unasked = new Map(questions.map((query): [string, Unasked] => [query.key, { query, why }]));
    for (const [key, query] of this.#exploration.denied)
      if (!this.#heard.has(key)) unasked.set(key, { query, why: { kind: 'blocked' } });
    return { scope: this.#scope, exchanges: new Map(this.#heard), unasked };
  }
}

/** What one run asks with, and who hears of it. */
interface Tools {
  readonly exchange: Exchange;
  readonly stop: AbortSignal;
  readonly observer: Observer;
  readonly mailbox: Mailbox;
  readonly spending: Spending;
}

/** What cut an exploration short, other than the number of questions. */
type CutShort =
  | Extract<WhyUnasked, { readonly kind: 'query-limit' | 'time-limit' }>
  | { readonly kind: 'cancelled' };
