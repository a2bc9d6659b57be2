import { availableParallelism } from 'node:os';
import { onAbort } from '../../base/abort.ts';
import { systemClock } from '../../base/clock.ts';
import { LIMITS } from '../../base/limits.ts';
import type { TraversalOptions } from '../../document/options.ts';
import type { MainPacer } from '../../exchange/pacer.ts';
import { NOTHING_SPENT } from '../../explore/budget.ts';
import { type DenyList, EMPTY_DENY_LIST } from '../../explore/policy.ts';
import type { MetServer } from '../servers-met.ts';
import type { Made } from './evaluation.ts';
import {
  createEvaluationPool,
  type EvaluationPool,
  madeBy,
  type NotMade,
  notMade,
  only,
} from './evaluation-order.ts';
import type { LineOrder, LineProgress } from './lines.ts';
import type {
  AskedNetwork,
  Identified,
  SerialisedEvent,
  TaskNews,
  TaskOrder,
  TraversalTask,
} from './messages.ts';
import { ALONE, type Lined, type Task, type TaskEnd, type TraversalPlace, type Traversed } from './task.ts';
import { type Death, type WorkerSettings, WorkerThread } from './worker-thread.ts';

/**
 * A thread with sockets, in which traversals live until everything is recorded, and others in which recordings are evaluated. So
 * nothing that a name server sends holds up the main thread, and no evaluation the reply to another traversal.
 */
export function createWorkerPool(settings: PoolSettings): WorkerPool {
  return new Pool({ ...DEFAULTS, ...settings });
}

/** A pool's settings; what is left out holds by default. */
interface PoolSettings extends Partial<AllSettings> {
  readonly network: AskedNetwork;
  /** Decides who may send when. */
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

/** Threads in which traversals live whole. */
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
  program: new URL('./worker.js', import.meta.url),
} as const;

interface AllSettings extends WorkerSettings {
  /** How many threads; one for each processor by default. One has the sockets, and at least one evaluates. */
  readonly threads: number;
  /** How long one evaluation may take. */
  readonly evaluationMs: number;
  /** What the threads run that evaluate; absent: what evaluates. */
  readonly evaluationProgram?: URL;
}

class Pool implements WorkerPool {
  readonly #settings: AllSettings;
  readonly #evaluating: EvaluationPool;
  /** The thread with the sockets; undefined once it has died, until there is something to do again. */
  #thread: WorkerThread | undefined;
  #denied = EMPTY_DENY_LIST;
  #count = 0;
  #state: 'open' | 'closed' = 'open';

  constructor(settings: AllSettings) {
    this.#settings = settings;
    const { memoryMiB, clock, threads, evaluationMs, evaluationProgram, lines } = settings;
    this.#evaluating = createEvaluationPool({
      memoryMiB,
      clock,
      threads: Math.max(1, threads - 1),
      ...(evaluationProgram && { program: evaluationProgram }),
      ...(lines === undefined && { mostMs: evaluationMs }),
    });
    this.#thread = this.#newThread();
  }

  readonly traverse: WorkerPool['traverse'] = (request, { emit, place = ALONE, signal }) => {
    const tell = (news: TaskNews) => (news.kind === 'event' ? emit(news.event) : undefined);
    return this.#make('evaluated', { kind: 'traverse', request }, { place, signal, tell });
  };

  readonly line: WorkerPool['line'] = ({ question, line }, hear, signal) => {
    const tell = (news: TaskNews) => (news.kind === 'progress' ? hear(news.progress) : undefined);
    return this.#make('line', { kind: 'line', question, line }, { place: ALONE, signal, tell });
  };

  readonly identify: WorkerPool['identify'] = async (server, options, signal) => {
    const order = { kind: 'identify', server, options } as const;
    const end = await this.#run(order, { place: ALONE, signal, tell: () => {} }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
    switch (end.kind) {
      case 'done':
        return only(end.reply, 'identified').identified;
      case 'too-much':
        throw new Error(`identifying a server was too much for one thread: ${end.reason}`);
      case 'busy':
      case 'dropped':
        signal.throwIfAborted();
        throw new Error('the pool is closed');
    }
  };

  readonly deny = (list: DenyList): void => {
    this.#denied = list;
    this.#thread?.deny(list);
  };

  readonly close = async (): Promise<void> => {
    this.#state = 'closed';
    await Promise.all([this.#thread?.close(), this.#evaluating.close()]);
  };

  /** Has something recorded, and then evaluated. */
  async #make<Kind extends Made['kind']>(
    kind: Kind,
    order: TaskOrder,
    watch: TaskWatch,
  ): Promise<Extract<Made, { readonly kind: Kind }> | NotMade> {
    const end = await this.#run(order, watch);
    if (end.kind !== 'done') return notMade(end);
    const recorded = only(end.reply, 'recorded');
    return await madeBy(this.#evaluating, kind, recorded.order, watch.place.blocks);
  }

  /** Rejects for a bug. */
  #run(order: TaskOrder, watch: TaskWatch): Promise<TaskEnd> {
    this.#count += 1;
    const task = this.#count;
    const forget = onAbort(watch.signal, () => this.#thread?.cancel(task));
    return new Promise<TaskEnd>((done, failed) => {
      this.#start({ ...watch, ...FIRST, task, order, begunAt: this.#settings.clock.now(), done, failed });
    }).finally(forget);
  }

  #start(task: Task): void {
    if (this.#state === 'closed') task.done({ kind: 'dropped' });
    else {
      this.#thread ??= this.#newThread();
      this.#thread.start(task);
    }
  }

  #newThread(): WorkerThread {
    const thread = new WorkerThread(this.#settings, (death) => this.#bury(death));
    thread.deny(this.#denied);
    return thread;
  }

  /** The culprit fails with its thread; the others were only its neighbours and run again. */
  #bury({ cause, tasks, culprit }: Death): void {
    this.#thread = undefined;
    for (const [task, packets] of tasks) {
      const { attempt, begunAt, spent } = task;
      if (task !== culprit && attempt < MAX_ATTEMPTS) {
        const timeMs = this.#settings.clock.now() - begunAt;
        this.#start({ ...task, attempt: attempt + 1, spent: { packets: spent.packets + packets, timeMs } });
      } else if (cause.kind === 'bug') task.failed(cause.error);
      else task.done(cause);
    }
  }
}

/** Who waits for a task. */
type TaskWatch = Pick<Task, 'place' | 'signal' | 'tell'>;
