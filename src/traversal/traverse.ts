/**
 * A traversal from question to result: the room that joins exploring, evaluating and reporting.
 *
 * `traverse` runs one in this thread. `replay` and `node-replay` evaluate a saved one again, `replay` also in a what-if
 * world; the page uses it, so only `node-replay` needs Node's cryptography. `threads/` runs traversals in worker threads
 * (`pool`, with the protocol in `messages`) and renders results in one more (`renderer`). `progress` and `seen-zones` turn
 * events into what live views show. `servers-met`, `survey` and `fingerprint` ask servers which software they run.
 */
import type { Zone } from '../authority/zone.ts';
import { letOthersRun } from '../base/event-loop.ts';
import type { Question } from '../dns/message.ts';
import { summarise } from '../document/ends.ts';
import type { TraversalEvent } from '../document/events.ts';
import type { TraversalOptions } from '../document/options.ts';
import type { Saved } from '../document/read-result.ts';
import type { Circumstances, TraversalResult } from '../document/result.ts';
import { evaluatePaths } from '../evaluate/evaluate.ts';
import type { Exchange, Probed, Probing } from '../exchange/exchanged.ts';
import type { Query } from '../exchange/query.ts';
import { type Budget, budgetOf, type Spent } from '../explore/budget.ts';
import type { Delegation } from '../explore/delegation.ts';
import { type Explored, Explorer, type Observer } from '../explore/explore.ts';
import type { PlannedDs, ZoneFile } from '../explore/planned-zones.ts';
import type { Policy } from '../explore/policy.ts';
import { planProbes, probeAll, probeInRounds } from '../explore/probes.ts';
import { type DnssecScope, type PlanScope, scopeOf } from '../explore/recording.ts';
import { askedSteps, type IfAgreed, nextRepeats, repeatedQuestions } from '../explore/repeats.ts';
import { type HeardExchange, ReplayedExploration } from '../explore/replayed-exploration.ts';
import type { ServerNames } from '../explore/server-names.ts';
import { serverRow } from '../report/exchange-rows.ts';
import { verdictLine, verdictOn } from '../report/views/verdict.ts';
import { nodeDnssecScope } from './node-replay.ts';
import { optionsInEffect } from './options-in-effect.ts';
import { PlannedServers } from './planned-servers.ts';
import { completeEvent, exchangeEvent, type FromExploring, replaying, startedEvent } from './replay.ts';

/** What to traverse, and how. */
export interface TraversalRequest {
  readonly question: Question;
  readonly options: TraversalOptions;
  /** The root hints: a delegation of the root zone. */
  readonly hints: Delegation;
  /** What is planned, to be walked as if it were so already. Absent: nothing. */
  readonly plan?: Plan;
  /** Whether a question on which all servers agree is asked again; absent: it is. */
  readonly ifAgreed?: IfAgreed;
}

/** What is planned: svc-model(7), WHAT IF and ZONE FILES. */
export interface Plan {
  /** One for a zone. */
  readonly delegations: readonly Delegation[];
  /** One for a zone. */
  readonly zones: readonly (ZoneFile & { readonly contents: Zone })[];
  /** One for a zone. */
  readonly ds: readonly PlannedDs[];
}

/** What a traversal needs from outside. */
export interface Surroundings {
  /** Carries one exchange out; it does the pacing too. */
  readonly exchange: Exchange;
  /** Carries out repeats, and the probes of `--check`, paced like exchanges; absent: none is made. */
  readonly probing?: Probing;
  /** Addresses and names that must not be asked. Absent: none. */
  readonly policy?: Policy;
  /** What an earlier run of the same traversal has used of its budget; absent: there was none. */
  readonly spent?: Spent;
  /** Receives every event as it happens; must not throw. Absent: no events are made. */
  readonly emit?: (event: TraversalEvent) => void;
  /** Whether a preliminary summary would be read now. Absent: no summaries are made. */
  readonly isWatched?: () => boolean;
  /** Cancels: the result is then what was known. */
  readonly signal: AbortSignal;
}

/** How much work a preliminary summary may be. */
const SUMMARY_WORK = 2_000;

