/**
 * Long work that can pause: it yields wherever it may be put off, and returns its result in the end. It
 * counts its own work to know when, and never looks at a clock, so it comes to the same in any driver.
 */
export type Pausable<T> = Generator<void, T>;

/** Counts work between two pauses. */
export class Pauses {
  #since = 0;

  /** Whether it is time to pause, after some more work: as much as that of evaluating so many steps. */
  due(steps: number): boolean {
    this.#since += steps;
    if (this.#since < STEPS_BETWEEN_PAUSES) return false;
    this.#since = 0;
    return true;
  }
}

/** Few enough for a slice of a few milliseconds. */
const STEPS_BETWEEN_PAUSES = 8;

/** Does the work without a pause. */
export function runThrough<T>(work: Pausable<T>): T {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
  }
}

/** How long others wait at most, as far as the work pauses often enough. */
const SLICE_MS = 5;

/** Does the work in slices of some milliseconds; `breathe` resolves after others had their turn. */
export async function runInSlices<T>(
  work: Pausable<T>,
  breathe: () => Promise<unknown> = letOthersRun,
): Promise<T> {
  for (let since = performance.now(); ; ) {
    const next = work.next();
    if (next.done) return next.value;
    if (performance.now() - since < SLICE_MS) continue;
    await breathe();
    since = performance.now();
  }
}

/** Resolves after timers, sockets and other work had their turn. */
export function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
