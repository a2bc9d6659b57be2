/*
 * explore: which questions to ask.
 *
 * exploration/ is the core, without I/O: an `Exploration` follows all paths at once, says which questions they contain,
 * learns each exchange, and goes on until nothing is new. What a reply means for a zone is decided in classify.ts, by the
 * rules of svc-model(7). Here is the driver around it: it puts each question on the wire through an `Exchange`, within a
 * budget (budget.ts) and a policy (policy.ts), and brings a `Recording` (recording.ts), which is the only input of
 * evaluation and findings. Beside the cold walk there are the warm one, that of a resolver that validates
 * replies (reply-verdict.ts), and the questions of --check about zones, with its probes (probes.ts). repeats.ts plans which
 * questions are asked again, and rotation.ts tells by the replies which answers vary by themselves.
 * replayed-exploration.ts explores a recording again; shared-referrals.ts lets the traversals of a list share the
 * referrals of the root and the top-level domains.
 */
import { getOrMake } from '../base/memo.ts';
import type { Exchange, Exchanged } from '../exchange/exchanged.ts';
import type { Query, QueryRank, ZoneQuery } from '../exchange/query.ts';
import { type Budget, BudgetGuard, type CutShort } from './budget.ts';
import { Asking } from './exploration/asking.ts';
import { Exploration, type MainStep } from './exploration/exploration.ts';
import { ExtraWalk } from './exploration/extra-walk.ts';
import type { WantedQuery } from './exploration/questions.ts';
import { askInRounds, type Counted, type LeftOut } from './exploration/rounds.ts';
import { extraRanks, type MainWalkKind, walkOf } from './main-walks.ts';
import { DENY_NOTHING, type Policy } from './policy.ts';
import type { Recording, Scope, Unasked, WhyUnasked } from './recording.ts';
import type { HeardExchange, Known } from './replayed-exploration.ts';
import { allNames, type ServerNames, type ShownNames } from './server-names.ts';

/** Follows an exploration while it runs. */
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
  /** Absent where the recording lacks something, or the order of replies may decide what the work was spent on. */
  readonly known?: Known;
}

/** What was heard, and how that ended. */
type Heard = Pick<Explored, 'recording' | 'ending'>;

