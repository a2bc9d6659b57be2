import type { JobError } from '../../document/api/jobs.ts';
import type { MetServer } from '../../fingerprint/servers-met.ts';
import { getOrMake } from '../../get-or-make.ts';
import { withoutResult } from '../../reading/conclusion.ts';
import type { Name } from '../../wire/name.ts';
import { type Evaluated, serialisedConclusion } from '../../work/evaluation.ts';
import type { SerialisedEvent } from '../../work/messages.ts';
import type { Engine } from '../engine/engine.ts';
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
  const emit = (event: SerialisedEvent) => {
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
    case 'failed': {
      const end = endWithoutResult('failed', startedAt, now());
      return { state: { ...end, status: 'failed', error: traversed.error }, met: sightings.servers() };
    }
    case 'dropped': {
      const end = endWithoutResult('cancelled', startedAt, now());
      return { state: { ...end, status: 'cancelled' }, met: sightings.servers() };
    }
  }
}

const BUG: JobError = {
  title: 'Internal error',
  detail: 'The traversal failed because of an error in this service.',
};

function evaluatedState({ conclusion, result }: Evaluated, startedAt: Date, finishedAt: Date): Ended {
  return { status: conclusion.status, startedAt, finishedAt, conclusion, result };
}

function endWithoutResult(status: 'failed' | 'cancelled', startedAt: Date, finishedAt: Date) {
  // The time of day can be set back.
  const durationMs = Math.max(0, finishedAt.getTime() - startedAt.getTime());
  const conclusion = serialisedConclusion(withoutResult(status, durationMs));
  return { startedAt, finishedAt, conclusion };
}

function logEvent(job: Job, event: SerialisedEvent): void {
  const { progress } = job;
  switch (event.event) {
    case 'started':
      // Once more, perhaps: then what came before is void.
      job.progress = { exchanges: 0, pending: 0 };
      break;
    case 'exchange':
      job.progress = { ...progress, exchanges: progress.exchanges + 1 };
      break;
    case 'progress':
      job.progress = { ...progress, pending: event.pending };
      break;
  }
  job.events.append(event.event, event.data);
}

/** The servers that events showed: all that is known of them when a run leaves no result. */
class Sightings {
  readonly #seen = new Map<string, { readonly names: Set<Name>; readonly zones: Set<Name> }>();

  note(event: SerialisedEvent): void {
    if (event.event !== 'exchange') return;
    const { address, names, zones } = event.met;
    const seen = getOrMake(this.#seen, address, () => ({ names: new Set(), zones: new Set() }));
    for (const name of names) seen.names.add(name);
    for (const zone of zones) seen.zones.add(zone);
  }

  servers(): readonly MetServer[] {
    return [...this.#seen].map(([address, { names, zones }]) => ({
      address,
      names: [...names].sort(),
      zones: [...zones].sort(),
    }));
  }
}
