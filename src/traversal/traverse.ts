/**
 * A traversal from question to result: the room that joins exploring, evaluating and reporting.
 *
 * `traverse` runs one in this thread. `replay` and `node-replay` evaluate a saved one again, `replay` also in a what-if
 * world; the page uses it, so only `node-replay` needs Node's cryptography. `threads/` has a thread with sockets, which records
 * traversals (`worker`, with the protocol in `messages`), and threads without, which evaluate recordings (`evaluation-worker`);
 * `pool` joins them. `servers-met`, `survey` and `fingerprint` ask servers which software they run.
 */
import type { Zone } from '../authority/zone.ts';
import { between } from '../base/clock.ts';
import { letOthersRun } from '../base/event-loop.ts';
import type { Family } from '../dns/address.ts';
import type { Question } from '../dns/message.ts';
import type { TraversalEvent } from '../document/events.ts';
import { serverRow } from '../document/exchange-rows.ts';
import { isQuick, type TraversalOptions } from '../document/options.ts';
import type { Saved } from '../document/read-result.ts';
import type { TraversalResult } from '../document/result.ts';
import type { Exchange, Exchanged, Probed, Probing } from '../exchange/exchanged.ts';
import { type Query, queryKey } from '../exchange/query.ts';
import { furtherAliases } from '../explore/alias-turns.ts';
import { budgetOf, type Spent } from '../explore/budget.ts';
import type { Delegation } from '../explore/delegation.ts';
import { type Explored, Explorer, type Observer } from '../explore/explore.ts';
import type { PlannedDs, ZoneFile } from '../explore/planned-zones.ts';
import type { Policy } from '../explore/policy.ts';
import { planProbes, probeAll, probeInRounds } from '../explore/probes.ts';
import { type PlanScope, scopeOf } from '../explore/recording.ts';
import { askedSteps, type IfAgreed, nextRepeats, repeatedQuestions } from '../explore/repeats.ts';
import { ReplayedExploration } from '../explore/replayed-exploration.ts';
import type { ServerNames } from '../explore/server-names.ts';
import { silentFamily } from '../explore/silent-family.ts';
import { planUsualProbes } from '../explore/usual-probes.ts';
import { nodeDnssecScope } from './node-replay.ts';
import { optionsInEffect } from './options-in-effect.ts';
import { PlannedServers } from './planned-servers.ts';
import { completeEvent, exchangeEvent, replaying, startedEvent } from './replay.ts';

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
  /** Cancels: the result is then what was known. */
  readonly signal: AbortSignal;
}

/**
 * The one use case: explores and probes, evaluates and finds, and tells. Cancelling is not an error; it rejects only when `exchange` fails for a reason of its own (a bug).
 */
export async function traverse(request: TraversalRequest, around: Surroundings): Promise<TraversalResult> {
  const recorded = await recordTraversal(request, around);
  const result = replaying(recorded);
  around.emit?.(completeEvent(result));
  return result;
}

/** The recording of a traversal, and the names of the servers that it met. */
interface Recorded extends Saved {
  readonly serverNames: ServerNames;
}

/**
 * The part of a traversal that waits for the network: explores, repeats and probes, and emits all events but `complete`. Its
 * recording can be evaluated anywhere (`replay`), such as on another thread; what exploring knew (`known`) takes more memory.
 */
export async function recordTraversal(request: TraversalRequest, around: Surroundings): Promise<Recorded> {
  const { question, hints, plan } = request;
  const { emit, policy, signal } = around;
  const started = new Date();
  const startedAt = started.toISOString();
  const begun = performance.now();
  const elapsedMs = () => between(begun, performance.now());
  let options = optionsInEffect(request.options, hints);
  const { trustAnchors, at = startedAt } = options;
  const dnssec = trustAnchors && nodeDnssecScope(trustAnchors, at);
  let scope = scopeOf(question, hints, options, planScope(plan), dnssec);
  let silent: Family | undefined;
  let explorer = new Explorer(scope, budgetOf(options, around.spent), policy);
  const planned = plannedServers(plan, hints, options, () => explorer.names);
  const asking = planned?.instead(around) ?? around;
  let heard: ReadonlyMap<string, Exchanged> = new Map();
  // What was heard before a family was given up counts without being asked again.
  const exchange: Exchange = async (query, ...rest) =>
    heard.get(queryKey(query)) ?? (await asking.exchange(query, ...rest));
  for (let attempt = 1; ; attempt += 1) {
    emit?.(startedEvent(question, { options, startedAt }, attempt));
    const progress = emit && telling(explorer, elapsedMs, emit);
    try {
      const explored = await explorer.run(exchange, signal, progress);
      // Servers were asked as those of a zone above before it was known that they are planned.
      const isLate = explored.ending === 'whole' && planned?.isLate(explored.recording.exchanges.values());
      const dead =
        explored.ending === 'whole' && silent === undefined ? silentFamily(explored.recording) : undefined;
      if (dead !== undefined) {
        silent = dead;
        heard = explored.recording.exchanges;
        options = { ...options, families: options.families.filter((family) => family !== dead) };
        scope = { ...scope, families: options.families };
      }
      if (isLate || dead !== undefined) {
        explorer = new Explorer(scope, budgetOf(options, explored.budget.spent), policy);
        continue;
      }
      const around = { exchange, signal, ...(progress && { observer: progress }) };
      const repeated = await withRepeats(explored, explorer, request, { ...asking, ...around });
      const { recording, ending, known } = await withProbes(repeated, explorer, planned, asking, request);
      const durationMs = elapsedMs();
      const finishedAt = new Date(started.getTime() + durationMs).toISOString();
      const times = { startedAt, finishedAt, durationMs };
      return {
        recording,
        circumstances: { options, ...times, ending, ...(silent && { silentFamily: silent }) },
        serverNames: explorer.names,
        ...(known && { known }),
      };
    } finally {
      progress?.stop();
    }
  }
}

