import { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.ts';
import type { MainPacer } from '../../exchange/pacer.ts';
import type { DenyList } from '../../explore/policy.ts';
import { outOfMemory, type TooMuch } from './compute.ts';
import type { LineRun } from './lines.ts';
import {
  ALL_TASKS,
  type AskedNetwork,
  type FromWorker,
  type TaskNumber,
  type ToWorker,
  type WorkerGiven,
} from './messages.ts';
import type { Task } from './task.ts';
import { MainTurns } from './turns.ts';

/** The thread with sockets, as the main thread sees it. It never throws: what goes wrong in there ends in `died`. */
export class WorkerThread {
  readonly #clock: Clock;
  readonly #died: (death: Death) => void;
  readonly #worker: Worker;
  readonly #desk: MainTurns;
  readonly #entries = new Map<TaskNumber, Entry>();
  #state: 'alive' | 'dead' = 'alive';
  /** Pings since its last message. */
  #unanswered = 0;
  #stopPings: () => void = () => {};

  constructor(settings: WorkerSettings, died: (death: Death) => void) {
    this.#clock = settings.clock;
    this.#died = died;
    const { network, lines } = settings;
    this.#worker = new Worker(settings.program, {
      workerData: { network, ...(lines && { lines }) } satisfies WorkerGiven,
      resourceLimits: { maxOldGenerationSizeMb: settings.memoryMiB, maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    this.#desk = new MainTurns(settings.pacer, (message) => this.#post(message));
    this.#desk.open(ALL_TASKS);
    this.#worker.on('message', (message: FromWorker) => this.#hear(message));
    this.#worker.on('messageerror', (error) => this.#die({ kind: 'bug', error }));
    this.#worker.on('error', (error) => this.#die(outOfMemory(error) ?? { kind: 'bug', error }));
    this.#worker.on('exit', (code) =>
      this.#die({ kind: 'bug', error: new Error(`a worker thread ended with ${code}`) }),
    );
    this.#worker.unref();
  }

  start(task: Task): void {
    if (this.#entries.size === 0) {
      this.#worker.ref();
      this.#ping();
    }
    const { order, task: number, attempt, spent, place } = task;
    this.#desk.open(number, place.wants);
    this.#post({ ...order, task: number, attempt, spent });
    const stop = place.sending((leave) => this.#desk.give(number, leave));
    this.#entries.set(number, { task, heardBytes: 0, stop });
    if (task.signal.aborted) this.cancel(number);
  }

  cancel(task: TaskNumber): void {
    if (this.#entries.has(task)) this.#post({ kind: 'cancel', task });
  }

  deny(list: DenyList): void {
    this.#post({ kind: 'deny', list });
  }

  /** Ends the thread, and drops its tasks. */
  async close(): Promise<void> {
    for (const { task } of this.#letGo()) task.done({ kind: 'dropped' });
    await this.#worker.terminate();
  }

  #post(message: ToWorker): void {
    if (this.#state !== 'dead') this.#worker.postMessage(message);
  }

  /** A thread that a bug keeps busy takes no messages any more. */
  #ping(): void {
    if (this.#unanswered === MOST_UNANSWERED) {
      const seconds = (MOST_UNANSWERED * PING_MS) / 1_000;
      this.#die({ kind: 'too-much', reason: `it held the thread up for ${seconds} s` });
      return;
    }
    this.#unanswered += 1;
    this.#post({ kind: 'ping' });
    this.#stopPings = this.#clock.after(PING_MS, () => this.#ping());
  }

  #hear(message: FromWorker): void {
    this.#unanswered = 0;
    if (this.#state === 'dead') return;
    switch (message.kind) {
      case 'pong':
        return;
      case 'pace':
        this.#desk.take(message);
        return;
      case 'event':
      case 'progress':
      case 'done':
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
        entry.task.tell(message);
        return;
      case 'progress':
        entry.task.tell(message);
        return;
      case 'done':
        this.#forget(entry);
        entry.task.done(message);
        return;
      case 'failed':
        this.#forget(entry);
        entry.task.failed(message.error);
    }
  }

  #forget({ task, stop }: Entry): void {
    stop();
    this.#desk.forget(task.task);
    this.#entries.delete(task.task);
    if (this.#entries.size > 0) return;
    this.#worker.unref();
    this.#stopPings();
    this.#unanswered = 0;
  }

  #die(cause: Death['cause']): void {
    if (this.#state === 'dead') return;
    const tasks = new Map(
      [...this.#entries.values()].map(({ task }) => [task, this.#desk.packets(task.task)]),
    );
    const [culprit] = this.#letGo().toSorted((a, b) => b.heardBytes - a.heardBytes);
    void this.#worker.terminate();
    this.#died({ cause, tasks, culprit: culprit?.task });
  }

  #letGo(): readonly Entry[] {
    this.#state = 'dead';
    this.#stopPings();
    const entries = [...this.#entries.values()];
    for (const { stop } of entries) stop();
    this.#entries.clear();
    this.#desk.closeAll();
    return entries;
  }
}

/** What the thread with sockets is given. */
export interface WorkerSettings {
  readonly network: AskedNetwork;
  /** Decides who may send when. */
  readonly pacer: MainPacer;
  /** Mebibytes of JavaScript objects in the thread. */
  readonly memoryMiB: number;
  /** What the thread runs. */
  readonly program: URL;
  readonly clock: Clock;
  /** Set if the pool is for lines. */
  readonly lines?: LineRun;
}

/** The end of a thread: why, what it had to do with the packets that each task can have sent, and which is to blame. */
export interface Death {
  readonly cause: TooMuch | { readonly kind: 'bug'; readonly error: unknown };
  readonly tasks: ReadonlyMap<Task, number>;
  readonly culprit: Task | undefined;
}

/** A thread with tasks is asked so often whether it still takes messages, and ends if it leaves so many questions unanswered. */
const PING_MS = 10_000;
const MOST_UNANSWERED = 3;

/**
 * Mebibytes for new objects in a thread, before the collector takes them for lasting ones. With twice as many, many names
 * take as much processor time and a tenth more memory: a large reply is read again each time it is needed, and what
 * that leaves behind should not lie around.
 */
const YOUNG_MIB = 8;

/** A task in the thread, and what is known of it. */
interface Entry {
  readonly task: Task;
  heardBytes: number;
  /** Takes no more notice of its leave to send. */
  readonly stop: () => void;
}
