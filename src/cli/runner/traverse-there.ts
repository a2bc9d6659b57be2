import { type ApiAnswer, failed, ok } from '../../client/failure.ts';
import { type JobView, readJob, type TraversalBody } from '../../client/jobs.ts';
import type { TraversalResult } from '../../document/result.ts';
import { replay } from '../../traverse.ts';
import type { JobSight } from './job-sight.ts';
import { runThere } from './run-there.ts';

/**
 * Has a server traverse, and gives the result. What the server heard is evaluated again here, which
 * gives the same numbers and takes nothing on trust.
 */
export async function traverseThere(
  server: URL,
  body: TraversalBody,
  sight: JobSight,
): Promise<ApiAnswer<TraversalResult>> {
  const run = await runThere(server, body, 'complete', sight);
  if (run.kind === 'failed') return run;
  // An interruption has had its effect by now: what was known is on its way.
  const job = await readJob(server, run.value, new AbortController().signal);
  return job.kind === 'failed' ? job : resultOf(job.value);
}

function resultOf({ status, result, error }: JobView): ApiAnswer<TraversalResult> {
  if (result !== undefined) return ok(replay(result));
  // Cancelled before its turn came, there is nothing that it could know.
  if (status === 'cancelled') return failed({ kind: 'stopped' });
  return failed({ kind: 'fault', detail: error?.detail ?? `a job is ${status} and has no result` });
}
