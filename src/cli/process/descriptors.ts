/* Counts the descriptors that this process may open, and allots them to queries, connections and jobs. */

import { readdirSync, readFileSync } from 'node:fs';
import { notDone } from './errors.ts';

/** The descriptors of this process; undefined if there is no limit. Node has raised its own to the most allowed. */
export function ownDescriptors(): Descriptors | undefined {
  return quickDescriptors() ?? described(limitInReport());
}

/** What a process that has just started has open, where the system does not tell. */
const USUALLY_OPEN = 32;

/** As `ownDescriptors`; undefined also where finding out takes long. */
export function quickDescriptors(): Descriptors | undefined {
  try {
    return described(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

/** Where no file says it, Node's diagnostic report does, which takes longer to write. */
function limitInReport(): string | undefined {
  const report = JSON.stringify(process.report.getReport());
  return /"open_files":\{"soft":(\d+)/.exec(report)?.[1];
}

function described(digits: string | undefined): Descriptors | undefined {
  return digits === undefined ? undefined : { limit: Number(digits), open: countOpen() };
}

function countOpen(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return USUALLY_OPEN;
  }
}

/** The `CommandError` for a limit that leaves too little. */
export function tooFewDescriptors({ limit }: Descriptors, { needed }: { readonly needed: number }): Error {
  return notDone(`${limit} open files are too few, ${needed} are needed: raise the limit (ulimit -n)`);
}

/** Descriptors: how many the process may have open at once, and how many it has. */
interface Descriptors {
  readonly limit: number;
  readonly open: number;
}

/** The users of descriptors: each connection and each query in flight takes one, each thread some. */
export interface DescriptorUse {
  readonly connections: number;
  readonly queries: number;
  readonly threads: number;
}

/** The share of the wanted numbers that the limit allows. */
type Allotment =
  | { readonly kind: 'allotted'; readonly use: DescriptorUse }
  /** Not even the least can be had. `needed` is the limit that would do. */
  | { readonly kind: 'too-few'; readonly needed: number };

/** Descriptors of one thread, and of a file that it loads. */
const PER_THREAD = 6;

/**
 * Files that are read one after another, connections that are turned away, those to a webhook receiver, and the
 * thread that renders.
 */
const PASSING = 16 + PER_THREAD;

/** With less than this no job would end, or nobody would hear of it. */
const LEAST = { connections: 4, queries: 4, threads: 1 } as const;

/**
 * Shares out the descriptors that are left: a service that runs out of them can neither accept connections
 * nor ask name servers, and it could not even say so. Of what is scarce, threads get a quarter at most, and
 * queries a third of the rest.
 */
export function allot({ limit, open }: Descriptors, wanted: DescriptorUse): Allotment {
  const spare = limit - open - PASSING;
  const threads = within(LEAST.threads, Math.floor(spare / 4 / PER_THREAD), wanted.threads);
  const free = spare - PER_THREAD * threads;
  const least = Math.min(LEAST.connections, wanted.connections) + Math.min(LEAST.queries, wanted.queries);
  if (free < least) return { kind: 'too-few', needed: limit - free + least };
  const share = Math.max(Math.floor(free / 3), free - wanted.connections);
  const queries = within(LEAST.queries, share, wanted.queries);
  const connections = Math.min(wanted.connections, free - queries);
  return { kind: 'allotted', use: { connections, queries, threads } };
}

/** The value, unless it is less than the least or more than the most, which is the stronger bound. */
function within(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** How many jobs run at once, and what each may have in flight. */
export interface JobBounds {
  readonly maxJobs: number;
  readonly maxJobsPerClient: number;
  readonly perTraversalInFlight: number;
}

/** With fewer in flight, a job whose servers are silent would hardly get on. */
const QUERIES_PER_JOB = 8;

/** Fewer jobs at once, each with a smaller share, if there can be only so many queries in flight. */
export function jobsWithin(queries: number, wanted: JobBounds): JobBounds {
  const maxJobs = within(1, Math.floor(queries / QUERIES_PER_JOB), wanted.maxJobs);
  const maxJobsPerClient = Math.ceil((wanted.maxJobsPerClient * maxJobs) / wanted.maxJobs);
  const perTraversalInFlight = Math.min(wanted.perTraversalInFlight, Math.ceil(queries / maxJobs));
  return { maxJobs, maxJobsPerClient, perTraversalInFlight };
}