/** A question that has not ended, in the zone of the step that asked first, and the names known for the address. */
type AwaitedQuery = ZoneQuery & ShownNames;

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
export class Explorer implements Known {
  readonly #scope: Scope;
  readonly #budget: Budget;
  readonly #policy: Policy;
  readonly #cold: Exploration;
  /** By key: every question that paths of the cold walk contain, as far as they are known. */
  readonly #ofCold = new Map<string, WantedQuery>();
  /** Of the walks beside it; that of the warm walk is also that of the zones on its way. */
  readonly #beside = new Map<MainWalkKind, Exploration>();
  /** In the order in which they count. */
  readonly #extraWalks: readonly ExtraWalk[];
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
    this.#cold = new Exploration(scope, policy);
    this.#extraWalks = extraRanks(scope).map((rank) => {
      const kind = walkOf(rank, scope);
      const exploration = getOrMake(this.#beside, kind, () => new Exploration(scope, policy, kind));
      return new ExtraWalk(rank, scope, policy, exploration);
    });
  }

  /** Questions on the wire or waiting for their turn. */
  get pending(): number {
    return this.#unheard().length;
  }

  /** The first questions that have not ended, in the order in which they became known; at most `most` of them. */
  awaited(most: number): readonly AwaitedQuery[] {
    const first = this.#unheard().slice(0, most);
    return first.map(({ address, question, zone }) => {
      return { address, question, zone, ...this.#namesOf(address) };
    });
  }

  /** Whether the policy in force allows this query, by all that is known of the server. */
  readonly mayAsk = (query: Query): boolean => this.#widest.every((one) => one.mayAsk(query));

  /** The names of the servers that are known so far. */
  get names(): ServerNames {
    return allNames(this.#widest.map(({ serverNames }) => serverNames));
  }

  /** The steps of the main walks that are known so far: of the cold one first. */
  mainSteps(): readonly MainStep[] {
    const walks = [this.#cold, ...this.#extraWalks.map(({ exploration }) => exploration)];
    return walks.flatMap(({ mainSteps }) => mainSteps);
  }

  /** The purpose of a question that is known, by its key. */
  rankOf(key: string): QueryRank {
    const walks = [
      { rank: 'cold', known: this.#ofCold, exploration: this.#cold } as const,
      ...this.#extraWalks,
    ];
    return (
      walks.find(({ known, exploration }) => known.has(key) || exploration.contains(key))?.rank ?? 'cold'
    );
  }

  /**
   * Asks, through `exchange`, until nothing is left to ask, the budget is used up or `signal` is aborted;
   * the recording has what was heard until then. Rejects only when `exchange` does for a reason of its own,
   * which is a bug.
   */
  async run(
    exchange: Exchange,
    signal: AbortSignal,
    observer?: Observer,
    budget = this.#budget,
  ): Promise<Explored> {
    const guard = new BudgetGuard(budget, signal);
    const learn = (wanted: WantedQuery, exchanged: Exchanged, position: number) => {
      this.#cold.learn(exchanged);
      for (const exploration of this.#beside.values()) exploration.learn(exchanged);
      for (const walk of this.#extraWalks) walk.takeWanted();
      if (observer === undefined) return;
      const rank = this.rankOf(wanted.key);
      const names = this.#namesOf(exchanged.address);
      observer.heard({ position, exchanged, zone: wanted.zone, ...names, rank });
    };
    const asking = new Asking(
      { exchange, guard, learn, mayAsk: this.mayAsk },
      { heard: this.#heard, denied: this.#denied },
    );
    try {
      const left = await this.#askAll(asking, guard.stop);
      const heard = guard.why === undefined ? this.#askedBut(left) : this.#cutShort(guard.why);
      return { ...heard, budget: guard.left, ...(this.#knowsAll(heard) && { known: this }) };
    } catch (bug) {
      // Nobody takes the other replies any more.
      guard.cancel();
      throw bug;
    } finally {
      guard.release();
    }
  }

  /**
   * Goes on where these replies lead, which addresses gave to questions that they had answered with another alias before.
   * `budget`: what is left. Undefined: they lead nowhere else, or there is not enough left to follow them all.
   */
  async follow(
    again: readonly Exchanged[],
    around: { readonly exchange: Exchange; readonly signal: AbortSignal; readonly observer?: Observer },
    budget: Budget,
  ): Promise<Explored | undefined> {
    for (const exploration of [this.#cold, ...this.#beside.values()])
      for (const one of again) exploration.learnAlias(one);
    for (const walk of this.#extraWalks) walk.takeWanted();
    const explored = await this.run(around.exchange, around.signal, around.observer, budget);
    const { recording, ending } = explored;
    const isWhole = ending === 'whole' && recording.exchanges.size <= this.#budget.maxQueries;
    return isWhole ? explored : undefined;
  }

  async #askAll(asking: Asking, stop: AbortSignal): Promise<LeftOut> {
    const left = await this.#askEagerly(asking, stop);
    const cold = left === 'none' ? this.#allAsked() : await this.#askInRounds(asking, stop);
    if (this.#extraWalks.length === 0 || stop.aborted) return cold;
    return cold.work === 'exceeded'
      ? await this.#withoutMore(cold, asking)
      : await this.#askExtraWalks(cold, asking, stop);
  }

  async #askExtraWalks(cold: Counted, asking: Asking, stop: AbortSignal): Promise<LeftOut> {
    const left: Counted[] = [cold];
    const counted = new Set(cold.counted);
    for (const [i, walk] of this.#extraWalks.entries()) {
      const enough = left.every(({ beyondQueries }) => beyondQueries.length === 0);
      const room = enough ? this.#budget.maxQueries - counted.size : 0;
      const rest = await walk.askRest({ counted, room }, asking, stop, () => this.#askKnown(asking, i + 1));
      if (stop.aborted) return rest;
      for (const key of rest.counted) counted.add(key);
      left.push(rest);
    }
    return {
      beyondQueries: left.flatMap(({ beyondQueries }) => beyondQueries),
      beyondWork: left.flatMap(({ beyondWork }) => beyondWork),
    };
  }

  /** Asks the known questions of the extra walks, from this place in their order on. */
  #askKnown(asking: Asking, from = 0): void {
    for (const walk of this.#extraWalks.slice(from)) walk.askKnown(this.#budget.maxQueries, asking);
  }

  /**
   * What the cold walk has no work left to come to does not count where others have heard of it: the cold
   * views would not be the same without these.
   */
  async #withoutMore({ counted, beyondQueries, beyondWork }: Counted, asking: Asking): Promise<LeftOut> {
    await asking.takeAll('all');
    const others = this.#extraWalks.flatMap(({ known }) => [...known.values()]);
    const inVain = others.filter(({ key }) => this.#heard.has(key) && !counted.has(key));
    return { beyondQueries, beyondWork: [...beyondWork, ...inVain] };
  }

  async #askEagerly(asking: Asking, stop: AbortSignal): Promise<'some' | 'none'> {
    const { maxQueries } = this.#budget;
    const queue = [...this.#takeCold()];
    while (!stop.aborted && queue.length + asking.awaited('cold') > 0) {
      for (const wanted of queue.splice(0, maxQueries - asking.asked.size)) this.#ask(wanted, asking);
      if (asking.awaited('cold') === 0) return 'some';
      if (queue.length === 0) this.#askKnown(asking);
      await asking.takeSome();
      for (const wanted of this.#takeCold()) queue.push(wanted);
    }
    await asking.takeAll('cold');
    return this.#cold.mayExceedWork ? 'some' : 'none';
  }

  #allAsked(): Counted {
    return { counted: this.#asked, work: 'enough', beyondQueries: [], beyondWork: [] };
  }

  async #askInRounds(asking: Asking, stop: AbortSignal): Promise<Counted> {
    return await askInRounds({
      exploration: new Exploration(this.#scope, this.#policy),
      rank: 'cold',
      known: this.#ofCold,
      room: this.#budget.maxQueries,
      isCounted: () => false,
      ask: async (questions) => {
        for (const wanted of questions) this.#ask(wanted, asking);
        await asking.takeAll('cold');
        this.#takeCold();
      },
      heard: this.#heard,
      stop,
    });
  }

  /** The questions of the cold walk that became known since the last call. */
  #takeCold(): readonly WantedQuery[] {
    const wanted = this.#cold.takeWanted();
    for (const one of wanted) this.#ofCold.set(one.key, one);
    return wanted;
  }

  #ask(wanted: WantedQuery, asking: Asking): void {
    this.#asked.add(wanted.key);
    asking.ask(wanted, 'cold');
  }

  #namesOf(address: string): ShownNames {
    return this.names.of(address);
  }

  /** The explorations that together know most: each extra walk contains the cold one. */
  get #widest(): readonly Exploration[] {
    const [first, ...others] = this.#beside.values();
    return first === undefined ? [this.#cold] : [first, ...others];
  }

  /** Whether exploring the recording again would say what is known here. */
  #knowsAll({ recording, ending }: Heard): boolean {
    const explorations = [
      this.#cold,
      ...this.#beside.values(),
      ...this.#extraWalks.map(({ exploration }) => exploration),
    ];
    const lacksNothing = ending === 'whole' && recording.unasked.size === 0;
    return lacksNothing && !explorations.some(({ mayExceedWork }) => mayExceedWork);
  }

  #askedBut({ beyondQueries, beyondWork }: LeftOut): Heard {
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

  /** The questions that have not ended, in the order in which they became known. */
  #unheard(): readonly WantedQuery[] {
    const unheard = new Map<string, WantedQuery>();
    for (const known of [this.#ofCold, ...this.#extraWalks.map((walk) => walk.known)]) {
      for (const [key, wanted] of known)
        if (!this.#heard.has(key) && !this.#denied.has(key) && !unheard.has(key)) unheard.set(key, wanted);
    }
    return [...unheard.values()];
  }

  #without(...left: readonly (readonly [queries: readonly WantedQuery[], why: WhyUnasked])[]): Recording {
    const unasked = new Map(
      left.flatMap(([queries, why]) =>
        queries.map((query): [string, Unasked] => [query.key, { query, why }]),
      ),
    );
    const denied = [
      ...this.#extraWalks.flatMap(({ exploration }) => [...exploration.denied]),
      ...this.#cold.denied,
      ...this.#denied,
    ];
    for (const [key, query] of denied)
      if (!this.#heard.has(key)) unasked.set(key, { query, why: { kind: 'blocked', reason: 'denied' } });
    return { scope: this.#scope, exchanges: new Map(this.#heard), unasked, probes: [] };
  }
}