/** How much work a preliminary verdict may be, and how many octets of replies it may be about: findings read all of them. */
const [VERDICT_WORK, VERDICT_OCTETS] = [20_000, 262_144];

/** The least time between two progress events. */
const PROGRESS_INTERVAL_MS = 250;

/** How much of the time preliminary summaries may take up. */
const SUMMARY_SHARE = 1 / 10;

/** Awaited questions that an event names. */
const MOST_AWAITED = 8;

/**
 * The one use case: explores, evaluates and reports, and emits events meanwhile. Cancelling is not an
 * error; it rejects only when `exchange` fails for a reason of its own (a bug).
 */
export async function traverse(request: TraversalRequest, around: Surroundings): Promise<TraversalResult> {
  const { known, ...saved } = await recordTraversal(request, around);
  const result = replaying(saved, { known });
  around.emit?.(completeEvent(result));
  return result;
}

/** The recording of a traversal, the names of the servers that it met, and what its evaluation can start from. */
interface Recorded extends Saved, FromExploring {
  readonly serverNames: ServerNames;
}

/**
 * The part of a traversal that waits for the network: explores, and emits all events but `complete`. Its
 * recording can be evaluated anywhere (`replay`), such as on another thread; what exploring knew takes more memory.
 */
export async function recordTraversal(request: TraversalRequest, around: Surroundings): Promise<Recorded> {
  const { question, hints, plan } = request;
  const options = optionsInEffect(request.options, hints);
  const started = new Date();
  const startedAt = started.toISOString();
  const scope = scopeOf(question, hints, options, planScope(plan), provingBy(options, started));
  const start = performance.now();
  // To the microsecond.
  const elapsedMs = () => Math.round((performance.now() - start) * 1000) / 1000;
  const { emit, isWatched = () => false, signal } = around;
  let explorer = new Explorer(scope, budgetOf(options, around.spent), around.policy);
  const planned = plannedServers(plan, {
    hints,
    dnssec: options.dnssec ?? false,
    names: () => explorer.serverNames,
  });
  const exchange = planned?.exchange(around.exchange) ?? around.exchange;
  const probing = around.probing && (planned?.probing(around.probing) ?? around.probing);
  const beside = { ...around, ...(probing && { probing }) };
  for (let attempt = 1; ; attempt += 1) {
    emit?.(startedEvent(question, { options, startedAt }, attempt));
    const progress =
      emit && new ProgressReporter(explorer, elapsedMs, { emit, isWatched }, { options, startedAt });
    const asking = async (): Promise<Explored | { readonly tooLate: Budget }> => {
      const explored = await explorer.run(exchange, signal, progress);
      // Servers were asked as those of a zone above before it was known that they are planned.
      if (explored.ending === 'whole' && planned?.isLate(explored.recording.exchanges.values())) {
        return { tooLate: explored.budget };
      }
      const repeated = await withRepeats(explored, explorer, request, beside);
      return await withProbes(repeated, explorer, planned, beside);
    };
    const asked = await asking().finally(() => progress?.stop());
    if ('tooLate' in asked) {
      explorer = new Explorer(scope, budgetOf(options, asked.tooLate.spent), around.policy);
      continue;
    }
    const { recording, ending } = asked;
    const durationMs = elapsedMs();
    const finishedAt = new Date(started.getTime() + durationMs).toISOString();
    const lacksNothing = ending === 'whole' && recording.unasked.size === 0;
    const known = lacksNothing ? explorer.knownInTheEnd : undefined;
    return {
      recording,
      circumstances: { options, startedAt, finishedAt, durationMs, ending },
      serverNames: explorer.serverNames,
      ...(known && { known }),
    };
  }
}

function plannedServers(
  plan: Plan | undefined,
  known: Omit<ConstructorParameters<typeof PlannedServers>[0], 'zones'>,
): PlannedServers | undefined {
  if (plan === undefined || plan.zones.length === 0) return undefined;
  const zones = plan.zones.map(({ contents }) => ({
    zone: contents,
    delegation: plan.delegations.find(({ zone }) => zone === contents.apex),
  }));
  return new PlannedServers({ ...known, zones });
}

