/**
 * Long work that can pause: its driver yields between steps, wherever the work may be put off, and returns the result in
 * the end. It never looks at a clock, so it comes to the same however it is run.
 */
export type Pausable<T> = Generator<void, T>;

/** Does something with each of many things. It can pause after each. */
export function* forEachInTurn<T>(things: Iterable<T>, act: (thing: T) => void): Pausable<void> {
  for (const thing of things) {
    act(thing);
    yield;
  }
}

/** Does the work without a pause. */
export function runThrough<T>(work: Pausable<T>): T {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
  }
}

/** How long others usually wait at most, as far as steps are short. */
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

/** Does the work until `ended` returns something, which is then the result. */
export function* unlessEnded<T, End>(work: Pausable<T>, ended: () => End | undefined): Pausable<T | End> {
  for (;;) {
    const end = ended();
    if (end !== undefined) return end;
    const next = work.next();
    if (next.done) return next.value;
    yield;
  }
}

/** Does what of the work there is time for, in slices, until something else has ended; resolves with the rest of it. */
export async function workUntil<T>(other: Promise<unknown>, work: Pausable<T>): Promise<Pausable<T>> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  other.then(end, end);
  await letOthersRun();
  return await runInSlices(unlessEnded(whole(work), () => (isOver ? work : undefined)));
}

/** Does the work, and wraps its result as work that only returns it. */
function* whole<T>(work: Pausable<T>): Pausable<Pausable<T>> {
  const value = yield* work;
  return (function* () {
    yield;
    return value;
  })();
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
