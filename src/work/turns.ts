import { onAbort } from '../abort.ts';
import type { Pacer, Release } from '../exchange/pace.ts';
import {
  type FromWorker,
  monotonicMs,
  type TaskNumber,
  type TurnNumber,
  type TurnRequest,
} from './messages.ts';

/** Somebody in this thread who waits for leave to send. */
interface Waiting {
  readonly task: TaskNumber;
  readonly address: string;
  readonly go: (release: Release) => void;
}

/**
 * Leave that reaches this thread later than this is asked for again: the main thread counts packets
 * from the moment it gives leave, so one that left much later would come on top of those that follow.
 */
const STALE_MS = 40;

/**
 * The worker's end of pacing. Who may send when is decided in one place for all workers, the main
 * thread; requests and leave cross over in batches, one message for each turn of the event loop.
 */
export class Turns {
  readonly #post: (message: FromWorker) => void;
  readonly #waiting = new Map<TurnNumber, Waiting>();
  #asked: TurnRequest[] = [];
  #given: TurnNumber[] = [];
  #flushing = false;
  #count = 0;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  /** The pacer for one task: tasks take turns at an address. */
  pacerFor(task: TaskNumber): Pacer {
    return { acquire: (address, signal) => this.#acquire(task, address, signal) };
  }

  /** Takes in leave that the main thread gave at the moment `at`. */
  take(turns: readonly TurnNumber[], at: number): void {
    const isStale = monotonicMs() - at > STALE_MS;
    for (const turn of turns) {
      const waiting = this.#waiting.get(turn);
      if (waiting === undefined) continue;
      this.#waiting.delete(turn);
      if (isStale) {
        this.#give(turn);
        this.#ask(waiting);
      } else waiting.go(this.#releaseOf(turn));
    }
  }

  #acquire(task: TaskNumber, address: string, signal: AbortSignal): Promise<Release> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const waiting: Waiting = {
        task,
        address,
        go: (release) => {
          stay();
          resolve(release);
        },
      };
      const stay = onAbort(signal, () => {
        this.#leave(waiting);
        reject(signal.reason);
      });
      this.#ask(waiting);
    });
  }

  #ask(waiting: Waiting): void {
    this.#count += 1;
    this.#waiting.set(this.#count, waiting);
    this.#asked.push({ turn: this.#count, task: waiting.task, address: waiting.address });
    this.#flushSoon();
  }

  #leave(left: Waiting): void {
    for (const [turn, waiting] of this.#waiting) {
      if (waiting !== left) continue;
      this.#waiting.delete(turn);
      this.#give(turn);
      return;
    }
  }

  #releaseOf(turn: TurnNumber): Release {
    let held = true;
    return () => {
      if (held) this.#give(turn);
      held = false;
    };
  }

  #give(turn: TurnNumber): void {
    this.#given.push(turn);
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      const [asked, given] = [this.#asked, this.#given];
      [this.#asked, this.#given] = [[], []];
      this.#post({ kind: 'pace', asked, given });
    });
  }
}
