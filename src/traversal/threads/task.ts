/* The tasks that a worker thread runs: a traversal, or a line of a list. */

import type { Blocks } from '../../base/turn-line.ts';
import type { Failed } from '../../document/api/jobs.ts';
import type { ResultLine } from '../../report/result-line.ts';
import type { Evaluated } from './evaluation.ts';
import type { Made } from './evaluation-order.ts';
import type { LineProgress } from './lines.ts';
import type {
  Attempt,
  Identified,
  SendingLeave,
  SerialisedEvent,
  TaskNumber,
  TaskOrder,
} from './messages.ts';

/** Anything that a worker does. */
export type Task = TraversalInWork | LineInWork | IdentificationInWork;

/** How a traversal ended. A cancelled one is evaluated too, as far as it got. */
export type Traversed =
  | Evaluated
  /** It was too much for its thread, or its result for anybody. */
  | Failed
  /** The pool was closed under it. */
  | { readonly kind: 'dropped' };

/** What became of the line for a name. */
export type Lined = ResultLine | Exclude<Traversed, Evaluated>;

/** What a worker is to do, and who waits for it. */
interface TaskBase<Kind extends TaskOrder['kind'], Result> extends Attempt {
  readonly kind: Kind;
  readonly task: TaskNumber;
  readonly order: Extract<TaskOrder, { readonly kind: Kind }>;
  /** When its first attempt began, by the pool's clock. */
  readonly begunAt: number;
  /** Stops it. */
  readonly signal: AbortSignal;
  readonly done: (result: Result) => void;
  readonly failed: (error: unknown) => void;
}

/** A traversal that a worker runs. */
interface TraversalInWork extends TaskBase<'traverse', Traversed> {
  readonly emit: (event: SerialisedEvent) => void;
  readonly place: TraversalPlace;
}

/** The place of a traversal among others that share its threads and rates. */
export interface TraversalPlace {
  /** Its party, and the blocks that the party is in: parties take turns. */
  readonly blocks: Blocks;
  /**
   * Calls `tell` at once with whether the traversal may send, and at each change until the returned function is called. Without
   * leave, the packets that it wants to send wait; those on their way go on.
   */
  readonly sending: (tell: (leave: SendingLeave) => void) => () => void;
  /** Is told how many packets the traversal wants to send, whenever that changes. */
  readonly wants: (packets: number) => void;
}

/** The place of a traversal that shares nothing. */
export const ALONE: TraversalPlace = {
  blocks: [{ name: '', step: 1 }],
  sending: () => () => {},
  wants: () => {},
};

/** A line that a worker makes. */
interface LineInWork extends TaskBase<'line', Lined> {
  readonly tell: (progress: LineProgress) => void;
}

/** A server that a worker asks who it is. */
type IdentificationInWork = TaskBase<'identify', Identified>;

/** Ends a task with what was made for it. */
export function endTask(task: Task, made: Made): void {
  if (task.kind === 'traverse' && made.kind !== 'line') task.done(made);
  if (task.kind === 'line' && made.kind !== 'evaluated') task.done(made);
}

/** Ends a task whose thread died under it, `reason` being why. */
export function failTask(task: Task, reason: string): void {
  switch (task.kind) {
    case 'traverse':
    case 'line':
      task.done({
        kind: 'failed',
        error: { title: 'Too much work', detail: `The traversal was too much for one thread: ${reason}.` },
      });
      return;
    case 'identify':
      task.failed(new Error(`identifying a server was too much for one thread: ${reason}`));
  }
}

/** Ends a task whose pool is closed. */
export function dropTask(task: Task): void {
  switch (task.kind) {
    case 'traverse':
    case 'line':
      task.done({ kind: 'dropped' });
      return;
    case 'identify':
      task.failed(new Error('the pool is closed'));
  }
}
