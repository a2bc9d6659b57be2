/** So that a thousand replies in a second are drawn ten times. */
const LEAST_PAUSE_MS = 100;

/** Of the time, so much may go into drawing: the rest is for whoever scrolls and types. */
const SHARE = 1 / 5;

/** Says when to draw again what changes all the time: the rarer, the longer drawing takes. */
export class Redraws {
  readonly #draw: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #begunAt = 0;
  #tookMs = 0;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** Something has changed. */
  ask(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        this.#begunAt = performance.now();
        this.#draw();
      },
      Math.max(LEAST_PAUSE_MS, this.#tookMs / SHARE),
    );
  }

  /** It was drawn. */
  drawn(): void {
    if (this.#begunAt === 0) return;
    this.#tookMs = performance.now() - this.#begunAt;
    this.#begunAt = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
