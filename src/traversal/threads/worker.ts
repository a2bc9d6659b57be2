// The program of the thread with sockets: records traversals, and asks servers who they are. Data of name servers is read here only.
import { parentPort, workerData } from 'node:worker_threads';
import { createFairClock, systemClock } from '../../base/clock.ts';
import { questionKey } from '../../dns/message.ts';
import type { TraversalEvent } from '../../document/events.ts';
import type { TraversalOptions } from '../../document/options.ts';
import type { Saved } from '../../document/read-result.ts';
import { createExchange, probing, type SpecialExchange } from '../../exchange/exchange.ts';
import { createPacer, type Pacer } from '../../exchange/pacer.ts';
import type { Spent } from '../../explore/budget.ts';
import { DENY_NOTHING, Denied, type Policy, policyOf } from '../../explore/policy.ts';
import { configured } from '../configuration.ts';
import { fingerprint } from '../fingerprint.ts';
import { allowedPart, mayAsk, namesOfMany } from '../servers-met.ts';
import { skipped } from '../survey.ts';
import { recordTraversal } from '../traverse.ts';
import { type Making, orderOf } from './evaluation-order.ts';
import { type LineRun, type SharedAmongNames, sharedForMoment, sharedInRun } from './lines.ts';
import {
  ALL_TASKS,
  type FromWorker,
  serialisedEvent,
  type TaskNumber,
  type ToWorker,
  type WorkerGiven,
} from './messages.ts';
import { WorkerTurns } from './turns.ts';

const { network, lines }: WorkerGiven = workerData;
const clock = network.beats === undefined ? systemClock : createFairClock(network.beats);
const turns = new WorkerTurns(post);
let denied = DENY_NOTHING;
/** Every task reads the deny list that is in force now. */
const policy: Policy = {
  get list() {
    return denied.list;
  },
  deniesAddress: (address) => denied.deniesAddress(address),
  deniesName: (name) => denied.deniesName(name),
};
/** The questions for names, by `questionKey`. */
const inWork = new Set<string>();
const among = lines && sharedAmong(lines);
const running = new Map<TaskNumber, AbortController>();

parentPort?.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'traverse':
      return void run(message.task, (signal) => traverse(message, signal));
    case 'line':
      return void run(message.task, (signal) => line(message, signal));
    case 'identify':
      return void run(message.task, (signal) => identify(message, signal));
    case 'ping':
      return post({ kind: 'pong' });
    case 'cancel':
      return running.get(message.task)?.abort();
    case 'turns':
      return turns.take(message.turns);
    case 'deny':
      denied = policyOf(message.list);
      return;
  }
});

async function run(task: TaskNumber, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  running.set(task, controller);
  await work(controller.signal).catch((error: unknown) =>
    post({ kind: 'ended', task, end: { kind: 'bug', error } }),
  );
  running.delete(task);
}

type Order<Kind extends ToWorker['kind']> = Extract<ToWorker, { readonly kind: Kind }>;

async function traverse(
  { task, request, attempt, spent }: Order<'traverse'>,
  signal: AbortSignal,
): Promise<void> {
  const { pacer, packets } = counting(task, spent);
  const exchange = exchangeFor(request.options, pacer);
  const emit = (event: TraversalEvent) => {
    if (event.event !== 'complete') post({ kind: 'event', task, event: serialisedEvent(event, attempt) });
  };
  const around = { exchange, probing: probing(exchange), emit, signal, policy, spent };
  const { serverNames, ...saved } = await recordTraversal({ ...request, hints: network.hints }, around);
  // Of names only those are kept that are still needed: there may be many.
  end(task, { kind: 'end', many: namesOfMany(saved.recording, serverNames), packets: packets() }, saved);
}

async function line({ task, question, line }: Order<'line'>, signal: AbortSignal): Promise<void> {
  if (lines === undefined || among === undefined) throw new Error('this thread is not for lines');
  const { options, form, audience, configuration } = lines;
  const emit = (event: TraversalEvent) => {
    if (event.event === 'progress') post({ kind: 'progress', task, progress: event });
  };
  // Without an audience no events are made: that would only take time.
  const around = { ...among, ...(audience === 'some' && { emit }), signal };
  const key = questionKey(question);
  inWork.add(key);
  const recorded = await recordTraversal(
    { question, options, hints: network.hints, ifAgreed: 'leave' },
    around,
  ).finally(() => inWork.delete(key));
  const saved = configuration === undefined ? recorded : configured(recorded, configuration);
  end(task, { kind: 'line', line, form }, saved);
}

/** The names of a run share exchanges where that is sound. Another name seldom has the same question, so its replies are not kept. */
function sharedAmong({ options, ownPace }: LineRun): SharedAmongNames {
  const pacer = ownPace === undefined ? turns.pacerFor(ALL_TASKS) : createPacer(ownPace);
  const exchange = exchangeFor(options, pacer);
  if (options.share) return sharedInRun(exchange, options.maxTimeMs);
  return sharedForMoment(exchange, options.maxTimeMs, ({ question }) => !inWork.has(questionKey(question)));
}

/** The rest waits for nobody: it is done where no reply waits for it. */
function end(task: TaskNumber, making: Making, saved: Saved): void {
  const order = orderOf(making, saved);
  post({ kind: 'ended', task, end: { kind: 'recorded', order } }, [order.octets.buffer]);
}

async function identify(
  { task, server, options, spent }: Order<'identify'>,
  signal: AbortSignal,
): Promise<void> {
  const { pacer, packets } = counting(task, spent);
  // Some servers know their CHAOS names by the exact octets.
  const exchange = exchangeFor({ ...options, nameCase: 'lower' }, pacer);
  const ask: SpecialExchange = (query, signal) =>
    exchange(query, signal, () => {
      if (!mayAsk(server, policy, query.question.name)) throw new Denied();
    });
  const allowed = allowedPart(server, policy);
  const asked = allowed && fingerprint(allowed, ask, signal);
  const print = await asked?.catch((error: unknown) => {
    if (!(error instanceof Denied)) throw error;
  });
  const identified = { fingerprint: print ?? skipped('blocked'), packets: packets() };
  post({ kind: 'ended', task, end: { kind: 'identified', identified } });
}

/** The pacer of a task, and how many packets it has sent so far. */
function counting(task: TaskNumber, spent: Spent) {
  let { packets } = spent;
  const left = () => {
    packets += 1;
  };
  return { pacer: turns.pacerFor(task, left), packets: () => packets };
}

function exchangeFor(options: TraversalOptions, pacer: Pacer): SpecialExchange {
  const { routes } = network;
  if (routes === undefined) return createExchange({ ...options, pacer, clock });
  return createExchange({ ...options, pacer, clock, route: (address) => routes.get(address) });
}

function post(message: FromWorker, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}
