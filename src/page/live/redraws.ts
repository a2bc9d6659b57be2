/** What redraws need of time. */
interface RedrawClock {
  /** Milliseconds since some moment. */
  readonly now: () => number;
  /** Calls back after so many milliseconds, unless the function that it returns is called before. */
  readonly later: (run: () => void, ms: number) => () => void;
}

const BROWSER: RedrawClock = {
  now: () => performance.now(),
  later: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** So that a thousand replies in a second are drawn ten times. What comes after a rest is drawn at once. */
const LEAST_PAUSE_MS = 100;

/** Of the time, so much may go into drawing: the rest is for whoever scrolls and types. */
const SHARE = 1 / 5;

/** Says when to draw again what changes all the time: the rarer, the longer drawing takes. */
export class Redraws {
  readonly #draw: () => void;
  readonly #clock: RedrawClock;
  #stop: (() => void) | undefined;
  #begunAt: number | undefined;
  /** When the last drawing ended, and what it took. */
  #endedAt = Number.NEGATIVE_INFINITY;
  #tookMs = 0;

  constructor(draw: () => void, clock = BROWSER) {
    this.#draw = draw;
    this.#clock = clock;
  }

  /** Something has changed. */
  ask(): void {
    const pauseMs = Math.max(LEAST_PAUSE_MS, this.#tookMs / SHARE);
    this.#stop ??= this.#clock.later(
      () => {
        this.#stop = undefined;
        this.#begunAt = this.#clock.now();
        this.#draw();
      },
      Math.max(0, this.#endedAt + pauseMs - this.#clock.now()),
    );
  }

  /** It was drawn. */
  drawn(): void {
    if (this.#begunAt === undefined) return;
    this.#endedAt = this.#clock.now();
    this.#tookMs = this.#endedAt - this.#begunAt;
    this.#begunAt = undefined;
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}
