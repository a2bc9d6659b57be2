import { readFileSync, readlinkSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';

/** Detects a thread that is stuck: it has work and sends no messages. */
export class ThreadWatch {
  readonly #plan: WatchPlan;
  #cancel: (() => void) | undefined;
  #state: 'starting' | 'alive' = 'starting';
  /** When it began, got work after a rest, or sent a message. */
  #lastWord: number;
  /** The last word before the last look, and how long the thread had waited for a processor at that look. */
  #seen = { lastWord: Number.NaN, waitedMs: 0 };

  constructor(plan: WatchPlan) {
    this.#plan = plan;
    this.#lastWord = plan.clock.now();
  }

  /** From now on the thread has work. */
  begin(): void {
    this.#lastWord = this.#plan.clock.now();
    this.#lookLater();
  }

  /** The thread has sent a message. */
  heard(): void {
    this.#state = 'alive';
    this.#lastWord = this.#plan.clock.now();
  }

  /** The thread has no more work. */
  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #lookLater(): void {
    const { clock, silenceMs } = this.#plan;
    this.#cancel = clock.after(silenceMs / 4, () => this.#look());
  }

  #look(): void {
    const { clock, silenceMs, startMs, ping, stuck } = this.#plan;
    const waitedMs = this.#plan.waitedMs();
    const limitMs = this.#state === 'starting' ? startMs : silenceMs;
    if (this.#seen.lastWord !== this.#lastWord) this.#seen = { lastWord: this.#lastWord, waitedMs };
    const waitedSince = waitedMs - this.#seen.waitedMs;
    if (clock.now() - this.#lastWord - waitedSince > limitMs) {
      stuck(`it held the thread up for ${limitMs} ms`);
      return;
    }
    ping();
    this.#lookLater();
  }
}

/** How a thread is watched. All times are in milliseconds. */
export interface WatchPlan {
  readonly clock: Clock;
  /** A thread that is silent for longer while it has work is stuck. */
  readonly silenceMs: number;
  /** The same for one that has not said anything yet: no work of ours delays its start, but a busy machine may. */
  readonly startMs: number;
  /** How long the thread has waited for a processor so far, which is nobody's fault. */
  readonly waitedMs: () => number;
  /** Asks the thread for a message. */
  readonly ping: () => void;
  readonly stuck: (reason: string) => void;
}

/**
 * Milliseconds since some moment, without those in which this thread waited for a processor. Where the system
 * does not tell of these, they count.
 */
export function threadTime(): number {
  return performance.now() - waitedMs();
}

/** Where the system tells of a thread. */
export type ThreadPlace = string;

const THIS_THREAD: ThreadPlace = '/proc/thread-self';

/** Where the system tells of this thread, for other threads of the process. Where it does not, there is nothing to read. */
export function threadPlace(): ThreadPlace {
  try {
    return `/proc/${readlinkSync(THIS_THREAD)}`;
  } catch {
    return THIS_THREAD;
  }
}

/** Milliseconds in which a thread waited for a processor; 0 where the system does not tell. */
export function waitedMs(place: ThreadPlace = THIS_THREAD): number {
  try {
    // Linux has nanoseconds: run, waited, and a count.
    return Number(readFileSync(`${place}/schedstat`, 'latin1').split(' ')[1]) / 1e6 || 0;
  } catch {
    return 0;
  }
}

/** Memory of a worker that the main thread sees: the number of the task that holds the thread, or 0. */
export type ThreadHolder = Float64Array<SharedArrayBuffer>;

/** Nobody holds the thread. */
export function newHolder(): ThreadHolder {
  return new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
}

/** From now on this task holds the thread, or none. */
export function hold(holder: ThreadHolder, task: number | 'none'): void {
  holder[0] = task === 'none' ? 0 : task;
}

/** The task that holds the thread. */
export function heldBy(holder: ThreadHolder): number | undefined {
  return holder[0] || undefined;
}
