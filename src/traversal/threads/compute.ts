import { type Transferable, Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.ts';
import { type Bidder, type Blocks, TurnLine } from '../../base/turn-line.ts';

/**
 * Threads that own no socket, for work that takes long: each does one order at a time, and parties take turns. A thread that
 * takes too much time or memory is ended, and its order alone fails. Threads start when they are needed, and go when they
 * have had nothing to do for a while.
 */
export class ComputePool<Order, Reply> {
  readonly #settings: ComputeSettings;
  readonly #line = new TurnLine<Waiting<Order, Reply>>();
  /** What each thread does, and how its timer is stopped. */
  readonly #threads = new Map<Worker, Hand<Order, Reply>>();
  #state: 'open' | 'closed' = 'open';

  constructor(settings: ComputeSettings) {
    this.#settings = settings;
  }

  /** Rejects for a bug. `transfer`: what of the order changes hands. */
  run(order: Order, blocks: Blocks, transfer: readonly Transferable[] = []): Promise<Computed<Reply>> {
    const { mostWaitingOfParty = Number.POSITIVE_INFINITY } = this.#settings;
    return new Promise((done, failed) => {
      if (this.#state === 'closed') return done({ kind: 'dropped' });
      if (this.#line.lengthOf(blocks[0].name) >= mostWaitingOfParty) return done({ kind: 'busy' });
      this.#join({ order, blocks, transfer, done, failed });
    });
  }

  /** Ends all threads. What they do, what waits and what follows is dropped. */
  readonly close = async (): Promise<void> => {
    this.#state = 'closed';
    for (const { inHand } of this.#threads.values()) inHand?.done({ kind: 'dropped' });
    for (let one = this.#line.next(); one !== undefined; one = this.#line.next())
      one.done({ kind: 'dropped' });
    await Promise.all([...this.#threads.keys()].map((thread) => this.#end(thread)));
  };

  #join(waiting: Waiting<Order, Reply>): void {
    const { mostWaiting = Number.POSITIVE_INFINITY } = this.#settings;
    if (this.#line.length >= mostWaiting) {
      const victim = this.#line.crowdedOutBy(waiting) ?? waiting;
      victim.done({ kind: 'busy' });
      if (victim === waiting) return;
      this.#line.leave(victim);
    }
    this.#line.join(waiting);
    this.#next();
  }

  #next(): void {
    const [free] = [...this.#threads].find(([, { inHand }]) => inHand === undefined) ?? [];
    if (free === undefined && this.#threads.size >= this.#settings.threads) return;
    const first = this.#line.next();
    if (first === undefined) return;
    const thread = free ?? this.#newThread();
    const { clock, mostMs } = this.#settings;
    const giveUp = () => this.#lose(thread, `it took longer than ${mostMs} ms`);
    this.#hold(thread, {
      inHand: first,
      stopTimer: mostMs === undefined ? () => {} : clock.after(mostMs, giveUp),
    });
    thread.ref();
    thread.postMessage(first.order, first.transfer);
  }

  #newThread(): Worker {
    const { program, memoryMiB, youngMiB } = this.#settings;
    const thread = new Worker(program, {
      resourceLimits: {
        maxOldGenerationSizeMb: memoryMiB,
        ...(youngMiB !== undefined && { maxYoungGenerationSizeMb: youngMiB }),
      },
    });
    thread.on('message', (reply: Reply) => {
      this.#threads.get(thread)?.inHand?.done({ kind: 'done', reply });
      this.#rest(thread);
    });
    thread.on('error', (error) => this.#lose(thread, outOfMemory(error)?.reason ?? error));
    thread.on('exit', (code) => this.#lose(thread, new Error(`a thread ended with ${code}`)));
    return thread;
  }

  #rest(thread: Worker): void {
    if (!this.#threads.has(thread)) return;
    thread.unref();
    const stopTimer = this.#settings.clock.after(IDLE_MS, () => void this.#end(thread));
    this.#hold(thread, { inHand: undefined, stopTimer });
    this.#next();
  }

  #hold(thread: Worker, hand: Hand<Order, Reply>): void {
    this.#threads.get(thread)?.stopTimer();
    this.#threads.set(thread, hand);
  }

  /** The thread is of no more use, and what it did is to blame, for a reason or because of a bug. The others go on in another. */
  #lose(thread: Worker, why: string | Error): void {
    const culprit = this.#threads.get(thread)?.inHand;
    void this.#end(thread);
    if (typeof why === 'string') culprit?.done({ kind: 'too-much', reason: why });
    else culprit?.failed(why);
    if (this.#state === 'open') this.#next();
  }

  async #end(thread: Worker): Promise<void> {
    this.#threads.get(thread)?.stopTimer();
    this.#threads.delete(thread);
    await thread.terminate();
  }
}

/** How orders are done. */
export interface ComputeSettings {
  readonly clock: Clock;
  /** The program of each thread: it replies once to each order. */
  readonly program: URL;
  readonly threads: number;
  /** Mebibytes of JavaScript objects in one thread. */
  readonly memoryMiB: number;
  /** Of which so many for new ones, before the collector takes them for lasting ones; absent: as Node has it. */
  readonly youngMiB?: number;
  /** How long one order may take; absent: as long as it likes. */
  readonly mostMs?: number;
  /** Orders that may wait beside those in hand, and those of one party; absent: any number. */
  readonly mostWaiting?: number;
  readonly mostWaitingOfParty?: number;
}

/** What became of an order. */
export type Computed<Reply> = { readonly kind: 'done'; readonly reply: Reply } | NotComputed;

/** Why an order was not done. */
export type NotComputed =
  | TooMuch
  /** As much waits as may, of everybody or of this party; or the order had to make room for a party that has fewer. */
  | { readonly kind: 'busy' }
  | Dropped;

/** The pool was closed. */
export interface Dropped {
  readonly kind: 'dropped';
}

/** It took too much time or memory. */
export interface TooMuch {
  readonly kind: 'too-much';
  readonly reason: string;
}

/** An error of this program. */
export interface Bug {
  readonly kind: 'bug';
  readonly error: unknown;
}

/** Whether a thread has ended because its memory was full. */
export function outOfMemory(error: unknown): TooMuch | undefined {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isFull ? { kind: 'too-much', reason: 'the thread ran out of memory' } : undefined;
}

/** A thread that has nothing to do goes: it keeps the memory that it once had. */
const IDLE_MS = 60_000;

interface Waiting<Order, Reply> extends Bidder {
  readonly order: Order;
  readonly transfer: readonly Transferable[];
  readonly done: (computed: Computed<Reply>) => void;
  readonly failed: (error: unknown) => void;
}

interface Hand<Order, Reply> {
  readonly inHand: Waiting<Order, Reply> | undefined;
  readonly stopTimer: () => void;
}
