import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Milliseconds since some moment, without those in which this thread waited for a processor. Where the system
 * does not tell of these, they count.
 */
export function threadTime(): number {
  return performance.now() - waitedMs();
}

/** Where the system tells of a thread. */
export type ThreadPlace = string;

const THIS_THREAD: ThreadPlace = '/proc/thread-self';

/** Where the system tells of this thread, for other threads of the process. Where it does not, there is nothing to read. */
export function threadPlace(): ThreadPlace {
  try {
    return `/proc/${readlinkSync(THIS_THREAD)}`;
  } catch {
    return THIS_THREAD;
  }
}

/** Milliseconds in which a thread waited for a processor; 0 where the system does not tell. */
export function waitedMs(place: ThreadPlace = THIS_THREAD): number {
  try {
    // Linux has nanoseconds: run, waited, and a count.
    return Number(readFileSync(`${place}/schedstat`, 'latin1').split(' ')[1]) / 1e6 || 0;
  } catch {
    return 0;
  }
}
