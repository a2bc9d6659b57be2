import type { MetServer } from '../../fingerprint/servers-met.ts';
import { withoutResult } from '../../reading/conclusion.ts';
import type { TraversalEvent } from '../../traverse.ts';
import type { Name } from '../../wire/name.ts';
import type { Engine } from '../engine/engine.ts';
import type { Traversed } from '../engine/evaluation.ts';
import { type Ended, type Job, type JobError, JobFailure } from './job.ts';

/** What a run needs from outside. */
export interface RunSurroundings {
  readonly engine: Engine;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Is told what went wrong when a job fails: a bug. */
  readonly failed: (job: Job, error: unknown) => void;
}

/** How a run ended, and the servers it met. */
export interface RunEnd {
  readonly state: Ended;
  readonly met: readonly MetServer[];
}

/** Runs one job's traversal and logs its events. Never rejects: a failure is an end like others. */
export async function runJob(job: Job, startedAt: Date, around: RunSurroundings): Promise<RunEnd> {
  const { engine, now, signal } = around;
  const sightings = new Sightings();
  job.state = { status: 'running', startedAt };
  const emit = (event: TraversalEvent) => {
    sightings.note(event);
    logEvent(job, event);
  };
  try {
    const traversed = await engine.traverse(job.request, { emit, signal });
    return { state: endOf(traversed, startedAt, now()), met: traversed.met };
  } catch (error) {
    if (!(error instanceof JobFailure)) around.failed(job, error);
    const told = error instanceof JobFailure ? error.told : FAULT;
    return { state: failureOf(told, startedAt, now()), met: sightings.servers() };
  }
}

const FAULT: JobError = {
  title: 'Internal error',
  detail: 'The traversal failed through a fault of this service.',
};

function endOf(traversed: Traversed, startedAt: Date, finishedAt: Date): Ended {
  const { conclusion, result } = traversed;
  // Only the traversal's own end is told here.
  const status = conclusion.status === 'cancelled' ? 'cancelled' : 'complete';
  return { status, startedAt, finishedAt, conclusion, result };
}

function failureOf(error: JobError, startedAt: Date, finishedAt: Date): Ended {
  // The time of day can be put back.
  const durationMs = Math.max(0, finishedAt.getTime() - startedAt.getTime());
  const conclusion = withoutResult('failed', durationMs);
  return { status: 'failed', startedAt, finishedAt, conclusion, error };
}

/** The end is not logged here: it is an event of the job, which also ends in other ways. */
function logEvent(job: Job, { event, ...data }: TraversalEvent): void {
  if (event === 'complete') return;
  job.events.append(event, JSON.stringify(data));
  if (event === 'exchange') job.progress = { ...job.progress, exchanges: job.progress.exchanges + 1 };
  if ('pending' in data) job.progress = { ...job.progress, pending: data.pending };
}

/** The servers seen in events: all there is when a run fails and leaves no result. */
class Sightings {
  readonly #zones = new Map<string, Set<Name>>();

  note(event: TraversalEvent): void {
    if (event.event !== 'exchange') return;
    const { address } = event.server;
    const zones = this.#zones.get(address);
    if (zones === undefined) this.#zones.set(address, new Set([event.zone]));
    else zones.add(event.zone);
  }

  servers(): readonly MetServer[] {
    return [...this.#zones].map(([address, zones]) => ({ address, names: [], zones: [...zones].sort() }));
  }
}