function plannedServers(
  plan: Plan | undefined,
  hints: Delegation,
  { trustAnchors }: TraversalOptions,
  names: () => ServerNames,
): PlannedServers | undefined {
  if (plan === undefined || plan.zones.length === 0) return undefined;
  const zones = plan.zones.map(({ contents }) => ({
    zone: contents,
    delegation: plan.delegations.find(({ zone }) => zone === contents.apex),
  }));
  return new PlannedServers({ zones, hints, dnssec: trustAnchors !== undefined, names });
}

/** What exploring and evaluating must know of a plan. */
function planScope({ delegations = [], zones = [], ds = [] }: Partial<Plan> = {}): PlanScope {
  return {
    ...(delegations.length > 0 && { planned: delegations }),
    ...(zones.length > 0 && { zoneFiles: zones.map(({ contents: _, ...file }) => file) }),
    ...(ds.length > 0 && { plannedDs: ds }),
  };
}

/** Asks questions with answers again, if everything could be asked, to learn which answers vary by themselves. */
async function withRepeats(
  explored: Explored,
  explorer: Explorer,
  { options, ifAgreed = 'repeat' }: TraversalRequest,
  around: Surroundings & { readonly observer?: Observer },
): Promise<Explored> {
  const { ending } = explored;
  const { probing, signal } = around;
  if (isQuick(options) || ending !== 'whole' || probing === undefined) return explored;
  let repeated = explored;
  let followed = 0;
  for (;;) {
    const { recording, budget } = repeated;
    const asked = askedSteps(explorer.mainSteps(), recording);
    const plan = (made: readonly Probed[]) => {
      const probes = [...recording.probes, ...made];
      const questions = repeatedQuestions(asked, { ...recording, probes });
      return nextRepeats(questions, ifAgreed).map((query) => ({ ...query, probe: 'repeat' }) as const);
    };
    const made = await probeInRounds(plan, { probing, budget, mayAsk: explorer.mayAsk, signal });
    const probes = [...recording.probes, ...made.probes];
    repeated = { ...repeated, recording: { ...recording, probes }, budget: made.budget };
    const aliases = furtherAliases(repeated.recording);
    if (aliases.length === followed) return repeated;
    const further = await explorer.follow(aliases.slice(followed), around, made.budget);
    if (further === undefined) return repeated;
    followed = aliases.length;
    repeated = { ...further, recording: { ...further.recording, probes } };
  }
}

/**
 * Probes servers, if everything could be asked: where `--check` wants to know more, and then what the replies leave open for
 * everybody (svc-model(7), COLD AND WARM).
 */
async function withProbes(
  { recording, ending, budget, ...explored }: Explored,
  explorer: Explorer,
  planned: PlannedServers | undefined,
  { probing, signal }: Surroundings,
  { options, ifAgreed = 'repeat' }: TraversalRequest,
): Promise<Explored> {
  let [probes, left] = [recording.probes, budget];
  if (ending !== 'whole' || probing === undefined) return { ...explored, recording, ending, budget };
  // How a server that has the zone already would take unusual questions is not planned.
  const mayAsk = (query: Query) => explorer.mayAsk(query) && planned?.isPlanned(query) !== true;
  if (recording.scope.check === 'on') {
    // To learn from many replies takes long.
    await letOthersRun();
    const known = new ReplayedExploration(recording);
    for (const exchanged of recording.exchanges.values()) known.learn(exchanged);
    const made = await probeAll(planProbes(recording, known), { probing, budget, mayAsk, signal });
    [probes, left] = [[...probes, ...made.probes], made.budget];
  }
  if (ifAgreed === 'repeat' && !isQuick(options)) {
    const asked = askedSteps(explorer.mainSteps(), recording);
    const before = probes;
    const plan = (made: readonly Probed[]) =>
      planUsualProbes(asked, { ...recording, probes: [...before, ...made] });
    const made = await probeInRounds(plan, { probing, budget: left, mayAsk, signal });
    [probes, left] = [[...probes, ...made.probes], made.budget];
  }
  return { ...explored, recording: { ...recording, probes }, ending, budget: left };
}

/** Tells of each exchange that ends, and at intervals how far exploring is if more was heard, until it is stopped. */
function telling(
  explorer: Explorer,
  elapsedMs: () => number,
  emit: (event: TraversalEvent) => void,
): Observer & { readonly stop: () => void } {
  let [heard, told] = [0, 0];
  const timer = setInterval(() => {
    if (heard === told) return;
    told = heard;
    const awaited = explorer.awaited(MOST_AWAITED).map(({ address, question, zone, ...names }) => {
      return { server: serverRow(address, names), question, zone };
    });
    emit({ event: 'progress', exchanges: heard, pending: explorer.pending, awaited, elapsedMs: elapsedMs() });
  }, PROGRESS_INTERVAL_MS);
  return {
    heard: (exchange) => {
      heard += 1;
      emit(exchangeEvent(exchange));
    },
    stop: () => clearInterval(timer),
  };
}

/** The least time between two progress events. */
const PROGRESS_INTERVAL_MS = 250;

/** Awaited questions that an event names. */
const MOST_AWAITED = 8;
