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
