import type { Exchange, Exchanged, Query } from '../exchanged.ts';
import type { Name } from '../wire/name.ts';
import { Asking } from './asking.ts';
import { type Budget, type CutShort, Leash } from './budget.ts';
import { CheckQuestions } from './check-questions.ts';
import { Exploration } from './exploration.ts';
import { Front } from './front.ts';
import type { HeardExchange } from './hear-again.ts';
import { DENY_NOTHING, type Policy } from './policy/policy.ts';
import type { WantedQuery } from './questions.ts';
import type { Recording, Scope, Unasked, WhyUnasked } from './recording.ts';
import { askInRounds, type Counted, type Left } from './rounds.ts';
import type { ServerNames, ShownNames } from './server-names.ts';

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
export interface AwaitedQuery extends Query, ShownNames {
  /** Of the step that asked first. */
  readonly zone: Name;
}

/**
 * Asks every question that some path contains: the driver around `Exploration`. Each goes out the moment
 * it is known, until as many have as the budget allows.
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
  /** What `--check` asks besides. */
  readonly #check: CheckQuestions | undefined;
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
    this.#check = scope.check === 'on' ? new CheckQuestions(scope, policy) : undefined;
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
  readonly mayAsk = (query: Query): boolean => this.#widest.mayAsk(query);

  /** The names of the servers that are known so far. */
  get serverNames(): ServerNames {
    return this.#widest.serverNames;
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
      this.#check?.learn(exchanged);
      if (observer === undefined) return;
      const rank = this.#cold.known.has(wanted.key) ? 'cold' : 'check';
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
    const { maxQueries } = this.#budget;
    const left = await this.#askEagerly(asking, stop);
    const cold = left === 'none' ? this.#allAsked() : await this.#askInRounds(asking, stop);
    if (this.#check === undefined || stop.aborted) return cold;
    const { counted, beyondQueries, beyondWork, work } = cold;
    if (work === 'exceeded') return await this.#withoutCheck(cold, this.#check, asking);
    const room = beyondQueries.length > 0 ? 0 : maxQueries - counted.size;
    const rest = await this.#check.askRest({ counted, room }, asking, stop);
    return {
      beyondQueries: [...beyondQueries, ...rest.beyondQueries],
      beyondWork: [...beyondWork, ...rest.beyondWork],
    };
  }

  /**
   * What the cold walk has no work left to come to does not count where the check has heard of it: the cold
   * views would not be the same without the check.
   */
  async #withoutCheck(
    { counted, beyondQueries, beyondWork }: Counted,
    check: CheckQuestions,
    asking: Asking,
  ): Promise<Left> {
    await asking.takeAll('all');
    const checked = [...check.known.values()].filter(({ key }) => this.#heard.has(key) && !counted.has(key));
    return { beyondQueries, beyondWork: [...beyondWork, ...checked] };
  }

  async #askEagerly(asking: Asking, stop: AbortSignal): Promise<'some' | 'none'> {
    const { maxQueries } = this.#budget;
    const queue = [...this.#cold.takeWanted()];
    while (!stop.aborted && queue.length + asking.awaited('cold') > 0) {
      for (const wanted of queue.splice(0, maxQueries - asking.asked.size)) this.#ask(wanted, asking);
      if (asking.awaited('cold') === 0) return 'some';
      if (queue.length === 0) this.#check?.askKnown(maxQueries, asking);
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

  /** The warm walk contains the cold one. */
  get #widest(): Exploration {
    return this.#check?.exploration ?? this.#cold.exploration;
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
    const time = { kind: 'time-limit', limit: this.#budget.maxTimeMs } as const;
    const recording = this.#without([unheard, by.kind === 'cancelled' ? time : by]);
    return { recording, ending: unheard.length === 0 ? 'whole' : by.kind };
  }

  #unheard(): readonly WantedQuery[] {
    return [...this.#eachUnheard()];
  }

  *#eachUnheard(): Generator<WantedQuery> {
    const isUnheard = (key: string) => !this.#heard.has(key) && !this.#denied.has(key);
    for (const [key, wanted] of this.#cold.known) if (isUnheard(key)) yield wanted;
    for (const [key, wanted] of this.#check?.known ?? [])
      if (isUnheard(key) && !this.#cold.known.has(key)) yield wanted;
  }

  #without(...left: readonly (readonly [queries: readonly WantedQuery[], why: WhyUnasked])[]): Recording {
    const unasked = new Map(
      left.flatMap(([queries, why]) =>
        queries.map((query): [string, Unasked] => [query.key, { query, why }]),
      ),
    );
    const denied = [
      ...(this.#check?.exploration.denied ?? []),
      ...this.#cold.exploration.denied,
      ...this.#denied,
    ];
    for (const [key, query] of denied)
      if (!this.#heard.has(key)) unasked.set(key, { query, why: { kind: 'blocked' } });
    return { scope: this.#scope, exchanges: new Map(this.#heard), unasked, probes: [] };
  }
}
