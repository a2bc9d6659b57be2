import { availableParallelism } from 'node:os';
import { onAbort } from '../../base/abort.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { LIMITS } from '../../base/limits.ts';
import type { TraversalOptions } from '../../document/options.ts';
import type { MainPacer } from '../../exchange/pacer.ts';
import { NOTHING_SPENT, type Spent } from '../../explore/budget.ts';
import { type DenyList, EMPTY_DENY_LIST } from '../../explore/policy.ts';
import type { MetServer } from '../servers-met.ts';
import { ComputePool } from './compute.ts';
import type { EvaluationOrder, Made } from './evaluation-order.ts';
import type { LineOrder, LineProgress } from './lines.ts';
import type { AskedNetwork, Identified, SerialisedEvent, TaskNumber, TraversalTask } from './messages.ts';
import {
  ALONE,
  dropTask,
  endTask,
  failTask,
  type Lined,
  type Task,
  type TraversalPlace,
  type Traversed,
} from './task.ts';
import { type Death, WORKER_PROGRAM, type WorkerSettings, WorkerThread } from './worker-thread.ts';

/** A pool of threads: the first starts at once, the others when they are needed; all stay. */
export function createWorkerPool(settings: PoolSettings): WorkerPool {
  return new Pool({ ...DEFAULTS, ...settings });
}

/** A pool's settings; what is left out holds by default. */
interface PoolSettings extends Partial<AllSettings> {
  readonly network: AskedNetwork;
  /** Decides for all threads who may send when. */
  readonly pacer: MainPacer;
}

/** Who watches a traversal while it runs, and how it is stopped. */
interface TraversalWatch {
  /** Is told each event but `complete`. Must not throw. */
  readonly emit: (event: SerialisedEvent) => void;
  /** Its place among others; absent: it shares nothing. */
  readonly place?: TraversalPlace;
  readonly signal: AbortSignal;
}

/** Threads in which traversals live whole, so that nothing a name server sends holds up the main one. */
export interface WorkerPool {
  /** Resolves with what is known, also when it is stopped. Rejects only for a bug. */
  readonly traverse: (request: TraversalTask, watch: TraversalWatch) => Promise<Traversed>;
  /**
   * Asks a server who it is, unless it is to be left alone. Rejects with the signal's reason when it is aborted, else for a bug.
   */
  readonly identify: (
    server: MetServer,
    options: TraversalOptions,
    signal: AbortSignal,
  ) => Promise<Identified>;
  /** Whom to leave alone from now on, also in what runs. */
  readonly deny: (list: DenyList) => void;
  /** The line for a name of a list, if the pool is for lines. It resolves as `traverse` does. */
  readonly line: (
    order: LineOrder,
    tell: (progress: LineProgress) => void,
    signal: AbortSignal,
  ) => Promise<Lined>;
  /** Ends all threads, whatever they do. What they were doing ends as `dropped`, and so does all that follows. */
  readonly close: () => Promise<void>;
}

/** A task whose thread dies under it runs once more, with what is left of its budget. */
const MAX_ATTEMPTS = 2;

const FIRST = { attempt: 1, spent: NOTHING_SPENT } as const;

const DEFAULTS = {
  threads: availableParallelism(),
  memoryMiB: 1_024,
  evaluationMs: LIMITS.evaluationMs.default,
  clock: systemClock,
  program: WORKER_PROGRAM,
  evaluationProgram: new URL('./evaluation-worker.js', import.meta.url),
} as const;

interface AllSettings extends WorkerSettings {
  /** How many threads that own sockets, and as many that evaluate; one for each processor by default. */
  readonly threads: number;
  /** How long one evaluation may take. */
  readonly evaluationMs: number;
  /** What the threads run that evaluate. */
  readonly evaluationProgram: URL;
  readonly clock: Clock;
}

class Pool implements WorkerPool {
  readonly #settings: AllSettings;
  readonly #threads = new Set<WorkerThread>();
  readonly #evaluating: ComputePool<EvaluationOrder, Made>;
  /** Where each task runs. */
  readonly #threadOf = new Map<TaskNumber, WorkerThread>();
  #denied = EMPTY_DENY_LIST;
  #count = 0;
  #state: 'open' | 'closed' = 'open';

  constructor(settings: AllSettings) {
    this.#settings = settings;
    const { evaluationProgram: program, evaluationMs: mostMs, ...same } = settings;
    this.#evaluating = new ComputePool({ ...same, program, ...(settings.lines === undefined && { mostMs }) });
    this.#newThread();
  }

