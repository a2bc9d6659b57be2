import { availableParallelism } from 'node:os';
import { LIMITS } from '../../base/limits.ts';
import { FINGERPRINTS_AT_ONCE } from '../../service/jobs/fingerprints.ts';
import type { ServiceSettings } from '../../service/settings.ts';
import { QUESTIONS } from '../../traversal/fingerprint.ts';
import {
  allot,
  type DescriptorUse,
  type JobBounds,
  jobsWithin,
  ownDescriptors,
  tooFewDescriptors,
} from '../process/descriptors.ts';

/** Reckons what the descriptors allow that are left now. Throws a `CommandError` if they are too few for anything. */
export function serveBounds(settings: ServiceBounds): ServeBounds {
  const { maxJobs, maxJobsPerClient, maxConnections: connections } = settings;
  const jobs = { maxJobs, maxJobsPerClient, perTraversalInFlight: LIMITS.perTraversalInFlight.default };
  const use = { connections, queries: queriesFor(maxJobs), threads: availableParallelism() };
  return boundsWithin({ use, jobs });
}

/** How much a service takes on: what it is meant to, or less if the limit on open files allows no more. */
export interface ServeBounds {
  readonly use: DescriptorUse;
  readonly jobs: JobBounds;
  /** The limit, if it is to blame for less. */
  readonly limitedTo?: number;
}

type ServiceBounds = Pick<ServiceSettings, 'maxJobs' | 'maxJobsPerClient' | 'maxConnections'>;

/** The same bounds, or less if fewer descriptors are left meanwhile. Throws as `serveBounds` does. */
export function boundsWithin(bounds: ServeBounds): ServeBounds {
  const own = ownDescriptors();
  if (own === undefined) return bounds;
  const allotment = allot(own, bounds.use);
  if (allotment.kind === 'too-few') throw tooFewDescriptors(own, allotment);
  const { use } = allotment;
  const jobs = use.queries < bounds.use.queries ? jobsWithin(use.queries, bounds.jobs) : bounds.jobs;
  return isLess(use, bounds.use) ? { use, jobs, limitedTo: own.limit } : { ...bounds, use, jobs };
}

/**
 * A share for each job that may run, so that a job whose name servers are dead does not slow the others, and
 * room beside it for fingerprinting, so that it takes nothing from traversals.
 */
function queriesFor(maxJobs: number): number {
  const { perTraversalInFlight, totalInFlight } = LIMITS;
  const wanted = perTraversalInFlight.default * maxJobs + FINGERPRINTS_AT_ONCE * QUESTIONS;
  return Math.max(totalInFlight.default, Math.min(totalInFlight.most, wanted));
}

function isLess(one: DescriptorUse, other: DescriptorUse): boolean {
  return one.connections < other.connections || one.queries < other.queries || one.threads < other.threads;
}
