import { type ApiAnswer, failed, ok } from '../../client/failure.ts';
import { type JobView, readJob, readServers } from '../../client/jobs.ts';
import type { RequestOptions } from '../../document/api/request.ts';
import type { TraversalResult } from '../../document/result.ts';
import { provable } from '../../provable.ts';
import { replaying } from '../../replay.ts';
import { ONCE, type RemoteCalls } from './calls.ts';
import { type Grace, graceAfter, runUntil } from './hurry.ts';
import type { RunObserver } from './observer.ts';
import { followJob, runRemoteJob } from './remote-job.ts';
import type { Evaluating, Runner } from './runner.ts';

/** A runner that has a server do the work, but for evaluating what was recorded. */
export function remoteRunner(
  server: URL,
  options: RequestOptions,
  evaluate: Evaluating = replaying,
  calls: RemoteCalls = ONCE,
): Runner {
  return {
    traverse: async (question, observer) => {
      const grace = graceAfter(observer.signal);
      try {
        const wanted = { ...question, options, last: 'complete' } as const;
        const job = await runRemoteJob(server, wanted, observer, grace.signal, calls);
        return job.kind === 'failed'
          ? job
          : await readResultOf({ server, id: job.value, evaluate, calls }, observer, grace);
      } finally {
        grace.stop();
      }
    },
    identify: async (question, observer) => {
      const grace = graceAfter(observer.signal);
      const wanted = { ...question, options, last: 'servers' } as const;
      const job = await runRemoteJob(server, wanted, observer, grace.signal, calls).finally(grace.stop);
      return job.kind === 'failed' ? job : ok(undefined);
    },
    close: async () => {},
  };
}

/** Follows a job that a server has, from its first event to its last. */
export function watchJob(server: URL, id: string, observer: RunObserver): Promise<ApiAnswer<void>> {
  return followJob({ server, id, last: 'servers' }, observer);
}

/** Tells of the server list of a job that a server has; if it is not ready, of all events up to it. */
export async function awaitServers(server: URL, id: string, observer: RunObserver): Promise<ApiAnswer<void>> {
  const list = await readServers(server, id, observer.signal);
  if (list.kind === 'failed') return list;
  if (list.value === 'pending')
    return await followJob({ server, id, last: 'servers', contact: 'made' }, observer);
  observer.tell?.({ event: 'servers', ...list.value });
  return ok(undefined);
}

/**
 * The result of a job that has ended. What the server recorded is evaluated again here, which gives the
 * same numbers and takes nothing on trust.
 */
async function readResultOf(
  { server, id, evaluate, calls }: EndedJob,
  { signal, heardAll }: RunObserver,
  grace: Grace,
): Promise<ApiAnswer<TraversalResult>> {
  const heardJob = (octets: number) => {
    heardAll?.();
    if (signal.aborted && octets > MOST_READ_WITHIN_GRACE) grace.end();
  };
  // Even after an interruption: the job has been cancelled, and what was known is on its way.
  const job = await calls.read(() => readJob(server, id, grace.signal, heardJob), grace.signal);
  return job.kind === 'failed' ? job : await resultOf(job.value, evaluate, grace.signal);
}

interface EndedJob {
  readonly server: URL;
  readonly id: string;
  readonly evaluate: Evaluating;
  readonly calls: RemoteCalls;
}

/** Octets of a result that are read in a moment, whatever they hold. */
const MOST_READ_WITHIN_GRACE = 8 * 1_024 * 1_024;

async function resultOf(
  { status, result, error }: JobView,
  evaluate: Evaluating,
  grace: AbortSignal,
): Promise<ApiAnswer<TraversalResult>> {
  if (result !== undefined) return await runUntil(evaluate(provable(result)), grace);
  // A job cancelled before its turn knows nothing.
  if (status === 'cancelled') return failed({ kind: 'stopped' });
  return failed({ kind: 'fault', detail: error?.detail ?? `a job is ${status} and has no result` });
}
