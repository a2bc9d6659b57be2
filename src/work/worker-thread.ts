import { Worker } from 'node:worker_threads';
import type { Clock } from '../exchange/clock.ts';
import type { Pacer } from '../exchange/pace.ts';
import type { DenyList } from '../explore/policy.ts';
import type { AskedNetwork, FromWorker, TaskNumber, ToWorker, WorkerGiven } from './messages.ts';
import type { Task } from './task.ts';
import { tookLonger } from './too-much.ts';
import { TurnDesk } from './turn-desk.ts';

/** What every worker of a pool is given. */
export interface WorkerSettings {
  readonly network: AskedNetwork;
  /** Decides for all workers who may send when. */
  readonly pacer: Pacer;
  /** Mebibytes of JavaScript objects in one thread. */
  readonly memoryMiB: number;
  /** An evaluation that takes longer fails; one that does not even pause a little later ends with its thread. */
  readonly evaluationMs: number;
  /** A thread that is silent for longer while it has work is given up. */
  readonly silenceMs: number;
  readonly clock: Clock;
  /** What each thread runs. */
  readonly program: URL;
}

/** The end of a thread: why, what it had to do, the packets that each task can have sent, and which is to blame. */
export interface Death {
  readonly cause:
    | { readonly kind: 'too-much'; readonly reason: string }
    | { readonly kind: 'bug'; readonly error: unknown };
  readonly tasks: ReadonlyMap<Task, number>;
  readonly culprit: Task | undefined;
}

/** What a thread runs: it works from source, too. */
export const WORKER_PROGRAM = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js',
  import.meta.url,
);

/** How long an evaluation may go on before it pauses, and so hears that it is late, in milliseconds. */
const PAUSE_MS = 2_000;

/**
 * Mebibytes of new objects in a thread before the collector looks at them. A large reply is read again each
 * time it is needed, and what that leaves behind should not lie around.
 */
const YOUNG_MIB = 12;

/** A task in a worker, and what is known of it. */
interface Entry {
  readonly task: Task;
  heardBytes: number;
  cancelTimer: (() => void) | undefined;
}

/** One worker as the main thread sees it. It never throws: what goes wrong in there ends in `died`. */
export class WorkerThread {
  readonly #settings: WorkerSettings;
  readonly #died: (thread: WorkerThread, death: Death) => void;
  readonly #worker: Worker;
  readonly #desk: TurnDesk;
  readonly #entries = new Map<TaskNumber, Entry>();
  #cancelWatch: (() => void) | undefined;
  /** When it was last heard of: begun, given work after a rest, or saying something. */
  #lastWord: number;
  #state: 'alive' | 'dead' = 'alive';

  constructor(settings: WorkerSettings, died: (thread: WorkerThread, death: Death) => void) {
    this.#settings = settings;
    this.#died = died;
    this.#lastWord = settings.clock.now();
    this.#worker = new Worker(settings.program, {
      workerData: { network: settings.network, evaluationMs: settings.evaluationMs } satisfies WorkerGiven,
      resourceLimits: { maxOldGenerationSizeMb: settings.memoryMiB, maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    this.#desk = new TurnDesk(settings.pacer, (message) => this.#post(message));
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
    if (this.load === 0) this.#watch();
    this.#entries.set(task.task, { task, heardBytes: 0, cancelTimer: undefined });
    this.#desk.open(task.task);
    this.#post(task.order);
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
    if (this.#state === 'alive') this.#worker.postMessage(message);
  }

  #hear(message: FromWorker): void {
    if (this.#state === 'dead') return;
    this.#lastWord = this.#settings.clock.now();
    switch (message.kind) {
      case 'pong':
        return;
      case 'pace':
        this.#desk.take(message);
        return;
      case 'event':
      case 'evaluating':
      case 'evaluated':
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
      case 'evaluating':
        this.#limitEvaluation(entry);
        return;
      case 'evaluated':
        this.#forget(entry);
        if (entry.task.kind === 'traverse') entry.task.done(message.evaluated);
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

  #limitEvaluation(entry: Entry): void {
    const { clock, evaluationMs } = this.#settings;
    const reason = tookLonger(evaluationMs);
    this.#desk.close(entry.task.task);
    entry.cancelTimer = clock.after(evaluationMs + PAUSE_MS, () =>
      this.#die({ kind: 'too-much', reason }, entry),
    );
  }

  #forget(entry: Entry): void {
    entry.cancelTimer?.();
    this.#desk.forget(entry.task.task);
    this.#entries.delete(entry.task.task);
    if (this.load === 0) this.#unwatch();
  }

  /** While there is work, a thread that says nothing for long is stuck. */
  #watch(): void {
    const { clock, silenceMs } = this.#settings;
    const reason = `it held the thread up for ${silenceMs} ms`;
    this.#worker.ref();
    this.#lastWord = clock.now();
    const look = () => {
      if (clock.now() - this.#lastWord > silenceMs) return this.#die({ kind: 'too-much', reason });
      this.#post({ kind: 'ping' });
      this.#cancelWatch = clock.after(silenceMs / 4, look);
    };
    this.#cancelWatch = clock.after(silenceMs / 4, look);
  }

  #unwatch(): void {
    this.#cancelWatch?.();
    this.#cancelWatch = undefined;
    this.#worker.unref();
  }

  #die(cause: Death['cause'], culprit: Entry | undefined = this.#heaviest()): void {
    if (this.#state === 'dead') return;
    this.#state = 'dead';
    const tasks = new Map(this.tasks.map((task) => [task, this.#desk.packets(task.task)]));
    this.#letGo();
    void this.#worker.terminate();
    this.#died(this, { cause, tasks, culprit: culprit?.task });
  }

  #letGo(): void {
    this.#unwatch();
    for (const entry of this.#entries.values()) entry.cancelTimer?.();
    this.#entries.clear();
    this.#desk.closeAll();
  }

  #heaviest(): Entry | undefined {
    return [...this.#entries.values()].sort((a, b) => b.heardBytes - a.heardBytes)[0];
  }
}

function causeOf(error: unknown): Death['cause'] {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isFull ? { kind: 'too-much', reason: 'the thread ran out of memory' } : { kind: 'bug', error };
}
