/* The program of a worker thread: runs tasks and reports their events to the main thread. */

// The program of a worker thread: whole traversals, sockets included. Data of name servers is read here only.
import { parentPort, workerData } from 'node:worker_threads';
import { createFairClock, systemClock } from '../../base/clock.ts';
import { letOthersRun } from '../../base/event-loop.ts';
import type { TraversalEvent } from '../../document/events.ts';
import type { TraversalOptions } from '../../document/options.ts';
import { createExchange, probing, type SpecialExchange } from '../../exchange/exchange.ts';
import { createPacer, type Pacer } from '../../exchange/pacer.ts';
import { DENY_NOTHING, Denied, type Policy, policyOf } from '../../explore/policy.ts';
import { fingerprint } from '../fingerprint.ts';
import { allowedPart, type MetServer, mayAsk, namesOfMany } from '../servers-met.ts';
import { skipped } from '../survey.ts';
import { recordTraversal, type Surroundings, type TraversalRequest } from '../traverse.ts';
import { evaluated } from './evaluation.ts';
import { createLineWork, type LineRun } from './lines.ts';
import {
  ALL_TASKS,
  type FromWorker,
  serialisedEvent,
  type TaskNumber,
  type ToWorker,
  type WorkerGiven,
} from './messages.ts';
import { hold, threadPlace } from './thread-watch.ts';
import { WorkerTurns } from './turns.ts';

const { network, holder, lines }: WorkerGiven = workerData;
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
const lineWork = lines && createLineWork(lines, network.hints, lineExchange(lines));
const running = new Map<TaskNumber, AbortController>();
/** The traversals that wait to be evaluated. */
const toEvaluate = new Map<TaskNumber, () => void>();

parentPort?.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'traverse':
      return void run(message.task, (signal) => traverse(message, signal));
    case 'line':
      return void run(message.task, (signal) => line(message, signal));
    case 'identify':
      return void run(message.task, (signal) => identify(message, signal));
    case 'cancel':
      return running.get(message.task)?.abort();
    case 'evaluate':
      return toEvaluate.get(message.task)?.();
    case 'turns':
      return turns.take(message.turns);
    case 'deny':
      denied = policyOf(message.list);
      return;
    case 'ping':
      return post({ kind: 'pong' });
  }
});

post({ kind: 'begun', place: threadPlace() });

async function run(task: TaskNumber, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  running.set(task, controller);
  await work(controller.signal).catch((error: unknown) => post({ kind: 'failed', task, error }));
  running.delete(task);
}

type Order<Kind extends ToWorker['kind']> = Extract<ToWorker, { readonly kind: Kind }>;

async function traverse(
  { task, request, attempt, spent }: Order<'traverse'>,
  signal: AbortSignal,
): Promise<void> {
  let { packets } = spent;
  const count = () => {
    packets += 1;
  };
  const exchange = exchangeFor(request.options, turns.pacerFor(task, count));
  const emit = (event: TraversalEvent) => {
    if (event.event !== 'complete') post({ kind: 'event', task, event: serialisedEvent(event, attempt) });
  };
  const around = { exchange, probing: probing(exchange), emit, signal, policy, spent };
  const recorded = await record({ ...request, hints: network.hints }, around);
  await mayEvaluate(task);
  await letOthersRun();
  const ended = holding(task, () => evaluated({ ...recorded, packets }));
  // The text changes hands without being copied.
  const moved = ended.kind === 'evaluated' ? ended.result.map(({ octets }) => octets.buffer) : [];
  parentPort?.postMessage({ kind: 'evaluated', task, evaluated: ended }, moved);
}

async function mayEvaluate(task: TaskNumber): Promise<void> {
  await new Promise<void>((resolve) => {
    toEvaluate.set(task, resolve);
    post({ kind: 'evaluating', task });
  });
  toEvaluate.delete(task);
}

/** Of names only those are kept that are still needed: there may be many. */
async function record(request: TraversalRequest, around: Surroundings) {
  const { serverNames, known: _, ...saved } = await recordTraversal(request, around);
  return { saved, many: namesOfMany(saved.recording, serverNames) };
}

/** The main thread sees which task holds this one. */
function holding<T>(task: TaskNumber, work: () => T): T {
  hold(holder, task);
  try {
    return work();
  } finally {
    hold(holder, 'none');
  }
}

async function line({ task, ...order }: Order<'line'>, signal: AbortSignal): Promise<void> {
  if (lineWork === undefined) throw new Error('this thread is not for lines');
  // One at a time, replies first: names that are soon done make room.
  await letOthersRun();
  const work = await lineWork(order, (progress) => post({ kind: 'progress', task, progress }), signal);
  const lined = holding(task, work);
  const moved = lined.kind === 'line' ? lined.chunks.map(({ buffer }) => buffer) : [];
  parentPort?.postMessage({ kind: 'lined', task, lined } satisfies FromWorker, moved);
}

function lineExchange({ options, ownPace }: LineRun): SpecialExchange {
  return exchangeFor(options, ownPace === undefined ? turns.pacerFor(ALL_TASKS) : createPacer(ownPace));
}

async function identify(
  { task, server, options, spent }: Order<'identify'>,
  signal: AbortSignal,
): Promise<void> {
  let { packets } = spent;
  const count = () => {
    packets += 1;
  };
  // Some servers know their CHAOS names by the exact octets.
  const exchange = exchangeFor({ ...options, nameCase: 'lower' }, turns.pacerFor(task, count));
  const ask: SpecialExchange = (query, signal) =>
    exchange(query, signal, () => {
      if (!mayAsk(server, policy, query.question.name)) throw new Denied();
    });
  const result = await fingerprintAllowed(server, ask, signal);
  post({ kind: 'identified', task, identified: { fingerprint: result, packets } });
}

async function fingerprintAllowed(server: MetServer, ask: SpecialExchange, signal: AbortSignal) {
  const allowed = allowedPart(server, policy);
  if (allowed === undefined) return skipped('blocked');
  try {
    return await fingerprint(allowed, ask, signal);
  } catch (error) {
    if (error instanceof Denied) return skipped('blocked');
    throw error;
  }
}

function exchangeFor(options: TraversalOptions, pacer: Pacer): SpecialExchange {
  const { routes } = network;
  if (routes === undefined) return createExchange({ ...options, pacer, clock });
  return createExchange({ ...options, pacer, clock, route: (address) => routes.get(address) });
}

function post(message: FromWorker): void {
  parentPort?.postMessage(message);
}
