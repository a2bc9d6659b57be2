import type { Clock } from '../exchange/clock.ts';

/** What is watched, and what is done about it. All times are in milliseconds. */
export interface WatchPlan {
  readonly clock: Clock;
  /** A thread that is silent for longer while it has work is stuck. */
  readonly silenceMs: number;
  /** The same for one that has not said anything yet: no work of ours delays its start, but a busy machine may. */
  readonly startMs: number;
  /** How long the thread has waited for a processor so far, which is nobody's fault. */
  readonly waitedMs: () => number;
  /** Has the thread say something. */
  readonly ping: () => void;
  readonly stuck: (reason: string) => void;
}

/** Finds out whether a thread still gets on with its work. */
export class ThreadWatch {
  readonly #plan: WatchPlan;
  #cancel: (() => void) | undefined;
  #state: 'starting' | 'alive' = 'starting';
  /** When it was last heard of: begun, given work after a rest, or saying something. */
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

  /** The thread has said something. */
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
    const patienceMs = this.#state === 'starting' ? startMs : silenceMs;
    if (this.#seen.lastWord !== this.#lastWord) this.#seen = { lastWord: this.#lastWord, waitedMs };
    const waitedSince = waitedMs - this.#seen.waitedMs;
    if (clock.now() - this.#lastWord - waitedSince > patienceMs) {
      stuck(`it held the thread up for ${patienceMs} ms`);
      return;
    }
    ping();
    this.#lookLater();
  }
}