  readonly traverse: WorkerPool['traverse'] = (request, watch) =>
    this.#run<Traversed>(watch.signal, (task, done, failed) => {
      const order = { kind: 'traverse', task, request } as const;
      const watched = { place: ALONE, ...watch };
      return { kind: 'traverse', task, order, ...FIRST, begunAt: this.#now, ...watched, done, failed };
    });

  readonly line: WorkerPool['line'] = ({ question, line }, tell, signal) =>
    this.#run<Lined>(signal, (task, done, failed) => {
      const order = { kind: 'line', task, question, line } as const;
      return { kind: 'line', task, order, ...FIRST, begunAt: this.#now, signal, tell, done, failed };
    });

  readonly identify: WorkerPool['identify'] = async (server, options, signal) => {
    try {
      return await this.#run<Identified>(signal, (task, done, failed) => {
        const order = { kind: 'identify', task, server, options } as const;
        return { kind: 'identify', task, order, ...FIRST, begunAt: this.#now, signal, done, failed };
      });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  };

  readonly deny = (list: DenyList): void => {
    this.#denied = list;
    for (const thread of this.#threads) thread.deny(list);
  };

  readonly close = async (): Promise<void> => {
    this.#state = 'closed';
    const threads = [...this.#threads];
    this.#threads.clear();
    for (const task of threads.flatMap((thread) => thread.tasks)) dropTask(task);
    await Promise.all([...threads.map((thread) => thread.close()), this.#evaluating.close()]);
  };

  get #now(): number {
    return this.#settings.clock.now();
  }

  #run<Result>(
    signal: AbortSignal,
    taskOf: (task: TaskNumber, done: (result: Result) => void, failed: (error: unknown) => void) => Task,
  ): Promise<Result> {
    this.#count += 1;
    const number = this.#count;
    const forget = onAbort(signal, () => this.#threadOf.get(number)?.cancel(number));
    const ended = new Promise<Result>((resolve, reject) => {
      this.#start(taskOf(number, resolve, reject));
    });
    return ended.finally(() => {
      forget();
      this.#threadOf.delete(number);
    });
  }

  #start(task: Task): void {
    if (this.#state === 'closed') {
      dropTask(task);
      return;
    }
    const thread = this.#leastLoaded();
    this.#threadOf.set(task.task, thread);
    thread.start(task);
    if (task.signal.aborted) thread.cancel(task.task);
  }

  #leastLoaded(): WorkerThread {
    const [least] = [...this.#threads].sort((a, b) => a.load - b.load);
    if (least === undefined) return this.#newThread();
    return least.load > 0 && this.#threads.size < this.#settings.threads ? this.#newThread() : least;
  }

  #newThread(): WorkerThread {
    const thread = new WorkerThread(this.#settings, {
      recorded: (task, order) => void this.#evaluate(task, order).catch(task.failed),
      died: (dead, death) => this.#bury(dead, death),
    });
    this.#threads.add(thread);
    thread.deny(this.#denied);
    return thread;
  }

  async #evaluate(task: Task, order: EvaluationOrder): Promise<void> {
    const { blocks } = task.kind === 'traverse' ? task.place : ALONE;
    const computed = await this.#evaluating.run(order, blocks, [order.recorded.buffer]);
    switch (computed.kind) {
      case 'done':
        return endTask(task, computed.reply);
      case 'too-much':
        return failTask(task, computed.reason);
      case 'busy':
      case 'dropped':
        return dropTask(task);
    }
  }

  /** The culprit fails with its thread; the others were only its neighbours and run again. */
  #bury(dead: WorkerThread, { cause, tasks, culprit }: Death): void {
    this.#threads.delete(dead);
    for (const [task, packets] of tasks) {
      const timeMs = this.#now - task.begunAt;
      const again = task === culprit ? undefined : nextAttempt(task, { packets, timeMs });
      if (again !== undefined) this.#start(again);
      else if (cause.kind === 'bug') task.failed(cause.error);
      else failTask(task, cause.reason);
    }
  }
}

function nextAttempt(task: Task, { packets, timeMs }: Spent): Task | undefined {
  const attempt = task.attempt + 1;
  if (attempt > MAX_ATTEMPTS) return undefined;
  return { ...task, attempt, spent: { packets: task.spent.packets + packets, timeMs } };
}
