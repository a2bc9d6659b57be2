import { onAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { JobError } from '../../document/api/jobs.ts';
import { pauseAfter } from '../../report/views/conclusion.ts';
import { type MetServer, ServersMet } from '../../traversal/servers-met.ts';
import type { Evaluated } from '../../traversal/threads/evaluation.ts';
import type { SerialisedEvent } from '../../traversal/threads/messages.ts';
import { cancelledEnd, type Ended, type Engine, failedEnd, type Job } from './job.ts';
import type { JobRun } from './running-job.ts';

/**
 * Runs the traversal of one job and logs its events. A job that waits is traversed again, at the pace of `svc wait`, until users
 * get only expected answers or its time is over; later traversals log no exchanges. Never rejects: failing is one way to end.
 */
export async function runJob(job: Job, startedAt: Date, around: RunSurroundings): Promise<RunEnd> {
  const { clock, now, place } = around;
  const { forMs = 0 } = job.request.wait ?? {};
  const began = clock.now();
  let packets = 0;
  for (let log: Log = 'all'; ; log = 'progress') {
    const { users, ...end } = await traverseOnce(job, startedAt, log, around);
    packets += end.packets;
    const waited = clock.now() - began;
    const isOver = end.state.status !== 'complete' || users === 'expected' || waited >= forMs;
    if (isOver) return { ...end, packets };
    place.rest();
    if (!(await pause(Math.min(pauseAfter(waited), forMs - waited), around)))
      return { met: end.met, packets, state: cancelledEnd(startedAt, now()) };
  }
}

/** What is logged of a traversal. */
type Log = 'all' | 'progress';

/** Whether the time is over; false if the job is cancelled first. */
function pause(ms: number, { clock, signal }: Pick<RunSurroundings, 'clock' | 'signal'>): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isOver: boolean) => {
      cancelTimer();
      stay();
      resolve(isOver);
    };
    const cancelTimer = clock.after(ms, () => settle(true));
    const stay = onAbort(signal, () => settle(false));
  });
}

async function traverseOnce(
  job: Job,
  startedAt: Date,
  log: Log,
  around: RunSurroundings,
): Promise<RunEnd & Pick<Evaluated, 'users'>> {
  const { engine, now, signal, place } = around;
  // All that is known of the servers when a run leaves no result.
  const seen = new ServersMet();
  job.state = { status: 'running', startedAt };
  if (log === 'progress') job.progress = { exchanges: 0, pending: 0 };
  let packets = 0;
  const emit = (event: SerialisedEvent) => {
    if (event.event === 'exchange') {
      seen.note(event.met);
      packets += event.packets;
      place.heard(event.heardBytes);
    }
    logEvent(job, event, log);
    around.logged(event.event);
  };
  const watch = { emit, signal, place };
  const { question, options } = job.request;
  const traversed = await engine.traverse({ question, options }, watch).catch((error: unknown) => {
    around.failed(job, error);
    return { kind: 'failed', error: BUG } as const;
  });
  switch (traversed.kind) {
    case 'evaluated': {
      const { conclusion, result, met, packets, users } = traversed;
      const state = { status: conclusion.status, startedAt, finishedAt: now(), conclusion, result };
      return { state, met, packets, ...(users && { users }) };
    }
    case 'failed':
      return { state: failedEnd(startedAt, now(), traversed.error), met: seen.list(), packets };
    case 'dropped':
      return { state: cancelledEnd(startedAt, now()), met: seen.list(), packets };
  }
}

interface RunSurroundings {
  readonly engine: Engine;
  /** For the pauses of a job that waits. */
  readonly clock: Clock;
  /** Must not go back. */
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Its place among the jobs that run. */
  readonly place: Omit<JobRun, 'end'>;
  /** Called for each event, once it is logged; at `started` there is one attempt more. */
  readonly logged: (event: SerialisedEvent['event']) => void;
  /** Called with the error when a job fails through a bug. */
  readonly failed: (job: Job, error: unknown) => void;
}

/** How a run ended, the servers it met, and the packets it sent. */
interface RunEnd extends RunTrace {
  readonly state: Ended;
}

/** The servers that a run met, and the packets that it sent. */
export interface RunTrace {
  readonly met: readonly MetServer[];
  readonly packets: number;
}

/** The trace of a job that has met nobody. */
export const NOTHING_MET: RunTrace = { met: [], packets: 0 };

/** The error of a job that failed through a bug. */
export const BUG: JobError = {
  title: 'Internal error',
  detail: 'The traversal failed because of an error in this service.',
};

function logEvent(job: Job, event: SerialisedEvent, log: Log): void {
  const { progress } = job;
  switch (event.event) {
    case 'started':
      if (log === 'progress') return;
      // Once more, perhaps: then what came before is void.
      job.progress = { exchanges: 0, pending: 0 };
      job.attempts += 1;
      break;
    case 'exchange':
      job.progress = { ...progress, exchanges: progress.exchanges + 1 };
      if (log === 'progress') return;
      break;
    case 'progress':
      job.progress = { ...progress, pending: event.pending };
      break;
  }
  job.events.append(event.event, dataOf(event, job));
}

/** A worker counts the attempts in one process. */
function dataOf({ event, data }: SerialisedEvent, { attempts }: Job): string {
  if (event !== 'started' || attempts === 1) return data;
  return JSON.stringify({ ...JSON.parse(data), attempt: attempts });
}
