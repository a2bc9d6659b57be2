/* Checks whether this process may take enough memory to run a service. */

import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { notDone } from './errors.ts';

/** The memory that this process may take. */
export function ownMemory(): Memory {
  // Without a limit that is more than any machine has.
  const limit = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return { limit, heap: getHeapStatistics().heap_size_limit };
}

/** Octets that a process may take: by the machine or its control group, and in the heap of its main thread. */
interface Memory {
  readonly limit: number;
  readonly heap: number;
}

/**
 * The least with which a service starts. Measured with two threads on Node 20: 105 MiB are resident with nothing to do, 190 MiB
 * at most while 24 jobs run, eight at a time, if the heap is small; with a heap of 64 MiB they end the process.
 */
export const LEAST_MEMORY: Memory = { limit: 192 * 1024 * 1024, heap: 80 * 1024 * 1024 };

/** The `CommandError` for too little memory; undefined if there is enough. */
export function tooLittleMemory(own: Memory): Error | undefined {
  if (own.limit < LEAST_MEMORY.limit)
    return notDone(
      `${mib(own.limit)} of memory are too little, ${mib(LEAST_MEMORY.limit)} are needed: raise the limit of the container or unit`,
    );
  if (own.heap < LEAST_MEMORY.heap)
    return notDone(
      `a heap of ${mib(own.heap)} is too small, ${mib(LEAST_MEMORY.heap)} are needed: raise --max-old-space-size in NODE_OPTIONS`,
    );
  return undefined;
}

function mib(octets: number): string {
  return `${Math.floor(octets / 1024 / 1024)} MiB`;
}
