import type { Question } from '../../dns/message.ts';
import type { Saved } from '../../document/read-result.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { RunAnswer } from '../../document/run-answer.ts';
import type { RunEvent } from '../../report/views/progress.ts';

/** Carries out what a command is asked for, on this host or at a server. */
export interface Runner {
  /** Traverses. Once stopped it gives what was known by then, or fails as stopped. */
  readonly traverse: (question: Question, observer: RunObserver) => Promise<RunAnswer<TraversalResult>>;
  /** Traverses, then asks the servers met who they are: all events of a job. */
  readonly identify: (question: Question, observer: RunObserver) => Promise<RunAnswer<void>>;
  readonly close: () => Promise<void>;
}

/** Makes a result of what was recorded. */
export type Evaluating = (saved: Saved) => TraversalResult;

/** Uses a runner and closes it. */
export async function withRunner<T>(runner: Runner, use: (runner: Runner) => Promise<T>): Promise<T> {
  try {
    return await use(runner);
  } finally {
    await runner.close();
  }
}

/** Whoever follows a run, wherever it takes place. */
export interface RunObserver {
  /** Is told each event once, in order. Absent: nobody is, and here none is made. */
  readonly tell?: (event: RunEvent) => void;
  /**
   * Resolves once the observer has passed on what it was told; undefined if it has. A server whose events come faster than
   * they are printed has to wait.
   */
  readonly room?: () => Promise<void> | undefined;
  /** The wish to stop. */
  readonly signal: AbortSignal;
  /**
   * Is called when nothing is awaited any more and what was heard is about to be read and evaluated, which
   * can hold the thread up: an interruption had better end the process now.
   */
  readonly heardAll?: () => void;
}
