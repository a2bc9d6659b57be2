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
