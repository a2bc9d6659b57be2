import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { Evaluated } from './evaluation.ts';
import type { SerialisedEvent, TaskNumber, ToWorker } from './messages.ts';

/** What a worker is to do, and who waits for it. */
interface TaskBase<Kind extends 'traverse' | 'identify', Result> {
  readonly kind: Kind;
  readonly task: TaskNumber;
  readonly order: Extract<ToWorker, { readonly kind: Kind }>;
  /** Stops it. */
  readonly signal: AbortSignal;
  readonly done: (result: Result) => void;
  readonly failed: (error: unknown) => void;
}

/** A traversal that a worker runs. */
export interface TraversalInWork extends TaskBase<'traverse', Evaluated> {
  readonly emit: (event: SerialisedEvent) => void;
}

/** Servers that a worker asks who they are. */
export type IdentificationInWork = TaskBase<'identify', readonly Fingerprint[]>;

/** Anything that a worker does. */
export type Task = TraversalInWork | IdentificationInWork;
