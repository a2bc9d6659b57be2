import type { ApiAnswer } from '../../client/failure.ts';
import type { Saved } from '../../document/read-result.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { Pausable } from '../../pausable.ts';
import type { Question } from '../../wire/question.ts';
import type { RunObserver } from './observer.ts';

/** Makes a result of what was recorded. */
export type Evaluating = (saved: Saved) => Pausable<TraversalResult>;

/** Carries out what a command is asked for, on this host or at a server. */
export interface Runner {
  /** Traverses. Once stopped it gives what was known by then, or fails as stopped. */
  readonly traverse: (question: Question, observer: RunObserver) => Promise<ApiAnswer<TraversalResult>>;
  /** Traverses, then asks the servers met who they are: all events of a job. */
  readonly identify: (question: Question, observer: RunObserver) => Promise<ApiAnswer<void>>;
  readonly close: () => Promise<void>;
}

/** Uses a runner and closes it. */
export async function withRunner<T>(runner: Runner, use: (runner: Runner) => Promise<T>): Promise<T> {
  try {
    return await use(runner);
  } finally {
    await runner.close();
  }
}
