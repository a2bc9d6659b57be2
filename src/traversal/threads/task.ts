/* The place of a traversal in the threads, and how it ends. */

import type { Blocks } from '../../base/turn-line.ts';
import type { ResultLine } from '../../report/result-line.ts';
import type { Evaluated } from './evaluation.ts';
import type { NotMade } from './evaluation-order.ts';
import type { SendingLeave } from './messages.ts';

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
