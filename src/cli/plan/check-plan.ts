/* Traverses each name of a plan twice, today and with the plan, and compares the results; finds zones that nobody delegates. */

import { rrset } from '../../authority/zone.ts';
import { onAbort } from '../../base/abort.ts';
import { type Question, questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import { isOlderSerial, soaIn } from '../../dns/record.ts';
import type { TraversalEvent } from '../../document/events.ts';
import type { FailOn } from '../../document/finding.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { Detail } from '../../document/words/shortened.ts';
import type { Exchange } from '../../exchange/exchanged.ts';
import { enclosing } from '../../explore/delegation.ts';
import {
  fateOf,
  nearestZone,
  type PlannedName,
  type PlanReport,
  plannedName,
} from '../../report/views/plan-report.ts';
import { Progress } from '../../report/views/progress.ts';
import { type Configuration, configured } from '../../traversal/configuration.ts';
import {
  createEvaluationPool,
  type EvaluationPool,
  madeBy,
  orderOf,
} from '../../traversal/threads/evaluation-order.ts';
import { type SharedAmongNames, sharedInRun } from '../../traversal/threads/lines.ts';
import { ALONE } from '../../traversal/threads/worker-thread.ts';
import { type Plan, recordTraversal } from '../../traversal/traverse.ts';
import { runPool } from '../many/run-pool.ts';
import type { ListScreen, Tally } from '../many/tally.ts';
import { EXIT, notDone } from '../process/errors.ts';
import type { Network } from '../runner/network.ts';
import { lostQuestions } from './names-to-check.ts';
import type { ServedVersion } from './planned-faults.ts';

/** A plan, and what a check of it needs. */
interface PlanCheck {
  readonly plan: Plan;
  readonly questions: readonly Question[];
  /** Whether further types that the names have today are compared. */
  readonly types: 'as-given' | 'all';
  readonly configuration: Configuration;
  readonly network: Pick<Network, 'options' | 'hints' | 'exchange'>;
  /** The number of names looked up at once. */
  readonly jobs: number;
  readonly tally: Tally;
  readonly screen: Pick<ListScreen, 'audience'>;
  readonly signal: AbortSignal;
  /** Of the words for changes. */
  readonly detail: Detail;
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
  const evaluating = createEvaluationPool();
  // Whoever stops the check does not wait for the evaluations in hand.
  const forget = onAbort(check.signal, () => void evaluating.close());
  try {
    return await checkNames(check, evaluating);
  } finally {
    forget();
    await evaluating.close();
  }
}

async function checkNames(check: PlanCheck, evaluating: EvaluationPool): Promise<CheckedPlan> {
  const { questions, network, jobs, tally, signal } = check;
  const names: PlannedName[] = [];
  const course: Course = {
    among: sharedInRun(network.exchange, network.options.maxTimeMs),
    evaluating,
    reached: new Set(),
    begun: new Set(),
    checked: new Set(questions.map(questionKey)),
  };
  await runPool({
    items: oneByOne(questions),
    work: async (question) => await checkName(question, check, course),
    write: async (checked) => {
      names.push(...checked);
      tally.added += Math.max(0, checked.length - 1);
      for (const name of checked) tally.note(FATE_STATUS[fateOf(name, check.failOn)]);
    },
    jobs,
    order: 'as-given',
    signal,
  });
  const served = await servedVersions(check, names, course);
  return { names, undelegated: undelegatedZones(check.plan, names, course.reached), served };
}

/** What the checks of names share. */
interface Course {
  readonly among: SharedAmongNames;
  readonly evaluating: EvaluationPool;
  /** The zones that somebody delegates. */
  readonly reached: Set<Name>;
  /** The names whose check has begun. */
  readonly begun: Set<Name>;
  /** The questions, by `questionKey`. */
  readonly checked: ReadonlySet<string>;
}

/** The names of a plan, its zones that nobody delegates although all zones above them reply, and versions of today. */
interface CheckedPlan {
  readonly names: readonly PlannedName[];
  readonly undelegated: readonly Name[];
  readonly served: ReadonlyMap<Name, ServedVersion>;
}

/** The versions of today of the zones that have a file and stay at their servers. */
async function servedVersions(
  check: PlanCheck,
  names: readonly PlannedName[],
  course: Course,
): Promise<CheckedPlan['served']> {
  const { zones, delegations } = check.plan;
  const moved = new Set(delegations.map(({ zone }) => zone));
  const served = new Map<Name, ServedVersion>();
  // That servers of today do not answer is no change of the zone.
  const changed = names.filter(({ when: { changes = [] } = {} }) => changes.length > 0);
  const differing = new Set(changed.map(({ query: { name } }) => nearestZone(name, zones)?.zone));
  await runPool({
    items: oneByOne(zones.filter(({ zone }) => !moved.has(zone))),
    work: async ({ zone }) => {
      const question = { name: zone, type: 'SOA' };
      const today = await resultFor({ question }, new Progress(), course, check);
      const serials = (today?.views['first-tries'].outcomes ?? [])
        .flatMap((end) => (end.kind === 'answer' ? [...end.records] : []))
        .flatMap((record) => (record.name === zone ? (soaIn(record)?.serial ?? []) : []));
      return { zone, serials };
    },
    write: async ({ zone, serials: [first, ...others] }) => {
      if (first === undefined) return;
      const serial = others.reduce((newest, one) => (isOlderSerial(newest, one) ? one : newest), first);
      served.set(zone, { serial, differs: differing.has(zone) });
    },
    jobs: check.jobs,
    order: 'as-given',
    signal: check.signal,
  });
  return served;
}

async function* oneByOne<T>(items: readonly T[]): AsyncGenerator<T, void> {
  yield* items;
}

/** The question and, once for each name, those that the name loses with the plan; none if `signal` was aborted first. */
async function checkName(
  question: Question,
  check: PlanCheck,
  course: Course,
): Promise<readonly PlannedName[]> {
  const { tally, plan, types, detail, signal } = check;
  const { begun, checked, among } = course;
  const isFirst = !begun.has(question.name);
  begun.add(question.name);
  const progress = tally.begin(question);
  try {
    const own = await pairFor(question, progress, check, course);
    if (own === undefined) return [];
    const named = plannedName(own.today, own.planned, detail);
    if (types === 'as-given' || !isFirst || isCut(own.today, plan)) return [named];
    const exchange: Exchange = async (...query) => {
      tally.add({ exchanges: 1, shared: 0 });
      return await among.exchange(...query);
    };
    const lost: PlannedName[] = [];
    for (const also of await lostQuestions(own, { checked, exchange, turn: begun.size, signal })) {
      const pair = await pairFor(also, progress, check, course);
      if (pair?.today.views['first-tries'].outcomes.some(({ kind }) => kind === 'answer'))
        lost.push(plannedName(pair.today, pair.planned, detail));
    }
    return [named, ...lost];
  } finally {
    tally.running.delete(progress);
  }
}

/** Whether another zone begins at the name today. */
function isCut({ query: { name }, zones }: TraversalResult, plan: Plan): boolean {
  return zones.some(({ zone }) => zone === name) && !plan.zones.some(({ zone }) => zone === name);
}

/** The results of today and with the plan; undefined if `signal` was aborted first. */
async function pairFor(question: Question, progress: Progress, check: PlanCheck, course: Course) {
  const { plan } = check;
  const today = await resultFor({ question }, progress, course, check);
  // The faults of zone files are not those of a name.
  const zones = plan.zones.map((zone) => ({ ...zone, faults: [] }));
  const planned = today && (await resultFor({ question, plan: { ...plan, zones } }, progress, course, check));
  if (planned) noteReached(planned, plan, course.reached);
  return today && planned && { today, planned };
}

async function resultFor(
  asked: { readonly question: Question; readonly plan?: Plan },
  progress: Progress,
  { among, evaluating }: Course,
  { network: { options, hints }, configuration, screen, tally, signal }: PlanCheck,
): Promise<TraversalResult | undefined> {
  const emit = screen.audience === 'none' ? {} : { emit: (event: TraversalEvent) => progress.note(event) };
  const request = { ...asked, options, hints, ifAgreed: 'leave' } as const;
  const saved = await recordTraversal(request, { ...among, ...emit, signal });
  if (signal.aborted) return undefined;
  const order = orderOf({ kind: 'result' }, configured(saved, configuration));
  const made = await madeBy(evaluating, 'result', order, ALONE.blocks);
  if (made.kind === 'dropped') return undefined;
  if (made.kind === 'failed') throw notDone(made.error.detail);
  const result: TraversalResult = JSON.parse(Buffer.concat(made.chunks).toString());
  const { exchanges, sharedExchanges: shared = 0 } = result.figures;
  tally.add({ exchanges, shared });
  return result;
}

/** The planned zones, as a report lists them. */
export function zoneRows(plan: Plan): PlanReport['zones'] {
  const { delegations, zones, ds } = plan;
  return zonesOf(plan).map((zone) => {
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

/** The planned zones that nobody delegates, although the servers above deny their names. */
function undelegatedZones(
  plan: Plan,
  names: readonly PlannedName[],
  reached: ReadonlySet<Name>,
): readonly Name[] {
  return zonesOf(plan).filter((zone) => {
    const within = names.filter(({ query: { name, type } }) => enclosing(type)(name, zone));
    // Servers that have the zone above as well reply for a zone without a referral to it.
    return !reached.has(zone) && within.some(({ planned: { users } }) => isDenied(users));
  });
}

/** The zones of a plan, each once. */
function zonesOf({ zones, delegations, ds }: Plan): readonly Name[] {
  return [...new Set([...zones, ...delegations, ...ds].map(({ zone }) => zone))];
}

function isDenied(users: PlannedName['planned']['users']): boolean {
  return users.length > 0 && users.every(({ kind }) => kind === 'nxdomain' || kind === 'nodata');
}

/**
 * Adds the zones that paths came to; those that name themselves in a SOA record, as servers of a zone and its parent do without a
 * referral; those planned at the servers that replied. A denial without a SOA record can come from any of the zones.
 */
function noteReached({ zones, exchanges }: TraversalResult, plan: Plan, reached: Set<Name>): void {
  for (const { zone } of zones) reached.add(zone);
  for (const { question, server, planned, rcode, answer = [], authority = [] } of exchanges) {
    const isEmpty = answer.length + authority.length === 0;
    const named = [...answer, ...authority].filter(({ type }) => type === 'SOA');
    for (const { name } of named) reached.add(name);
    const isBareDenial = rcode === 'NXDOMAIN' ? named.length === 0 : rcode === 'NOERROR' && isEmpty;
    if (isBareDenial)
      for (const zone of zonesOf(plan)) if (enclosing(question.type)(question.name, zone)) reached.add(zone);
    if (planned !== true) continue;
    const file = plan.zones
      .filter(({ zone }) => enclosing(question.type)(question.name, zone))
      .filter(({ contents, zone }) =>
        rrset(contents, zone, 'NS').some(({ target }) => server.names.some((name) => name === target)),
      );
    for (const { zone } of file) reached.add(zone);
  }
}
