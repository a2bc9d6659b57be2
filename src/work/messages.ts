import type { Endpoint } from '../exchange/attempt.ts';
import type { Delegation } from '../explore/delegation.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { MetServer } from '../fingerprint/servers-met.ts';
import type { TraversalOptions } from '../options.ts';
import type { TraversalEvent, TraversalRequest } from '../traverse.ts';
import type { Evaluated } from './evaluation.ts';

/** What a traversal is asked; where it starts is the worker's to know. */
export type TraversalTask = Omit<TraversalRequest, 'hints'>;

/** Where every worker of a pool asks. It is copied to each. */
export interface Network {
  readonly hints: Delegation;
  /** Where packets for an address really go; absent: to the address itself. */
  readonly routes?: ReadonlyMap<string, Endpoint>;
}

/** An event of a traversal as it leaves its worker: serialised, with what the main thread needs of it. */
export interface SerialisedEvent {
  readonly event: TraversalEvent['event'];
  /** The event's data as JSON text. */
  readonly data: string;
  /** Of an `exchange`. */
  readonly met?: MetServer;
  /** Of an `exchange`: octets that came in for it. */
  readonly heardBytes?: number;
  /** Of `progress`. */
  readonly pending?: number;
}

/** A number that a task has in the traffic between a worker and the main thread; each is used once. */
export type TaskNumber = number;

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
    }
  | {
      readonly kind: 'identify';
      readonly task: TaskNumber;
      readonly servers: readonly MetServer[];
      readonly options: TraversalOptions;
      readonly attempt: number;
    }
  | { readonly kind: 'cancel'; readonly task: TaskNumber }
  /** The packets that may leave now. `at` is `monotonicMs()` when leave was given. */
  | { readonly kind: 'turns'; readonly turns: readonly TurnNumber[]; readonly at: number }
  | { readonly kind: 'ping' };

/** A request for leave to send one packet, or to open one TCP connection. */
export interface TurnRequest {
  readonly turn: TurnNumber;
  readonly task: TaskNumber;
  readonly address: string;
}

/** What a worker tells the main thread. */
export type FromWorker =
  | {
      readonly kind: 'pace';
      readonly asked: readonly TurnRequest[];
      /** No longer wanted, or used and over. */
      readonly given: readonly TurnNumber[];
    }
  | { readonly kind: 'event'; readonly task: TaskNumber; readonly event: SerialisedEvent }
  /** Nothing more is asked; the evaluation begins. */
  | { readonly kind: 'evaluating'; readonly task: TaskNumber }
  | { readonly kind: 'evaluated'; readonly task: TaskNumber; readonly evaluated: Evaluated }
  | { readonly kind: 'identified'; readonly task: TaskNumber; readonly rows: readonly Fingerprint[] }
  /** A bug; or, of an `identify`, that it was cancelled. */
  | { readonly kind: 'failed'; readonly task: TaskNumber; readonly error: unknown }
  | { readonly kind: 'pong' };

/** Milliseconds since some moment that is the same in all threads of the process; never goes back. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}
