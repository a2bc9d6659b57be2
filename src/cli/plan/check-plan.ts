/* Traverses each name of a plan twice, today and with the plan, and compares the results. */

import { rrset } from '../../authority/zone.ts';
import type { Question } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { TraversalEvent } from '../../document/events.ts';
import type { FailOn } from '../../document/finding.ts';
import type { TraversalResult } from '../../document/result.ts';
import { enclosing } from '../../explore/delegation.ts';
import { fateOf, type PlannedName, type PlanReport, plannedName } from '../../report/views/plan-report.ts';
import { type Configuration, configured } from '../../traversal/configuration.ts';
import type { Progress } from '../../traversal/progress.ts';
import { replaying } from '../../traversal/replay.ts';
import { type SharedAmongNames, sharedInRun } from '../../traversal/threads/lines.ts';
import { type Plan, recordAndKnow } from '../../traversal/traverse.ts';
import { runPool } from '../many/pool.ts';
import type { ListScreen, Tally } from '../many/tally.ts';
import { EXIT } from '../process/errors.ts';
import { runUnlessStopped } from '../process/interruption.ts';
import type { Network } from '../runner/network.ts';

/** A plan, and what a check of it needs. */
interface PlanCheck {
  readonly plan: Plan;
  readonly questions: readonly Question[];
  readonly configuration: Configuration;
  readonly network: Pick<Network, 'options' | 'hints' | 'exchange'>;
  /** The number of names looked up at once. */
  readonly jobs: number;
  readonly tally: Tally;
  readonly screen: Pick<ListScreen, 'audience'>;
  readonly signal: AbortSignal;
  /** Trouble is a finding of that severity or worse, and nothing else. */
  readonly failOn?: FailOn | undefined;
}

const FATE_STATUS = {
  same: EXIT.agreed,
  changed: EXIT.agreed,
  trouble: EXIT.trouble,
  unknown: EXIT.notDone,
} as const;

/**
 * Compares the names of a plan, in the order of `questions`. If `signal` is aborted, the names that were not finished are
 * missing. Each question to a server is asked once, and all names share its reply.
 */
export async function checkPlan(check: PlanCheck): Promise<CheckedPlan> {
  const { questions, network, jobs, tally, signal } = check;
  const among = sharedInRun(network.exchange, network.options.maxTimeMs);
  const names: PlannedName[] = [];
  const reached = new Set<Name>();
  await runPool({
    items: oneByOne(questions),
    work: async (question) => await checkName(question, among, check, reached),
    write: async (name) => {
      if (name === undefined) return;
      names.push(name);
      tally.note(FATE_STATUS[fateOf(name, check.failOn)]);
    },
    jobs,
    order: 'as-given',
    signal,
  });
  return { names, undelegated: undelegatedZones(check.plan, names, reached) };
}

/** The names of a plan, and its zones that nobody delegates although all zones above them reply. */
interface CheckedPlan {
  readonly names: readonly PlannedName[];
  readonly undelegated: readonly Name[];
}

function undelegatedZones(
  { zones, delegations, ds }: Plan,
  names: readonly PlannedName[],
  reached: ReadonlySet<Name>,
): readonly Name[] {
  const planned = new Set([...zones, ...delegations, ...ds].map(({ zone }) => zone));
  return [...planned].filter((zone) => {
    const within = names.filter(({ query: { name, type } }) => enclosing(type)(name, zone));
    // Servers that have the zone above as well reply for a zone without a referral to it.
    return !reached.has(zone) && within.some(({ planned: { summary } }) => isDenied(summary));
  });
}

function isDenied(summary: PlannedName['planned']['summary']): boolean {
  return summary.length > 0 && summary.every(({ kind }) => kind === 'nxdomain' || kind === 'nodata');
}

/** The zones that paths came to, and those whose servers said so themselves: the zone of a SOA record or of name servers. */
function noteReached(
  { zones, exchanges }: TraversalResult,
  { zones: files }: Plan,
  reached: Set<Name>,
): void {
  for (const { zone } of zones) reached.add(zone);
  for (const { question, server, planned } of exchanges) {
    if (planned !== true) continue;
    const file = files
      .filter(({ zone }) => enclosing(question.type)(question.name, zone))
      .filter(({ contents, zone }) =>
        rrset(contents, zone, 'NS').some(({ target }) => server.names.some((name) => name === target)),
      );
    for (const { zone } of file) reached.add(zone);
  }
}

async function* oneByOne(questions: readonly Question[]): AsyncGenerator<Question, void> {
  yield* questions;
}

/** Undefined if `signal` was aborted first. */
async function checkName(
  question: Question,
  among: SharedAmongNames,
  check: PlanCheck,
  reached: Set<Name>,
): Promise<PlannedName | undefined> {
  const { tally, plan } = check;
  const progress = tally.begin(question);
  try {
    const today = await resultFor({ question }, progress, among, check);
    // The faults of zone files are not those of a name.
    const zones = plan.zones.map((zone) => ({ ...zone, faults: [] }));
    const planned =
      today && (await resultFor({ question, plan: { ...plan, zones } }, progress, among, check));
    if (planned) noteReached(planned, plan, reached);
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

/** The planned zones, as a report lists them. */
export function zoneRows({ delegations, zones, ds }: Plan): PlanReport['zones'] {
  const all = new Set([...zones, ...delegations, ...ds].map(({ zone }) => zone));
  return [...all].map((zone) => {
    const file = zones.find((one) => one.zone === zone)?.file;
    const servers = delegations.find((one) => one.zone === zone)?.nameservers;
    const records = ds.find((one) => one.zone === zone)?.ds;
    return {
      zone,
      ...(file !== undefined && { file }),
      ...(servers && { servers: servers.map(({ name, glue }) => ({ name, addresses: glue })) }),
      ...(records && { ds: records }),
    };
  });
}
