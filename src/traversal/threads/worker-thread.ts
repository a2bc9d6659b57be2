import { Worker } from 'node:worker_threads';
import type { MainPacer } from '../../exchange/pacer.ts';
import type { DenyList } from '../../explore/policy.ts';
import type { EvaluationOrder } from './evaluation-order.ts';
import type { LineRun } from './lines.ts';
import {
  ALL_TASKS,
  type AskedNetwork,
  type FromWorker,
  type TaskNumber,
  type ToWorker,
  type WorkerGiven,
} from './messages.ts';
import { endTask, type Task } from './task.ts';
import { MainTurns } from './turns.ts';

/** One worker as the main thread sees it. It never throws: what goes wrong in there ends in `died`. */
export class WorkerThread {
  readonly #owner: ThreadOwner;
  readonly #worker: Worker;
  readonly #desk: MainTurns;
  readonly #entries = new Map<TaskNumber, Entry>();
  #state: 'alive' | 'dead' = 'alive';

  constructor(settings: WorkerSettings, owner: ThreadOwner) {
    this.#owner = owner;
    const { network, lines } = settings;
    this.#worker = new Worker(settings.program, {
      workerData: { network, ...(lines && { lines }) } satisfies WorkerGiven,
      resourceLimits: { maxOldGenerationSizeMb: settings.memoryMiB, maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    this.#desk = new MainTurns(settings.pacer, (message) => this.#post(message));
    this.#desk.open(ALL_TASKS);
    this.#worker.on('message', (message: FromWorker) => this.#hear(message));
    this.#worker.on('messageerror', (error) => this.#die({ kind: 'bug', error }));
    this.#worker.on('error', (error) => this.#die(causeOf(error)));
    this.#worker.on('exit', (code) =>
      this.#die({ kind: 'bug', error: new Error(`a worker thread ended with ${code}`) }),
    );
    this.#worker.unref();
  }

  /** What it has to do. */
  get tasks(): readonly Task[] {
    return [...this.#entries.values()].map(({ task }) => task);
  }

  /** How many tasks that is. */
  get load(): number {
    return this.#entries.size;
  }

  start(task: Task): void {
    if (this.load === 0) this.#worker.ref();
    this.#desk.open(task.task, task.kind === 'traverse' ? task.place.wants : undefined);
    const { attempt, spent } = task;
    this.#post({ ...task.order, attempt, spent });
    this.#entries.set(task.task, { task, heardBytes: 0, stop: this.#follow(task) });
  }

  cancel(task: TaskNumber): void {
    if (this.#entries.has(task)) this.#post({ kind: 'cancel', task });
  }

  deny(list: DenyList): void {
    this.#post({ kind: 'deny', list });
  }

  /** Ends the thread; nobody hears of its tasks any more. */
  async close(): Promise<void> {
    this.#state = 'dead';
    this.#letGo();
    await this.#worker.terminate();
  }

  #post(message: ToWorker): void {
    if (this.#state !== 'dead') this.#worker.postMessage(message);
  }

  #hear(message: FromWorker): void {
    if (this.#state === 'dead') return;
    switch (message.kind) {
      case 'pace':
        this.#desk.take(message);
        return;
      case 'event':
      case 'progress':
      case 'made':
      case 'recorded':
      case 'identified':
      case 'failed':
        this.#hearOfTask(message);
    }
  }

  #hearOfTask(message: Extract<FromWorker, { readonly task: TaskNumber }>): void {
    const entry = this.#entries.get(message.task);
    if (entry === undefined) return;
    switch (message.kind) {
      case 'event':
        if (message.event.event === 'exchange') entry.heardBytes += message.event.heardBytes;
        if (entry.task.kind === 'traverse') entry.task.emit(message.event);
        return;
      case 'progress':
        if (entry.task.kind === 'line') entry.task.tell(message.progress);
        return;
      case 'made':
        this.#forget(entry);
        endTask(entry.task, message.made);
        return;
      case 'recorded':
        this.#forget(entry);
        this.#owner.recorded(entry.task, message.order);
        return;
      case 'identified':
        this.#forget(entry);
        if (entry.task.kind === 'identify') entry.task.done(message.identified);
        return;
      case 'failed':
        this.#forget(entry);
        entry.task.failed(message.error);
    }
  }

  #follow(task: Task): () => void {
    if (task.kind !== 'traverse') return () => {};
    return task.place.sending((leave) => this.#desk.give(task.task, leave));
  }

  #forget(entry: Entry): void {
    entry.stop();
    this.#desk.forget(entry.task.task);
    this.#entries.delete(entry.task.task);
    if (this.load === 0) this.#worker.unref();
  }

  #die(cause: Death['cause'], culprit = this.#heaviest()): void {
    if (this.#state === 'dead') return;
    this.#state = 'dead';
    const tasks = new Map(this.tasks.map((task) => [task, this.#desk.packets(task.task)]));
    this.#letGo();
    void this.#worker.terminate();
    this.#owner.died(this, { cause, tasks, culprit: culprit?.task });
  }

  #letGo(): void {
    for (const { stop } of this.#entries.values()) stop();
    this.#entries.clear();
    this.#desk.closeAll();
  }

  #heaviest(): Entry | undefined {
    return [...this.#entries.values()].sort((a, b) => b.heardBytes - a.heardBytes)[0];
  }
}

/** Who is told what the thread does not end itself. */
interface ThreadOwner {
  /** A task is to be evaluated elsewhere. */
  readonly recorded: (task: Task, order: EvaluationOrder) => void;
  readonly died: (thread: WorkerThread, death: Death) => void;
}

/** What every worker of a pool is given. */
export interface WorkerSettings {
  readonly network: AskedNetwork;
  /** Decides for all workers who may send when. */
  readonly pacer: MainPacer;
  /** Mebibytes of JavaScript objects in one thread. */
  readonly memoryMiB: number;
  /** What each thread runs. */
  readonly program: URL;
  /** Set if the pool is for lines. */
  readonly lines?: LineRun;
}

/** The end of a thread: why, what it had to do, the packets that each task can have sent, and which is to blame. */
export interface Death {
  readonly cause:
    | { readonly kind: 'too-much'; readonly reason: string }
    | { readonly kind: 'bug'; readonly error: unknown };
  readonly tasks: ReadonlyMap<Task, number>;
  readonly culprit: Task | undefined;
}

/** What a thread runs. */
export const WORKER_PROGRAM = new URL('./worker.js', import.meta.url);

/**
 * Mebibytes for new objects in a thread, before the collector takes them for lasting ones. With twice as many, many names
 * take as much processor time and a tenth more memory: a large reply is read again each time it is needed, and what
 * that leaves behind should not lie around.
 */
const YOUNG_MIB = 8;

/** A task in a worker, and what is known of it. */
interface Entry {
  readonly task: Task;
  heardBytes: number;
  /** Takes no more notice of its permit. */
  readonly stop: () => void;
}

function causeOf(error: unknown): Death['cause'] {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isFull ? { kind: 'too-much', reason: 'the thread ran out of memory' } : { kind: 'bug', error };
}
