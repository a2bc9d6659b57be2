/* Traverses the names of a plan, each today and as it is planned, and compares. */

import type { Question } from '../../dns/message.ts';
import type { TraversalEvent } from '../../document/events.ts';
import type { TraversalResult } from '../../document/result.ts';
import { type PlannedName, plannedName } from '../../report/views/plan-report.ts';
import { type Configuration, configured } from '../../traversal/configuration.ts';
import type { Progress } from '../../traversal/progress.ts';
import { replaying } from '../../traversal/replay.ts';
import { type SharedAmongNames, sharedInRun } from '../../traversal/threads/lines.ts';
import { type Plan, recordAndKnow } from '../../traversal/traverse.ts';
import { runPool } from '../many/pool.ts';
import type { ListScreen, Tally } from '../many/tally.ts';
import { runUnlessStopped } from '../process/interruption.ts';
import type { Network } from '../runner/network.ts';

/** A plan to be checked, and where. */
interface PlanCheck {
  readonly plan: Plan;
  readonly questions: readonly Question[];
  readonly configuration: Configuration;
  readonly network: Pick<Network, 'options' | 'hints' | 'exchange'>;
  /** Names that are worked on at once. */
  readonly jobs: number;
  readonly tally: Tally;
  readonly screen: Pick<ListScreen, 'audience'>;
  readonly signal: AbortSignal;
}

/**
 * The names of a plan in the order given, today and as planned: those that were done when `signal` is aborted. Each question
 * is asked once for all of them.
 */
export async function checkPlan(check: PlanCheck): Promise<readonly PlannedName[]> {
  const { questions, network, jobs, tally, signal } = check;
  const among = sharedInRun(network.exchange, network.options.maxTimeMs);
  const names: PlannedName[] = [];
  await runPool({
    items: oneByOne(questions),
    work: async (question) => await checkName(question, among, check),
    write: async (name) => {
      if (name === undefined) return;
      names.push(name);
      tally.note(name.planned.exitStatus);
    },
    jobs,
    order: 'as-given',
    signal,
  });
  return names;
}

async function* oneByOne(questions: readonly Question[]): AsyncGenerator<Question, void> {
  yield* questions;
}

/** Undefined once it is stopped. */
async function checkName(
  question: Question,
  among: SharedAmongNames,
  check: PlanCheck,
): Promise<PlannedName | undefined> {
  const { tally, plan } = check;
  const progress = tally.begin(question);
  try {
    const today = await resultFor({ question }, progress, among, check);
    // The faults of zone files are not those of a name.
    const zones = plan.zones.map((zone) => ({ ...zone, faults: [] }));
    const planned =
      today && (await resultFor({ question, plan: { ...plan, zones } }, progress, among, check));
    return today && planned && plannedName(today, planned);
  } finally {
    tally.running.delete(progress);
  }
}

async function resultFor(
  asked: { readonly question: Question; readonly plan?: Plan },
  progress: Progress,
  among: SharedAmongNames,
  { network: { options, hints }, configuration, screen, tally, signal }: PlanCheck,
): Promise<TraversalResult | undefined> {
  const emit = screen.audience === 'none' ? {} : { emit: (event: TraversalEvent) => progress.note(event) };
  const request = { ...asked, options, hints, ifAgreed: 'leave' } as const;
  const { known, ...saved } = await recordAndKnow(request, { ...among, ...emit, signal });
  const answer = await runUnlessStopped(replaying(configured(saved, configuration), known), signal);
  if (answer.kind === 'failed' || answer.value.ending === 'cancelled') return undefined;
  const { exchanges, sharedExchanges: shared = 0 } = answer.value.stats;
  tally.add({ exchanges, shared });
  return answer.value;
}
