/** Time as a parameter. */
export interface Clock {
  /** Milliseconds since some fixed moment; never goes back. */
  now(): number;
  /** Calls `run` once, `ms` milliseconds from now; the function it returns prevents that. */
  after(ms: number, run: () => void): () => void;
}

/**
 * The machine's own clock. What is due runs after what has come in meanwhile: if the process was
 * busy past a time-out, replies that wait in the sockets still count.
 */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    let immediate: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // Node polls the sockets between its timers and its immediates.
      immediate = setImmediate(run);
    }, ms);
    return () => {
      clearTimeout(timer);
      clearImmediate(immediate);
    };
  },
};

/** The time from one moment to another, in milliseconds, rounded to the microsecond. */
export function between(from: number, to: number): number {
  return Math.round((to - from) * 1_000) / 1_000;
}

/** How often it is looked whether time has passed while something waits for that. */
const ROUND_MS = 10;

/** No more of the time between two rounds counts: whoever takes longer was held up. */
const MOST_MS = 30;

/**
 * A clock for asking servers that run in this process: it stands still while this thread is held up, or the one that
 * has the servers, whose `beats` are these. So a busy machine makes none of them look slow or silent: before a time-out
 * everybody has had many turns. Exact only while something is due.
 */
export function createFairClock(beats?: Beats): Clock {
  let counted = 0;
  let countedAt = performance.now();
  let heard = 0;
  let rounds: NodeJS.Timeout | undefined;
  const due = new Map<() => void, number>();

  const now = () => counted + Math.min(performance.now() - countedAt, MOST_MS);
  const count = () => {
    counted = now();
    countedAt = performance.now();
  };
  const hasBeaten = () => {
    if (beats === undefined) return true;
    const before = heard;
    heard = Atomics.load(beats, 0);
    return heard !== before;
  };
  const round = () => {
    if (!hasBeaten()) return;
    count();
    for (const [run, at] of due) if (at <= counted) run();
  };
  const forget = (run: () => void) => {
    due.delete(run);
    if (due.size > 0) return;
    clearInterval(rounds);
    rounds = undefined;
  };

  return {
    now,
    after: (ms, run) => {
      if (rounds === undefined) {
        count();
        rounds = setInterval(round, ROUND_MS);
      }
      let immediate: NodeJS.Immediate | undefined;
      const soon = () => {
        forget(soon);
        // As with the clock of the machine, what has come in meanwhile goes first.
        immediate = setImmediate(run);
      };
      due.set(soon, now() + ms);
      return () => {
        forget(soon);
        clearImmediate(immediate);
      };
    },
  };
}

/** Says to other threads that the thread which beats gets on: so many times so far. */
export type Beats = Int32Array;

/** The beats of a thread. */
interface Heartbeat {
  readonly beats: Beats;
  readonly stop: () => void;
}

/** Often enough that time-outs measured in beats are exact, rarely enough that nobody notices. */
const BEAT_MS = 15;

/** Beats at turns of this thread's event loop until it is stopped, or nothing else is left to do. */
export function startHeartbeat(): Heartbeat {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const timer = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  return { beats, stop: () => clearInterval(timer) };
}
