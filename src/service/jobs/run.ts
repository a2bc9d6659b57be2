import type { JobError } from '../../document/api/jobs.ts';
import type { TraversalEvent } from '../../document/events.ts';
import type { MetServer } from '../../fingerprint/servers-met.ts';
import { getOrMake } from '../../get-or-make.ts';
import { withoutResult } from '../../reading/conclusion.ts';
import type { Name } from '../../wire/name.ts';
import type { Engine } from '../engine/engine.ts';
import type { Evaluated } from '../engine/evaluation.ts';
import type { Ended, Job } from './job.ts';

/** What a run needs from outside. */
interface RunSurroundings {
  readonly engine: Engine;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Is told the error when a job fails through a bug. */
  readonly failed: (job: Job, error: unknown) => void;
}

/** How a run ended, and the servers it met. */
interface RunEnd {
  readonly state: Ended;
  readonly met: readonly MetServer[];
}

/** Runs the traversal of one job and logs its events. Never rejects: failing is one way to end. */
export async function runJob(job: Job, startedAt: Date, around: RunSurroundings): Promise<RunEnd> {
  const { engine, now, signal } = around;
  const sightings = new Sightings();
  job.state = { status: 'running', startedAt };
  const emit = (event: TraversalEvent) => {
    sightings.note(event);
    logEvent(job, event);
  };
  const traversed = await engine.traverse(job.request, { emit, signal }).catch((error: unknown) => {
    around.failed(job, error);
    return { kind: 'failed', error: BUG } as const;
  });
  switch (traversed.kind) {
    case 'evaluated':
      return { state: evaluatedState(traversed, startedAt, now()), met: traversed.met };
    case 'failed':
      return { state: failedState(traversed.error, startedAt, now()), met: sightings.servers() };
  }
}

const BUG: JobError = {
  title: 'Internal error',
  detail: 'The traversal failed because of an error in this service.',
};

function evaluatedState({ conclusion, result }: Evaluated, startedAt: Date, finishedAt: Date): Ended {
  const status = conclusion.status === 'cancelled' ? 'cancelled' : 'complete';
  return { status, startedAt, finishedAt, conclusion, result };
}

function failedState(error: JobError, startedAt: Date, finishedAt: Date): Ended {
  // The time of day can be set back.
  const durationMs = Math.max(0, finishedAt.getTime() - startedAt.getTime());
  const conclusion = withoutResult('failed', durationMs);
  return { status: 'failed', startedAt, finishedAt, conclusion, error };
}

/** Logs all events but `complete`: a job can also end without its traversal having come to one. */
function logEvent(job: Job, event: TraversalEvent): void {
  const { progress } = job;
  switch (event.event) {
    case 'complete':
      return;
    case 'started':
      break;
    case 'exchange':
      job.progress = { ...progress, exchanges: progress.exchanges + 1 };
      break;
    case 'progress':
      job.progress = { ...progress, pending: event.pending };
      break;
  }
  job.events.append(event);
}

/** The servers that events showed: all that is known of them when a run fails and leaves no result. */
class Sightings {
  readonly #seen = new Map<string, { readonly names: Set<Name>; readonly zones: Set<Name> }>();

  note(event: TraversalEvent): void {
    if (event.event !== 'exchange') return;
    const { address, names } = event.server;
    const seen = getOrMake(this.#seen, address, () => ({ names: new Set(), zones: new Set() }));
    for (const name of names) seen.names.add(name);
    seen.zones.add(event.zone);
  }

  servers(): readonly MetServer[] {
    return [...this.#seen].map(([address, { names, zones }]) => ({
      address,
      names: [...names].sort(),
      zones: [...zones].sort(),
    }));
  }
}
