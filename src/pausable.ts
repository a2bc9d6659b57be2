/**
 * Long work that can pause: it yields wherever it may be put off, and returns its result in the end. It
 * counts its own work to know when, and never looks at a clock, so it comes to the same in any driver.
 */
export type Pausable<T> = Generator<void, T>;

/** Does something with each of many things. It can pause after each. */
export function* forEachInTurn<T>(things: Iterable<T>, act: (thing: T) => void): Pausable<void> {
  for (const thing of things) {
    act(thing);
    yield;
  }
}

/** Counts work between two pauses. */
export class Pauses {
  #since = 0;

  /** Whether it is time to pause, after some more work: as much as that of evaluating so many steps. */
  due(steps: number): boolean {
    if (pace === 'without-pause') return false;
    this.#since += steps;
    if (this.#since < STEPS_BETWEEN_PAUSES) return false;
    this.#since = 0;
    return true;
  }
}

/** Few enough for a slice of a few milliseconds. */
const STEPS_BETWEEN_PAUSES = 8;

/** How the work is done that is being done now. A pause that nobody makes use of still takes time in all who wait for it. */
let pace: 'with-pauses' | 'without-pause' = 'with-pauses';

/** Does the work without a pause. */
export function runThrough<T>(work: Pausable<T>): T {
  const before = pace;
  pace = 'without-pause';
  try {
    for (;;) {
      const next = work.next();
      if (next.done) return next.value;
    }
  } finally {
    pace = before;
  }
}

/** How long others usually wait at most, as far as the work pauses often enough. */
const SLICE_MS = 5;

/** How slices are cut. */
interface Slicing {
  /** Resolves after others had their turn. */
  readonly breathe?: () => Promise<unknown>;
  /** Milliseconds since some moment. */
  readonly now?: () => number;
  /** Milliseconds of a slice. */
  readonly sliceMs?: number;
}

/** Does the work in slices of some milliseconds. */
export async function runInSlices<T>(work: Pausable<T>, slicing: Slicing = {}): Promise<T> {
  const { breathe = letOthersRun, now = () => performance.now(), sliceMs = SLICE_MS } = slicing;
  for (let since = now(); ; ) {
    const next = work.next();
    if (next.done) return next.value;
    if (now() - since < sliceMs) continue;
    await breathe();
    since = now();
  }
}

/** Who waits to go on in this thread, first come first. */
const waiting: (() => void)[] = [];

/**
 * Resolves after timers, sockets and other work had their turn. Of several who wait one goes on at a time,
 * so that however many there are, timers and sockets wait for one slice at most.
 */
export function letOthersRun(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(goOn);
  });
}

function goOn(): void {
  const first = waiting.shift();
  if (waiting.length > 0) setImmediate(goOn);
  first?.();
}
