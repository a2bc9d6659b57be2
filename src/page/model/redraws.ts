/** Says when to draw again what changes all the time: the rarer, the longer drawing takes. */
export class Redraws {
  readonly #draw: () => void;
  readonly #clock: RedrawClock;
  #stop: (() => void) | undefined;
  #begunAt: number | undefined;
  /** When all pauses are over that drawing so far is to have. */
  #restedAt = Number.NEGATIVE_INFINITY;

  constructor(draw: () => void, clock = BROWSER) {
    this.#draw = draw;
    this.#clock = clock;
  }

  /** Asks for a redraw. */
  ask(): void {
    this.#stop ??= this.#clock.later(
      () => {
        this.#stop = undefined;
        this.#begunAt = this.#clock.now();
        this.#draw();
      },
      Math.max(0, this.#restedAt - CREDIT_MS - this.#clock.now()),
    );
  }

  /** It was drawn. */
  drawn(): void {
    if (this.#begunAt === undefined) return;
    const endedAt = this.#clock.now();
    const tookMs = endedAt - this.#begunAt;
    this.#begunAt = undefined;
    this.#restedAt = Math.max(this.#restedAt, endedAt) + Math.max(LEAST_PAUSE_MS, tookMs / SHARE);
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}

/** The clock for redraws. */
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

/** So that a thousand replies in a second are drawn ten times. */
const LEAST_PAUSE_MS = 100;

/** So much of the pauses may come later: what comes after a rest is drawn at once, and so is what follows soon. */
const CREDIT_MS = 2 * LEAST_PAUSE_MS;

/** The share of time that drawing may take: the rest is for scrolling and typing. */
const SHARE = 1 / 5;
