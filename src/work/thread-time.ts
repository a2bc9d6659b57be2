import { readFileSync } from 'node:fs';

/**
 * Milliseconds since some moment, without those in which this thread waited for a processor. Where the system
 * does not tell of these, they count.
 */
export function threadTime(): number {
  return performance.now() - waitedMs();
}

/** Linux has nanoseconds: run, waited, and a count. */
const SCHEDULED = '/proc/thread-self/schedstat';

function waitedMs(): number {
  try {
    return Number(readFileSync(SCHEDULED, 'latin1').split(' ')[1]) / 1e6 || 0;
  } catch {
    return 0;
  }
}
