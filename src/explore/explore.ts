import type { Exchange, Exchanged } from '../exchange/exchanged.ts';
import type { Query, QueryRank } from '../exchange/query.ts';
import type { Name } from '../wire/name.ts';
import { Asking } from './asking/asking.ts';
import { Besides, leftOutTogether } from './besides.ts';
import { type Budget, type CutShort, Leash } from './budget.ts';
import { Exploration } from './exploration.ts';
import { Front } from './front.ts';
import type { HeardExchange } from './hear-again.ts';
import { DENY_NOTHING, type Policy } from './policy/policy.ts';
import type { WantedQuery } from './questions.ts';
import { ranksBesides } from './ranks.ts';
import type { Recording, Scope, Unasked, WhyUnasked } from './recording.ts';
import { askInRounds, type Counted, type Left } from './rounds.ts';
import { allNames, type ServerNames, type ShownNames } from './server-names.ts';

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
  /** What of the budget is left. */
  readonly budget: Budget;
}

/** What was heard, and how that ended. */
type Heard = Omit<Explored, 'budget'>;

/** A question that has not ended, and the names known for the server's address. */
interface AwaitedQuery extends Query, ShownNames {
  /** Of the step that asked first. */
  readonly zone: Name;
}

/**
 * Asks every question that some path contains: the driver around `Exploration`. Each goes out as soon as it
 * is known, what the longest chain waits for first, until as many have as the budget allows.
 *
 * What a query limit cuts off is chosen breadth first and is the same in every run, whoever answers
 * first: svc-model(7), LIMITS. So if the budget is not enough, questions count in rounds, from the start
 * again over what was heard: all that are known when a round begins, and the next round begins only when
 * all of these have ended. What was asked and does not count was in vain; it is no more than the budget
 * again. Where exploring takes more work than there may be, what the work is spent on depends on who
 * answers first, so rounds say what counts there, too.
 */
export class Explorer {
  readonly #scope: Scope;
  readonly #budget: Budget;
  readonly #policy: Policy;
  readonly #cold: Front;
  /** What is asked besides, in the order in which it counts. */
  readonly #besides: readonly Besides[];
  /** By key, in the order heard. */
  readonly #heard = new Map<string, Exchanged>();
  /** By key: what the policy came to forbid after it had become known. */
  readonly #denied = new Map<string, WantedQuery>();
  /** Keys of the questions of the cold walk that were put on the wire. */
  readonly #asked = new Set<string>();

  constructor(scope: Scope, budget: Budget, policy: Policy = DENY_NOTHING) {
    this.#scope = scope;
    this.#budget = budget;
    this.#policy = policy;
    this.#cold = new Front(scope, policy, 'cold');
    this.#besides = ranksBesides(scope).map((rank) => new Besides(rank, scope, policy));
  }

