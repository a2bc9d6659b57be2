import { Worker } from 'node:worker_threads';
import { onAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Blocks } from '../../base/turn-line.ts';
import type { MainPacer } from '../../exchange/pacer.ts';
import type { DenyList } from '../../explore/policy.ts';
import { type Bug, type Dropped, outOfMemory, type TooMuch } from './compute.ts';
import type { LineRun } from './lines.ts';
import {
  ALL_TASKS,
  type AskedNetwork,
  type Attempt,
  type FromWorker,
  type SendingLeave,
  type TaskNews,
  type TaskNumber,
  type TaskOrder,
  type TaskReply,
  type ToWorker,
  type WorkerGiven,
} from './messages.ts';
import { MainTurns } from './turns.ts';

/** The thread with sockets, as the main thread sees it. Whatever goes wrong in there is an end of its tasks. */
export class WorkerThread {
  readonly #clock: Clock;
  readonly #worker: Worker;
  readonly #desk: MainTurns;
  readonly #tasks = new Map<TaskNumber, Entry>();
  #count = 0;
  #state: 'alive' | 'dead' = 'alive';
  /** Pings since its last message. */
  #unanswered = 0;
  #stopPings: () => void = () => {};

  constructor({ network, lines, memoryMiB, program, pacer, clock }: WorkerSettings) {
    this.#clock = clock;
    this.#worker = new Worker(program, {
      workerData: { network, ...(lines && { lines }) } satisfies WorkerGiven,
      resourceLimits: { maxOldGenerationSizeMb: memoryMiB, maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    this.#desk = new MainTurns(pacer, (message) => this.#post(message));
    this.#desk.open(ALL_TASKS);
    this.#worker.on('message', (message: FromWorker) => this.#hear(message));
    this.#worker.on('messageerror', (error) => this.#die({ kind: 'bug', error }));
    this.#worker.on('error', (error) => this.#die(outOfMemory(error) ?? { kind: 'bug', error }));
    this.#worker.on('exit', (code) =>
      this.#die({ kind: 'bug', error: new Error(`a worker thread ended with ${code}`) }),
    );
    this.#worker.unref();
  }

  get isAlive(): boolean {
    return this.#state === 'alive';
  }

  /** Resolves when the task has ended, in whatever way. */
  run(order: TaskOrder & Attempt, { place, signal, tell }: TaskWatch): Promise<TaskEnd> {
    this.#count += 1;
    const task = this.#count;
    this.#desk.open(task, place.wants);
    this.#post({ ...order, task });
    if (this.#tasks.size === 0) {
      this.#worker.ref();
      this.#ping();
    }
    const unfollow = place.sending((leave) => this.#desk.give(task, leave));
    const forget = onAbort(signal, () => this.#post({ kind: 'cancel', task }));
    return new Promise((resolve) => {
      const end = (end: TaskEnd) => {
        unfollow();
        forget();
        this.#desk.forget(task);
        this.#tasks.delete(task);
        if (this.#tasks.size === 0) this.#rest();
        resolve(end);
      };
      this.#tasks.set(task, { tell, heardBytes: 0, end });
    });
  }

  deny(list: DenyList): void {
    this.#post({ kind: 'deny', list });
  }

  /** Ends the thread, and drops its tasks. */
  async close(): Promise<void> {
    this.#state = 'dead';
    for (const { end } of this.#tasks.values()) end({ kind: 'dropped' });
    this.#desk.closeAll();
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

  #rest(): void {
    this.#worker.unref();
    this.#stopPings();
    this.#unanswered = 0;
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
        this.#tell(message.task, message);
        return;
      case 'ended':
        this.#tasks.get(message.task)?.end(message.end);
    }
  }

  #tell(task: TaskNumber, news: TaskNews): void {
    const entry = this.#tasks.get(task);
    if (entry === undefined) return;
    if (news.kind === 'event' && news.event.event === 'exchange') entry.heardBytes += news.event.heardBytes;
    entry.tell(news);
  }

  /** The task that has heard most is to blame; the others were only its neighbours. */
  #die(cause: TooMuch | Bug): void {
    if (this.#state === 'dead') return;
    this.#state = 'dead';
    void this.#worker.terminate();
    const [culprit] = [...this.#tasks.values()].sort((a, b) => b.heardBytes - a.heardBytes);
    for (const [task, entry] of this.#tasks) {
      const packets = this.#desk.packets(task);
      entry.end(entry === culprit ? cause : { kind: 'lost', cause, packets });
    }
    this.#desk.closeAll();
  }
}

/** The place of a traversal among others that share its threads and rates. */
export interface TraversalPlace {
  /** Its party, and the blocks that the party is in: parties take turns. */
  readonly blocks: Blocks;
  /**
   * Calls `tell` at once with whether the traversal may send, and at each change until the returned function is called. Without
   * leave, the packets that it wants to send wait; those on their way go on.
   */
  readonly sending: (tell: (leave: SendingLeave) => void) => () => void;
  /** Is told how many packets the traversal wants to send, whenever that changes. */
  readonly wants: (packets: number) => void;
}

/** The place of a traversal that shares nothing. */
export const ALONE: TraversalPlace = {
  blocks: [{ name: '', step: 1 }],
  sending: () => () => {},
  wants: () => {},
};

/** Who waits for a task. */
export interface TaskWatch {
  readonly place: TraversalPlace;
  /** Stops it. */
  readonly signal: AbortSignal;
  /** Is told what happens meanwhile. Must not throw. */
  readonly tell: (news: TaskNews) => void;
}

/** How a task ended: with its reply, or without. */
export type TaskEnd =
  | TaskReply
  /** Its thread died of it. */
  | TooMuch
  | Bug
  /** Its thread died of another task. `packets`: how many it can have sent. */
  | { readonly kind: 'lost'; readonly cause: TooMuch | Bug; readonly packets: number }
  | Dropped;

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

/** A thread with tasks is asked so often whether it still takes messages, and ends if it leaves so many questions unanswered. */
const PING_MS = 10_000;
const MOST_UNANSWERED = 3;

/**
 * Mebibytes for new objects in a thread, before the collector takes them for lasting ones. With twice as many, many names
 * take as much processor time and a tenth more memory: a large reply is read again each time it is needed, and what
 * that leaves behind should not lie around.
 */
const YOUNG_MIB = 8;

/** A task in the thread. */
interface Entry {
  readonly tell: TaskWatch['tell'];
  readonly end: (end: TaskEnd) => void;
  heardBytes: number;
}
