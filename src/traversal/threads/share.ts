import { letOthersRun, type Pausable, runInSlices, unlessEnded } from '../../base/pausable.ts';
import type { Failed } from './evaluation.ts';

/**
 * Does the work in slices, and gives it up once it has had its share of the thread. What others take meanwhile
 * is not counted.
 */
export async function withinShare<T>(work: Pausable<T>, share: ThreadShare): Promise<T | Failed> {
  const stint = new Stint(share);
  const breathe = async () => {
    stint.leave();
    await letOthersRun();
    stint.take();
  };
  stint.take();
  try {
    return await runInSlices(
      unlessEnded(work, () => stint.over),
      { ...share, breathe },
    );
  } finally {
    stint.leave();
  }
}

/** The share of a thread that a task may take. */
export interface ThreadShare {
  /** How long it may hold the thread, in milliseconds. */
  readonly mostMs: number;
  /** Milliseconds that the thread has run. */
  readonly threadTime: () => number;
  /** Milliseconds since some moment; absent: the machine's. */
  readonly now?: () => number;
  /** Called when the task takes the thread, and when it leaves it to others. */
  readonly tell: (state: 'held' | 'free') => void;
}

/** The time that a task has held its thread. */
class Stint {
  readonly #share: ThreadShare;
  #hadMs = 0;
  #since = 0;

  constructor(share: ThreadShare) {
    this.#share = share;
  }

  take(): void {
    this.#since = this.#share.threadTime();
    this.#share.tell('held');
  }

  leave(): void {
    this.#hadMs += this.#share.threadTime() - this.#since;
    this.#share.tell('free');
  }

  /** Why it is over; undefined as long as it is not. */
  get over(): Failed | undefined {
    const { mostMs } = this.#share;
    return this.#hadMs < mostMs ? undefined : tooMuch(`its evaluation took longer than ${mostMs} ms`);
  }
}

/** The end of a traversal that was too much for its thread. */
export function tooMuch(reason: string): Failed {
  const detail = `The traversal was too much for one thread: ${reason}.`;
  return { kind: 'failed', error: { title: 'Too much work', detail } };
}