/** What exploring and evaluating must know of a plan. */
function planScope({ delegations = [], zones = [], ds = [] }: Partial<Plan> = {}): PlanScope {
  return {
    ...(delegations.length > 0 && { planned: delegations }),
    ...(zones.length > 0 && { zoneFiles: zones.map(({ contents: _, ...file }) => file) }),
    ...(ds.length > 0 && { plannedDs: ds }),
  };
}

/** The trust anchors and the moment to validate by, if replies are validated. */
function provingBy({ dnssec, trustAnchors, at }: TraversalOptions, started: Date): DnssecScope | undefined {
  return dnssec && trustAnchors !== undefined
    ? nodeDnssecScope(trustAnchors, at ?? started.toISOString())
    : undefined;
}

/** Asks questions with answers again, if everything could be asked, to learn which answers vary by themselves. */
async function withRepeats(
  explored: Explored,
  { mayAsk, mainSteps }: Explorer,
  { options, ifAgreed = 'repeat' }: TraversalRequest,
  around: Surroundings,
): Promise<Explored> {
  const { recording, ending, budget } = explored;
  const { probing, signal } = around;
  if (options.quick || ending !== 'whole' || probing === undefined) return explored;
  const asked = askedSteps(mainSteps(), recording);
  const plan = (probes: readonly Probed[]) => {
    const questions = repeatedQuestions(asked, { ...recording, probes });
    return nextRepeats(questions, ifAgreed).map((query) => ({ ...query, probe: 'repeat' }) as const);
  };
  const made = await probeInRounds(plan, { probing, budget, mayAsk, signal });
  return { ...explored, recording: { ...recording, probes: made.probes }, budget: made.budget };
}

/** Probes servers, if everything could be asked and `--check` wants to know more. */
async function withProbes(
  explored: Explored,
  explorer: Explorer,
  planned: PlannedServers | undefined,
  around: Surroundings,
): Promise<Explored> {
  const { recording, ending, budget } = explored;
  const { probing, signal } = around;
  if (recording.scope.check === 'off' || ending !== 'whole' || probing === undefined) return explored;
  const known = new ReplayedExploration(recording);
  for (const exchanged of recording.exchanges.values()) known.learn(exchanged);
  // How a server that has the zone already would take unusual questions is not planned.
  const mayAsk = (query: Query) => explorer.mayAsk(query) && planned?.isPlanned(query) !== true;
  const probes = await probeAll(planProbes(recording, known), { probing, budget, mayAsk, signal });
  return { ...explored, recording: { ...recording, probes: [...recording.probes, ...probes] } };
}

/** The preliminary summaries. */
type Summaries = Pick<Extract<TraversalEvent, { event: 'progress' }>, 'summary' | 'validating'>;

/** The receiver of progress events. */
interface Watcher {
  readonly emit: (event: TraversalEvent) => void;
  /** Whether a preliminary summary would be read now. */
  readonly isWatched: () => boolean;
}

/** Emits an event for each exchange, and at intervals one of progress. */
class ProgressReporter implements Observer {
  readonly #explorer: Explorer;
  readonly #elapsedMs: () => number;
  readonly #watcher: Watcher;
  readonly #timer: NodeJS.Timeout;
  readonly #circumstances: Pick<Circumstances, 'options' | 'startedAt'>;
  #heard = 0;
  /** Whether all questions of the cold walk have ended, and whether the verdict of that was made for somebody who looks. */
  #cold: 'awaited' | 'ended' | 'judged' = 'awaited';
  #verdict: string | undefined;
  /** The state at the last progress event. */
  #last = { heard: 0, isWatched: false };
  #notBefore = 0;
  #state: 'idle' | 'summarising' | 'stopped' = 'idle';

  constructor(
    explorer: Explorer,
    elapsedMs: () => number,
    watcher: Watcher,
    circumstances: Pick<Circumstances, 'options' | 'startedAt'>,
  ) {
    this.#circumstances = circumstances;
    this.#explorer = explorer;
    this.#elapsedMs = elapsedMs;
    this.#watcher = watcher;
    this.#timer = setInterval(() => void this.#report(), PROGRESS_INTERVAL_MS);
  }

