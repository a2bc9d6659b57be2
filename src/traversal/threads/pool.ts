import { availableParallelism } from 'node:os';
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
  type Lined,
  madeBy,
  type NotMade,
  notMade,
  type Traversed,
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
import {
  ALONE,
  type TaskEnd,
  type TaskWatch,
  type TraversalPlace,
  type WorkerSettings,
  WorkerThread,
} from './worker-thread.ts';

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

/**
 * A thread with sockets, in which traversals live until everything is recorded, and others in which recordings are evaluated. So
 * nothing that a name server sends holds up the main thread, and no evaluation the reply to another traversal.
 */
export class WorkerPool {
  readonly #settings: AllSettings;
  readonly #evaluating: EvaluationPool;
  /** The thread with the sockets. One that has died is replaced when there is something to do again. */
  #thread: WorkerThread;
  #denied = EMPTY_DENY_LIST;
  #state: 'open' | 'closed' = 'open';

  constructor(settings: PoolSettings) {
    this.#settings = { ...DEFAULTS, ...settings };
    const { memoryMiB, clock, threads, evaluationMs, evaluationProgram, lines } = this.#settings;
    this.#evaluating = createEvaluationPool({
      memoryMiB,
      clock,
      threads: Math.max(1, threads - 1),
      ...(evaluationProgram && { program: evaluationProgram }),
      ...(lines === undefined && { mostMs: evaluationMs }),
    });
    this.#thread = this.#newThread();
  }

  /** Resolves with what is known, also when it is stopped. Rejects only for a bug. */
  readonly traverse = (
    request: TraversalTask,
    { emit, place = ALONE, signal }: TraversalWatch,
  ): Promise<Traversed> => {
    const tell = (news: TaskNews) => (news.kind === 'event' ? emit(news.event) : undefined);
    return this.#make('evaluated', { kind: 'traverse', request }, { place, signal, tell });
  };

  /** The line for a name of a list, if the pool is for lines. It resolves as `traverse` does. */
  readonly line = (
    { question, line }: LineOrder,
    hear: (progress: LineProgress) => void,
    signal: AbortSignal,
  ): Promise<Lined> => {
    const tell = (news: TaskNews) => (news.kind === 'progress' ? hear(news.progress) : undefined);
    return this.#make('line', { kind: 'line', question, line }, { place: ALONE, signal, tell });
  };

  /** Asks a server who it is, unless it is to be left alone. Rejects with the signal's reason when it is aborted, else for a bug. */
  readonly identify = async (
    server: MetServer,
    options: TraversalOptions,
    signal: AbortSignal,
  ): Promise<Identified> => {
    const end = await this.#run(
      { kind: 'identify', server, options },
      { place: ALONE, signal, tell: () => {} },
    );
    if (end.kind === 'identified') return end.identified;
    signal.throwIfAborted();
    throw end.kind === 'bug' ? end.error : new Error(`a server was not identified: ${end.kind}`);
  };

  /** Whom to leave alone from now on, also in what runs. */
  readonly deny = (list: DenyList): void => {
    this.#denied = list;
    this.#thread.deny(list);
  };

  /** Ends all threads, whatever they do. What they were doing ends as `dropped`, and so does all that follows. */
  readonly close = async (): Promise<void> => {
    this.#state = 'closed';
    await Promise.all([this.#thread.close(), this.#evaluating.close()]);
  };

  /** Has something recorded, and then evaluated. */
  async #make<Kind extends Made['kind']>(
    kind: Kind,
    order: TaskOrder,
    watch: TaskWatch,
  ): Promise<Extract<Made, { readonly kind: Kind }> | NotMade> {
    const end = await this.#run(order, watch);
    switch (end.kind) {
      case 'recorded':
        return await madeBy(this.#evaluating, kind, end.order, watch.place.blocks);
      case 'too-much':
      case 'dropped':
        return notMade(end);
      case 'bug':
        throw end.error;
      case 'identified':
        throw new Error('a server is identified, where something was to be recorded');
    }
  }

  /** One whose thread dies of another runs once more, with what is left of its budget. */
  async #run(order: TaskOrder, watch: TaskWatch): Promise<Exclude<TaskEnd, { readonly kind: 'lost' }>> {
    const { clock } = this.#settings;
    const begunAt = clock.now();
    let spent = NOTHING_SPENT;
    for (let attempt = 1; ; attempt += 1) {
      if (this.#state === 'closed') return { kind: 'dropped' };
      if (!this.#thread.isAlive) this.#thread = this.#newThread();
      const end = await this.#thread.run({ ...order, attempt, spent }, watch);
      if (end.kind !== 'lost') return end;
      if (attempt === MAX_ATTEMPTS) return end.cause;
      spent = { packets: spent.packets + end.packets, timeMs: clock.now() - begunAt };
    }
  }

  #newThread(): WorkerThread {
    const thread = new WorkerThread(this.#settings);
    thread.deny(this.#denied);
    return thread;
  }
}

/** A task is run so often. */
const MAX_ATTEMPTS = 2;
