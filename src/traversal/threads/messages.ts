import type { Beats } from '../../base/clock.ts';
import type { TraversalOptions } from '../../base/options.ts';
import type { TraversalEvent } from '../../document/events.ts';
import type { Fingerprint } from '../../document/servers.ts';
import type { Endpoint } from '../../exchange/attempt.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import type { Urgency, ZoneQuery } from '../../exchange/query.ts';
import type { Spent } from '../../explore/budget.ts';
import type { Delegation } from '../../explore/delegation.ts';
import type { DenyList } from '../../explore/policy.ts';
import { type MetServer, serverIn } from '../servers-met.ts';
import type { TraversalRequest } from '../traverse.ts';
import type { Evaluated, Failed } from './evaluation.ts';
import type { LineOrder, LineProgress, LineRun, ResultLine } from './lines.ts';
import type { ThreadHolder, ThreadPlace } from './thread-watch.ts';

/** What a traversal is asked; where it starts is the worker's to know. */
export type TraversalTask = Omit<TraversalRequest, 'hints'>;

/** Where every worker of a pool asks. It is copied to each. */
export interface AskedNetwork {
  readonly hints: Delegation;
  /** Where packets for an address really go; absent: to the address itself. */
  readonly routes?: ReadonlyMap<string, Endpoint>;
  /** Of the thread that has the servers, if another of this process does; absent: the servers are nobody's here. */
  readonly beats?: Beats;
}

/** What a worker is given when it starts. */
export interface WorkerGiven {
  readonly network: AskedNetwork;
  /** How long evaluating a traversal may hold the thread. */
  readonly evaluationMs: number;
  /** Where it says whose work it does. */
  readonly holder: ThreadHolder;
  /** What lines are to be made like, if any are. */
  readonly lines?: LineRun;
}

/** What the main thread needs to know of an event beside its text. */
type EventNote =
  | { readonly event: 'started' }
  /** The server as known by then, the zone of the step that asked first, and what went out and came in. */
  | {
      readonly event: 'exchange';
      readonly met: MetServer;
      readonly packets: number;
      readonly heardBytes: number;
    }
  | { readonly event: 'progress'; readonly pending: number };

/** An event of a traversal as it leaves its worker: its data as JSON text. */
export type SerialisedEvent = EventNote & { readonly data: string };

/** An event that is told while a traversal runs. */
export type EarlyEvent = Exclude<TraversalEvent, { readonly event: 'complete' }>;

/** Serialises an event. A `started` says which `attempt` it begins, unless that is the first. */
export function serialisedEvent(told: EarlyEvent, attempt = 1): SerialisedEvent {
  const { event, ...rest } = told;
  const data = JSON.stringify(event === 'started' && attempt > 1 ? { ...rest, attempt } : rest);
  switch (told.event) {
    case 'started':
      return { event: told.event, data };
    case 'exchange':
      return {
        event: told.event,
        data,
        met: serverIn(told),
        packets: told.attempts,
        heardBytes: told.bytes ?? 0,
      };
    case 'progress':
      return { event: told.event, data, pending: told.pending };
  }
}

/** A number that a task has in the traffic between a worker and the main thread; each is used once, from 1. */
export type TaskNumber = number;

/** Stands for whatever a thread does for several of its tasks together. */
export const ALL_TASKS: TaskNumber = 0;

/** A number that a search for a referral has in that traffic; each is used once by a worker. */
export type SeekNumber = number;

/** A search for a referral that another name may have got. */
export interface SeekRequest {
  readonly seek: SeekNumber;
  readonly query: ZoneQuery;
}

/** A number that a request for a turn has in that traffic; each is used once by a worker. */
export type TurnNumber = number;

/** What the main thread tells a worker. */
export type ToWorker =
  | {
      readonly kind: 'traverse';
      readonly task: TaskNumber;
      readonly request: TraversalTask;
      /** Which run of the task this is: 1, or more when a worker died under it. */
      readonly attempt: number;
      /** What earlier attempts have used. */
      readonly spent: Spent;
    }
  | {
      readonly kind: 'identify';
      readonly task: TaskNumber;
      readonly server: MetServer;
      readonly options: TraversalOptions;
      readonly attempt: number;
      readonly spent: Spent;
    }
  | ({
      readonly kind: 'line';
      readonly task: TaskNumber;
      readonly attempt: number;
      readonly spent: Spent;
    } & LineOrder)
  | { readonly kind: 'cancel'; readonly task: TaskNumber }
  /** Who looks at the preliminary summaries of a task from now on; nobody before. */
  | { readonly kind: 'audience'; readonly task: TaskNumber; readonly attendance: FollowerPresence }
  /** The turns that have come. */
  | { readonly kind: 'turns'; readonly turns: readonly TurnNumber[] }
  /** What is known of a referral; without one, the worker is to ask and to tell. */
  | { readonly kind: 'sought'; readonly seek: SeekNumber; readonly referral?: Exchanged }
  /** Whom to leave alone from now on. */
  | { readonly kind: 'deny'; readonly list: DenyList }
  | { readonly kind: 'ping' };

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

/** What became of turns since the last message. */
export interface TurnNews {
  readonly asked: readonly TurnRequest[];
  /** They are wanted more urgently by now. */
  readonly raised: readonly RaisedTurn[];
  /** Their packets have left. */
  readonly left: readonly TurnNumber[];
  /** No longer wanted, or over. */
  readonly ended: readonly TurnNumber[];
}

/** What a server says it is, and the packets that asking it took. */
export interface Identified {
  readonly fingerprint: Fingerprint;
  readonly packets: number;
}

/** What a worker tells the main thread. */
export type FromWorker =
  | ({ readonly kind: 'pace' } & TurnNews)
  | ({ readonly kind: 'seek' } & SeekRequest)
  /** What came of a question that was sought, if that is a referral. */
  | { readonly kind: 'told'; readonly seek: SeekNumber; readonly referral?: Exchanged }
  | { readonly kind: 'event'; readonly task: TaskNumber; readonly event: SerialisedEvent }
  /** Nothing more is asked, and the evaluation begins. */
  | { readonly kind: 'evaluating'; readonly task: TaskNumber }
  | { readonly kind: 'evaluated'; readonly task: TaskNumber; readonly evaluated: Evaluated | Failed }
  /** How far a line is. */
  | { readonly kind: 'progress'; readonly task: TaskNumber; readonly progress: LineProgress }
  | { readonly kind: 'lined'; readonly task: TaskNumber; readonly lined: ResultLine | Failed }
  | { readonly kind: 'identified'; readonly task: TaskNumber; readonly identified: Identified }
  /** A bug; or, of an `identify`, that it was cancelled. */
  | { readonly kind: 'failed'; readonly task: TaskNumber; readonly error: unknown }
  /** Its first word. */
  | { readonly kind: 'begun'; readonly place: ThreadPlace }
  /** The answer to a ping. */
  | { readonly kind: 'pong' };

/** Whether somebody follows what a traversal tells. */
export type FollowerPresence = 'somebody' | 'nobody';

/** Those who follow a traversal: tells at once whether there are any, and each change until it is stopped. */
export type Followers = (tell: (attendance: FollowerPresence) => void) => () => void;

/** An audience that never comes. */
export const NO_FOLLOWERS: Followers = () => () => {};
