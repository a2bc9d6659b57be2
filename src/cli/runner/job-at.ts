import { readServers, type TraversalBody } from '../../client/jobs.ts';
import { valueIn } from './complaint.ts';
import type { JobRun } from './job-sight.ts';
import { followThere, runThere } from './run-there.ts';

/** A job that a server is to start. */
export function newJobAt(server: URL, body: TraversalBody): JobRun {
  return async (sight) => {
    valueIn(await runThere(server, body, 'servers', sight), server);
  };
}

/** A job that a server has. */
export function jobAt(server: URL, id: string): JobRun {
  return async (sight) => valueIn(await followThere(server, id, 'servers', sight), server);
}

/** The server list of a job that a server has: as it stands, or as soon as it is ready. */
export function listAt(server: URL, id: string): JobRun {
  return async (sight) => {
    const list = valueIn(await readServers(server, id, sight.signal), server);
    if (list === 'pending') await jobAt(server, id)(sight);
    else sight.emit({ event: 'servers', ...list });
  };
}
