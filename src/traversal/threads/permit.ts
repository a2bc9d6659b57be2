/* Permission to send queries or to evaluate, where traversals share a thread or its rates. */

/** When a traversal may send and be evaluated, where several share what that takes. */
export interface Permit {
  /**
   * Calls `tell` at once with whether the traversal may send, and at each change until the returned function is called. Without
   * leave, the packets that it wants to send wait; those on their way go on.
   */
  readonly sending: (tell: (leave: SendingLeave) => void) => () => void;
  /** Is told how many packets the traversal wants to send, whenever that changes. */
  readonly wants: (packets: number) => void;
  /** Resolves when the traversal may be evaluated. */
  readonly evaluating: () => Promise<void>;
}

/** Whether a traversal may send. */
export type SendingLeave = 'may-send' | 'waits';

/** A traversal that shares nothing. */
export const UNLIMITED: Permit = {
  sending: () => () => {},
  wants: () => {},
  evaluating: () => Promise.resolve(),
};