  stop(): void {
    this.#state = 'stopped';
    clearInterval(this.#timer);
  }

  heard(heard: HeardExchange): void {
    this.#heard += 1;
    this.#watcher.emit(exchangeEvent(heard));
  }

  heardCold(): void {
    this.#cold = 'ended';
    this.#notBefore = 0;
    void this.#report();
  }

  async #report(): Promise<void> {
    const elapsedMs = this.#elapsedMs();
    const isWatched = this.#watcher.isWatched();
    if (this.#state !== 'idle' || !this.#hasNews(isWatched) || elapsedMs < this.#notBefore) return;
    this.#last = { heard: this.#heard, isWatched };
    this.#state = 'summarising';
    // Questions that follow from what was heard go out first.
    if (isWatched) await letOthersRun();
    if (this.#isStopped()) return;
    const begunMs = this.#elapsedMs();
    const summaries = isWatched ? await this.#summaries() : { summary: [] };
    if (summaries === 'stopped') return;
    if (isWatched && this.#cold === 'ended') {
      this.#verdict = await this.#coldVerdict();
      this.#cold = 'judged';
    }
    if (this.#isStopped()) return;
    this.#state = 'idle';
    this.#notBefore = begunMs + (this.#elapsedMs() - begunMs) / SUMMARY_SHARE;
    this.#watcher.emit({
      event: 'progress',
      exchanges: this.#heard,
      pending: this.#explorer.pending,
      awaited: this.#explorer.awaited(MOST_AWAITED).map(({ address, question, zone, ...names }) => ({
        server: serverRow(address, names),
        question,
        zone,
      })),
      elapsedMs,
      ...summaries,
      ...(this.#verdict && { verdict: this.#verdict }),
    });
  }

  /** The verdict that `--quick` would give, as others come to the same more often than not; undefined if that may take long. */
  async #coldVerdict(): Promise<string | undefined> {
    const { scope, ...heard } = this.#explorer.coldRecording();
    const octets = [...heard.exchanges.values()].reduce((sum, { traffic }) => sum + traffic.bytesReceived, 0);
    if (octets > VERDICT_OCTETS) return undefined;
    const recording = { ...heard, scope: { ...scope, maxWork: Math.min(scope.maxWork, VERDICT_WORK) } };
    const durationMs = this.#elapsedMs();
    const { options, startedAt } = this.#circumstances;
    const circumstances = { startedAt, finishedAt: startedAt, durationMs, ending: 'whole' } as const;
    const saved = { recording, circumstances: { ...circumstances, options: { ...options, quick: true } } };
    const result = await this.#meanwhile(() => replaying(saved));
    return result !== 'stopped' && result.complete ? verdictLine(verdictOn(result)) : undefined;
  }

  /** A new watcher gets a summary, too: the next reply may take long. */
  #hasNews(isWatched: boolean): boolean {
    const { heard, isWatched: wasWatched } = this.#last;
    if (isWatched && (!wasWatched || this.#cold === 'ended')) return this.#heard > 0;
    return this.#heard > heard;
  }

  async #summaries(): Promise<Summaries | 'stopped'> {
    const { scope, ...heard } = this.#explorer.recording();
    const maxWork = Math.min(scope.maxWork, SUMMARY_WORK);
    const paths = await this.#meanwhile(() => evaluatePaths({ ...heard, scope: { ...scope, maxWork } }));
    if (paths === 'stopped') return 'stopped';
    const { outcomes, validating } = paths;
    const summary = summarise(outcomes);
    if (validating === undefined) return { summary };
    const firstTry = { summary: summarise(validating.firstTryOutcomes) };
    return { summary, validating: { summary: summarise(validating.outcomes), firstTry } };
  }

  /** Does preliminary work when no reply waits, unless the result is about to be made. */
  async #meanwhile<T>(work: () => T): Promise<T | 'stopped'> {
    await this.#untilQuiet();
    return this.#isStopped() ? 'stopped' : work();
  }

  /** Replies come first: they lead to questions that others wait for. */
  async #untilQuiet(): Promise<void> {
    for (let before = -1; before !== this.#heard && !this.#isStopped(); ) {
      before = this.#heard;
      await letOthersRun();
    }
  }

  #isStopped(): boolean {
    return this.#state === 'stopped';
  }
}
