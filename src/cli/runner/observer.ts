import type { RunEvent } from '../../progress/run-event.ts';

/** Whoever follows a run, wherever it takes place. */
export interface RunObserver {
  /** Is told each event once, in order. Absent: nobody is, and here none is made. */
  readonly tell?: (event: RunEvent) => void;
  /** Whether somebody would look at a preliminary summary now; absent: nobody would. Only of local runs. */
  readonly isWatched?: () => boolean;
  /** The wish to stop. */
  readonly signal: AbortSignal;
  /**
   * Is called when nothing is awaited any more and what was heard is about to be read and evaluated, which
   * can hold the thread up: an interruption had better end the process now.
   */
  readonly heardAll?: () => void;
}
