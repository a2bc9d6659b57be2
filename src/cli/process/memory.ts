/* Checks whether this process may take enough memory to run a service. */

import { totalmem } from 'node:os';
import { notDone } from './errors.ts';

/** The memory that this process may take. */
export function ownMemory(): Memory {
  // Without a limit that is more than any machine has.
  const limit = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return { limit, heap: heapSetBy([process.env.NODE_OPTIONS ?? '', ...process.execArgv].join(' ')) };
}

/**
 * The heap that options of Node set, in octets: the last one counts. The limit that V8 names has room for new objects besides,
 * 48 MiB of it in Node 20, 192 in Node 24.
 */
export function heapSetBy(options: string): number {
  const [, mebibytes] = [...options.matchAll(/--max[-_]old[-_]space[-_]size[= ](\d+)/g)].at(-1) ?? [];
  return mebibytes === undefined ? Number.POSITIVE_INFINITY : Number(mebibytes) * MIB;
}

/** Octets that a process may take: by the machine or its control group, and for lasting objects of its main thread. */
interface Memory {
  readonly limit: number;
  /** Infinity if nobody has set it. */
  readonly heap: number;
}

const MIB = 1024 * 1024;

/**
 * The least with which a service starts. Measured with two threads: 105 MiB are resident with nothing to do, 190 MiB at most
 * while 24 jobs run, eight at a time, if the heap is small; with a heap of 16 MiB they end the process, on Node 20 and 24.
 */
export const LEAST_MEMORY: Memory = { limit: 192 * MIB, heap: 32 * MIB };

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
  return `${Math.floor(octets / MIB)} MiB`;
}
