/* The tasks of the thread with sockets: a traversal, the line for a name, or asking a server who it is. */

import type { Blocks } from '../../base/turn-line.ts';
import type { ResultLine } from '../../report/result-line.ts';
import type { Computed } from './compute.ts';
import type { Evaluated } from './evaluation.ts';
import type { NotMade } from './evaluation-order.ts';
import type { Attempt, SendingLeave, TaskNews, TaskNumber, TaskOrder, TaskReply } from './messages.ts';

/** A task, and who waits for it. */
export interface Task extends Attempt {
  readonly task: TaskNumber;
  readonly order: TaskOrder;
  /** When its first attempt began, by the pool's clock. */
  readonly begunAt: number;
  readonly place: TraversalPlace;
  /** Stops it. */
  readonly signal: AbortSignal;
  /** Is told what happens meanwhile. Must not throw. */
  readonly tell: (news: TaskNews) => void;
  readonly done: (end: TaskEnd) => void;
  /** It ended through a bug; one that asks a server also if it was stopped. */
  readonly failed: (error: unknown) => void;
}

/** How a task ended in its thread. */
export type TaskEnd = Computed<TaskReply>;

/** How a traversal ended. A stopped one is evaluated as far as it got. */
export type Traversed = Evaluated | NotMade;

/** What became of the line for a name. */
export type Lined = ResultLine | NotMade;

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