  /** Questions on the wire or waiting for their turn. */
  get pending(): number {
    let pending = 0;
    for (const _ of this.#eachUnheard()) pending += 1;
    return pending;
  }

  /** The first questions that have not ended, in the order in which they became known; at most `most` of them. */
  awaited(most: number): readonly AwaitedQuery[] {
    const first: AwaitedQuery[] = [];
    for (const { address, question, zone } of this.#eachUnheard()) {
      if (first.length === most) break;
      first.push({ address, question, zone, ...this.#namesOf(address) });
    }
    return first;
  }

  /** Whether the policy in force allows this query, by all that is known of the server. */
  readonly mayAsk = (query: Query): boolean => this.#widest.every((one) => one.mayAsk(query));

  /** The names of the servers that are known so far. */
  get serverNames(): ServerNames {
    return allNames(this.#widest.map(({ serverNames }) => serverNames));
  }

  /** What is known so far. Questions still on the wire count as `pending`. */
  recording(): Recording {
    return this.#without([this.#unheard(), { kind: 'pending' }]);
  }

  /**
   * Asks, through `exchange`, until nothing is left to ask, the budget is used up or `signal` is aborted;
   * the recording has what was heard until then. Rejects only when `exchange` does for a reason of its own,
   * which is a bug.
   */
  async run(exchange: Exchange, signal: AbortSignal, observer?: Observer): Promise<Explored> {
    const leash = new Leash(this.#budget, signal);
    const learn = (wanted: WantedQuery, exchanged: Exchanged, position: number) => {
      this.#cold.learn(exchanged);
      for (const one of this.#besides) one.learn(exchanged);
      if (observer === undefined) return;
      const rank = this.#rankOf(wanted.key);
      const names = this.#namesOf(exchanged.address);
      observer.heard({ position, exchanged, zone: wanted.zone, ...names, rank });
    };
    const asking = new Asking(
      { exchange, leash, learn, mayAsk: this.mayAsk },
      { heard: this.#heard, denied: this.#denied },
    );
    try {
      const left = await this.#askAll(asking, leash.stop);
      const heard = leash.why === undefined ? this.#askedBut(left) : this.#cutShort(leash.why);
      return { ...heard, budget: leash.left };
    } catch (bug) {
      // Nobody takes the other replies any more.
      leash.callOff();
      throw bug;
    } finally {
      leash.release();
    }
  }

  async #askAll(asking: Asking, stop: AbortSignal): Promise<Left> {
    const left = await this.#askEagerly(asking, stop);
    const cold = left === 'none' ? this.#allAsked() : await this.#askInRounds(asking, stop);
    if (this.#besides.length === 0 || stop.aborted) return cold;
    return cold.work === 'exceeded'
      ? await this.#withoutMore(cold, asking)
      : await this.#askBesides(cold, asking, stop);
  }

  async #askBesides(cold: Counted, asking: Asking, stop: AbortSignal): Promise<Left> {
    const left: Counted[] = [cold];
    const counted = new Set(cold.counted);
    for (const [i, one] of this.#besides.entries()) {
      const enough = left.every(({ beyondQueries }) => beyondQueries.length === 0);
      const room = enough ? this.#budget.maxQueries - counted.size : 0;
      const rest = await one.askRest({ counted, room }, asking, stop, () => this.#askKnown(asking, i + 1));
      if (stop.aborted) return rest;
      for (const key of rest.counted) counted.add(key);
      left.push(rest);
    }
    return leftOutTogether(left);
  }

  /** Asks what is known of what goes besides, from this place in their order on. */
  #askKnown(asking: Asking, from = 0): void {
    for (const one of this.#besides.slice(from)) one.askKnown(this.#budget.maxQueries, asking);
  }

  /**
   * What the cold walk has no work left to come to does not count where others have heard of it: the cold
   * views would not be the same without these.
   */
  async #withoutMore({ counted, beyondQueries, beyondWork }: Counted, asking: Asking): Promise<Left> {
    await asking.takeAll('all');
    const others = this.#besides.flatMap(({ known }) => [...known.values()]);
    const inVain = others.filter(({ key }) => this.#heard.has(key) && !counted.has(key));
    return { beyondQueries, beyondWork: [...beyondWork, ...inVain] };
  }

  async #askEagerly(asking: Asking, stop: AbortSignal): Promise<'some' | 'none'> {
    const { maxQueries } = this.#budget;
    const queue = [...this.#cold.takeWanted()];
    while (!stop.aborted && queue.length + asking.awaited('cold') > 0) {
      for (const wanted of queue.splice(0, maxQueries - asking.asked.size)) this.#ask(wanted, asking);
      if (asking.awaited('cold') === 0) return 'some';
      if (queue.length === 0) this.#askKnown(asking);
      await asking.takeSome();
      queue.push(...this.#cold.takeWanted());
    }
    await asking.takeAll('cold');
    return this.#cold.exploration.mayExceedWork ? 'some' : 'none';
  }

  #allAsked(): Counted {
    return { counted: this.#asked, work: 'enough', beyondQueries: [], beyondWork: [] };
  }

  async #askInRounds(asking: Asking, stop: AbortSignal): Promise<Counted> {
    return await askInRounds({
      exploration: new Exploration(this.#scope, this.#policy),
      known: this.#cold.known,
      room: this.#budget.maxQueries,
      isCounted: () => false,
      ask: async (questions) => {
        for (const wanted of questions) this.#ask(wanted, asking);
        await asking.takeAll('cold');
        this.#cold.takeWanted();
      },
      heard: this.#heard,
      stop,
    });
  }

  #ask(wanted: WantedQuery, asking: Asking): void {
    this.#asked.add(wanted.key);
    asking.ask(wanted, 'cold');
  }

  #namesOf(address: string): ShownNames {
    return this.serverNames.of(address);
  }

  /** Each of the others contains the cold walk. */
  get #widest(): readonly Exploration[] {
    const [first, ...others] = this.#besides.map(({ exploration }) => exploration);
    return first === undefined ? [this.#cold.exploration] : [first, ...others];
  }

  #rankOf(key: string): QueryRank {
    if (this.#cold.known.has(key)) return 'cold';
    const [first] = this.#besides;
    return (this.#besides.find(({ known }) => known.has(key)) ?? first)?.rank ?? 'cold';
  }

  #askedBut({ beyondQueries, beyondWork }: Left): Heard {
    const { maxQueries } = this.#budget;
    const { maxWork } = this.#scope;
    const recording = this.#without(
      [beyondQueries, { kind: 'query-limit', limit: maxQueries }],
      [beyondWork, { kind: 'work-limit', limit: maxWork }],
    );
    return { recording, ending: beyondQueries.length === 0 ? 'whole' : 'query-limit' };
  }

  #cutShort(by: CutShort): Heard {
    const unheard = this.#unheard();
    const { maxTimeMs: limit } = this.#budget;
    const why = by.kind === 'cancelled' ? ({ kind: 'time-limit', limit, reason: by.kind } as const) : by;
    const recording = this.#without([unheard, why]);
    return { recording, ending: unheard.length === 0 ? 'whole' : by.kind };
  }

  #unheard(): readonly WantedQuery[] {
    return [...this.#eachUnheard()];
  }

  *#eachUnheard(): Generator<WantedQuery> {
    const isUnheard = (key: string) => !this.#heard.has(key) && !this.#denied.has(key);
    const seen = new Set<string>();
    for (const { known } of [this.#cold, ...this.#besides]) {
      for (const [key, wanted] of known) {
        if (!isUnheard(key) || seen.has(key)) continue;
        seen.add(key);
        yield wanted;
      }
    }
  }

  #without(...left: readonly (readonly [queries: readonly WantedQuery[], why: WhyUnasked])[]): Recording {
    const unasked = new Map(
      left.flatMap(([queries, why]) =>
        queries.map((query): [string, Unasked] => [query.key, { query, why }]),
      ),
    );
    const denied = [
      ...this.#besides.flatMap(({ exploration }) => [...exploration.denied]),
      ...this.#cold.exploration.denied,
      ...this.#denied,
    ];
    for (const [key, query] of denied)
      if (!this.#heard.has(key)) unasked.set(key, { query, why: { kind: 'blocked', reason: 'denied' } });
    return { scope: this.#scope, exchanges: new Map(this.#heard), unasked, probes: [] };
  }
}
