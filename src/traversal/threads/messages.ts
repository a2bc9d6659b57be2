/**
 * The protocol between the main thread and the worker, which has the sockets.
 *
 * The main thread sends tasks, any number at a time: `traverse`, `line` or `identify`. The worker tells of each with `event` or
 * `progress`, and ends it once, with `ended`; `cancel` makes it end early. What is recorded goes to a thread
 * without sockets (`compute`, `evaluation-worker`). Before each packet the worker asks the main thread, which paces all that
 * this process sends: its requests go out in `pace`, its `turns` come back. All large data crosses as text or octets, never
 * as objects.
 */
import type { Beats } from '../../base/clock.ts';
import type { TraversalEvent } from '../../document/events.ts';
import type { TraversalOptions } from '../../document/options.ts';
import type { Fingerprint } from '../../document/servers.ts';
import type { Endpoint } from '../../exchange/attempt.ts';
import type { Urgency } from '../../exchange/query.ts';
import type { Spent } from '../../explore/budget.ts';
import type { Delegation } from '../../explore/delegation.ts';
import type { DenyList } from '../../explore/policy.ts';
import { type MetServer, serverIn } from '../servers-met.ts';
import type { TraversalRequest } from '../traverse.ts';
import type { Bug } from './compute.ts';
import type { EvaluationOrder } from './evaluation-order.ts';
import type { LineOrder, LineProgress, LineRun } from './lines.ts';

/** The request of a traversal. The worker knows the root hints. */
export type TraversalTask = Omit<TraversalRequest, 'hints'>;

/** The network that the worker asks. It is copied. */
export interface AskedNetwork {
  readonly hints: Delegation;
  /** Where packets for an address really go; absent: to the address itself. */
  readonly routes?: ReadonlyMap<string, Endpoint>;
  /** Of the thread with the name servers, if this process has them (`--demo`). */
  readonly beats?: Beats;
}

/** The `workerData` of a worker. */
export interface WorkerGiven {
  readonly network: AskedNetwork;
  /** The form of lines, if the pool makes lines. */
  readonly lines?: LineRun;
}

/** The part of an event that the main thread reads beside its text. */
type EventNote =
  | { readonly event: 'started' }
  /** `met` has the zone of the step that asked first. */
  | {
      readonly event: 'exchange';
      readonly met: MetServer;
      readonly packets: number;
      readonly heardBytes: number;
      readonly outcome: ExchangeOutcome;
    }
  | { readonly event: 'progress'; readonly pending: number };

/** An event of a traversal as it leaves its worker: its data as JSON text. */
export type SerialisedEvent = EventNote & { readonly data: string };

/** An event before the end of a traversal. */
export type EarlyEvent = Exclude<TraversalEvent, { readonly event: 'complete' }>;

/** Serialises an event. A `started` has the number of the attempt, unless it is the first. */
export function serialisedEvent(early: EarlyEvent, attempt = 1): SerialisedEvent {
  const { event, ...rest } = early;
  const data = JSON.stringify(event === 'started' && attempt > 1 ? { ...rest, attempt } : rest);
  switch (early.event) {
    case 'started':
      return { event: early.event, data };
    case 'exchange':
      return {
        event: early.event,
        data,
        met: serverIn(early),
        packets: early.attempts,
        heardBytes: early.bytes ?? 0,
        outcome: early.failure ?? (isCounted(early.rcode) ? early.rcode : 'other-rcode'),
      };
    case 'progress':
      return { event: early.event, data, pending: early.pending };
  }
}

/** The rcodes that are counted by name: servers could make up thousands. */
const COUNTED_RCODES = ['NOERROR', 'NXDOMAIN', 'SERVFAIL', 'REFUSED', 'FORMERR', 'NOTIMP'] as const;

/** How exchanges end, in a word each: with an rcode or a failure. */
export const EXCHANGE_OUTCOMES = [
  ...COUNTED_RCODES,
  'other-rcode',
  'timeout',
  'unreachable',
  'malformed',
] as const;

type ExchangeOutcome = (typeof EXCHANGE_OUTCOMES)[number];

function isCounted(rcode: string | undefined): rcode is (typeof COUNTED_RCODES)[number] {
  return COUNTED_RCODES.some((one) => one === rcode);
}

/** The number of a task in messages, from 1, used once. */
export type TaskNumber = number;

/** The work of a thread for several of its tasks together. */
export const ALL_TASKS: TaskNumber = 0;

/** The number of a request for a turn, used once by a worker. */
export type TurnNumber = number;

/** A task for the worker. */
export type TaskOrder =
  | { readonly kind: 'traverse'; readonly request: TraversalTask }
  | { readonly kind: 'identify'; readonly server: MetServer; readonly options: TraversalOptions }
  | ({ readonly kind: 'line' } & LineOrder);

/** One run of a task: a second one follows if the worker dies under the first. */
export interface Attempt {
  /** From 1. */
  readonly attempt: number;
  /** What earlier attempts have used. */
  readonly spent: Spent;
}

/** A message from the main thread to the worker. */
export type ToWorker =
  | (TaskOrder & Attempt & { readonly task: TaskNumber })
  /** Is to be answered by `pong`. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'cancel'; readonly task: TaskNumber }
  /** The turns that have come. */
  | { readonly kind: 'turns'; readonly turns: readonly TurnNumber[] }
  /** The deny list from now on. */
  | { readonly kind: 'deny'; readonly list: DenyList };

/** A request for leave to send one packet, or to open one TCP connection. */
export interface TurnRequest extends Required<Urgency> {
  readonly turn: TurnNumber;
  readonly task: TaskNumber;
  readonly address: string;
}

/** How urgently a turn is wanted by now. */
export interface RaisedTurn extends Required<Urgency> {
  readonly turn: TurnNumber;
}

/** The changes of turns since the last message. */
export interface TurnNews {
  readonly asked: readonly TurnRequest[];
  /** They are wanted more urgently by now. */
  readonly raised: readonly RaisedTurn[];
  /** Their packets have left. */
  readonly left: readonly TurnNumber[];
  /** No longer wanted, or over. */
  readonly ended: readonly TurnNumber[];
}

/** The fingerprint of a server, and the packets that it took. */
export interface Identified {
  readonly fingerprint: Fingerprint;
  readonly packets: number;
}

/** What happens while a task runs: an event of a traversal, or how far a line is. */
export type TaskNews =
  | { readonly kind: 'event'; readonly event: SerialisedEvent }
  | { readonly kind: 'progress'; readonly progress: LineProgress };

/** What comes of a task: what was recorded, to be evaluated elsewhere, or what a server says of itself. One that is cancelled may end as if by a bug. */
export type TaskReply =
  | { readonly kind: 'recorded'; readonly order: EvaluationOrder }
  | { readonly kind: 'identified'; readonly identified: Identified };

/** A message from the worker to the main thread. */
export type FromWorker =
  | ({ readonly kind: 'pace' } & TurnNews)
  | { readonly kind: 'pong' }
  | (TaskNews & { readonly task: TaskNumber })
  | { readonly kind: 'ended'; readonly task: TaskNumber; readonly end: TaskReply | Bug };

/** Whether a traversal may send: without leave the packets that it wants to send wait; those on their way go on. */
export type SendingLeave = 'may-send' | 'waits';
