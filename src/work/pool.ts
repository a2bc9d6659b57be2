import { availableParallelism } from 'node:os';
import { onAbort } from '../abort.ts';
import { type Clock, systemClock } from '../exchange/clock.ts';
import type { Pacer } from '../exchange/pace.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { MetServer } from '../fingerprint/servers-met.ts';
import type { TraversalOptions } from '../options.ts';
import type { Evaluated } from './evaluation.ts';
import { tooHeavy } from './failure.ts';
import type { Network, SerialisedEvent, TaskNumber, TraversalTask } from './messages.ts';
import type { Task } from './task.ts';
import { type Death, type WorkerSettings, WorkerThread } from './worker-thread.ts';

/** A pool's settings; what is left out holds by default. */
export interface PoolSettings extends Partial<WorkerSettings> {
  readonly network: Network;
  readonly pacer: Pacer;
  readonly threads?: number;
  readonly clock?: Clock;
}

/** Who watches a traversal while it runs, and how it is stopped. */
export interface TraversalWatch {
  readonly emit: (event: SerialisedEvent) => void;
  readonly signal: AbortSignal;
}

/** Threads in which traversals live whole, so that nothing a name server sends holds up the main one. */
export interface WorkerPool {
  /**
   * Resolves with what is known, also when it is stopped. Rejects with a `TraversalFailure` when it was
   * too heavy for its thread, else for a bug.
   */
  readonly traverse: (request: TraversalTask, watch: TraversalWatch) => Promise<Evaluated>;
  /** Asks servers who they are. Rejects with the signal's reason when it is stopped. */
  readonly identify: (
    servers: readonly MetServer[],
    options: TraversalOptions,
    signal: AbortSignal,
  ) => Promise<readonly Fingerprint[]>;
  /** Ends all threads; what they do is dropped. */
  readonly close: () => Promise<void>;
}

/** A task whose thread dies under it runs again, but not for ever. */
const MAX_ATTEMPTS = 3;

/** A pool of threads. They start when they are needed, and stay. */
export function createWorkerPool(settings: PoolSettings): WorkerPool {
  return new Pool({ ...DEFAULTS, ...settings });
}

const DEFAULTS = {
  threads: availableParallelism(),
  memoryMiB: 1_024,
  evaluationMs: 5_000,
  silenceMs: 10_000,
  clock: systemClock,
} as const;

class Pool implements WorkerPool {
  readonly #settings: WorkerSettings & { readonly threads: number };
  readonly #threads = new Set<WorkerThread>();
  readonly #homes = new Map<TaskNumber, WorkerThread>();
  #count = 0;

  constructor(settings: WorkerSettings & { readonly threads: number }) {
    this.#settings = settings;
  }

  readonly traverse: WorkerPool['traverse'] = (request, { emit, signal }) =>
    this.#run<Evaluated>(signal, (task, done, failed) => {
      const order = { kind: 'traverse', task, request, attempt: 1 } as const;
      return { kind: 'traverse', task, order, signal, emit, done, failed };
    });

  readonly identify: WorkerPool['identify'] = (servers, options, signal) =>
    this.#run<readonly Fingerprint[]>(signal, (task, done, failed) => {
      const order = { kind: 'identify', task, servers, options, attempt: 1 } as const;
      return { kind: 'identify', task, order, signal, done, failed };
    });

  readonly close = async (): Promise<void> => {
    await Promise.all([...this.#threads].map((thread) => thread.close()));
    this.#threads.clear();
  };

  #run<Result>(
    signal: AbortSignal,
    taskOf: (task: TaskNumber, done: (result: Result) => void, failed: (error: unknown) => void) => Task,
  ): Promise<Result> {
    this.#count += 1;
    const number = this.#count;
    const cancel = () => this.#homes.get(number)?.cancel(number);
    const forget = onAbort(signal, cancel);
    const ended = new Promise<Result>((resolve, reject) => {
      this.#start(taskOf(number, resolve, reject));
    });
    return ended.finally(() => {
      forget();
      this.#homes.delete(number);
    });
  }

  #start(task: Task): void {
    const thread = this.#leastLoaded();
    this.#homes.set(task.task, thread);
    thread.start(task);
    if (task.signal.aborted) thread.cancel(task.task);
  }

  #leastLoaded(): WorkerThread {
    const [least] = [...this.#threads].sort((a, b) => a.load - b.load);
    if (least !== undefined && (least.load === 0 || this.#threads.size >= this.#settings.threads))
      return least;
    const thread = new WorkerThread(this.#settings, (dead, death) => this.#bury(dead, death));
    this.#threads.add(thread);
    return thread;
  }

  /** The heaviest task fails with its thread; the others were only its neighbours and run again. */
  #bury(dead: WorkerThread, { reason, tasks, culprit }: Death): void {
    this.#threads.delete(dead);
    for (const task of tasks) {
      const again = task === culprit ? undefined : nextAttempt(task);
      if (again === undefined)
        task.failed(tooHeavy(`This traversal was too much for one thread: ${reason}.`));
      else this.#start(again);
    }
  }
}

function nextAttempt(task: Task): Task | undefined {
  const attempt = task.order.attempt + 1;
  if (attempt > MAX_ATTEMPTS) return undefined;
  switch (task.kind) {
    case 'identify':
      return { ...task, order: { ...task.order, attempt } };
    case 'traverse':
      return { ...task, order: { ...task.order, attempt } };
  }
}
