import { inflateRawSync } from 'node:zlib';
import { isEnded, Job } from '../../jobs/job.ts';
import { acceptedFrom, endedFrom } from './job-records.ts';
import type { StoredJob } from './read-scripts.ts';

/** A job that is stored, as it was accepted. Throws if its record is damaged. */
export function newJob(stored: StoredJob): Job {
  return new Job(stored.ended === '' ? acceptedFrom(stored.accepted) : endedFrom(stored));
}

/**
 * Brings a job up to date with how it is stored now. What is stored of its events may come in several parts: `more` says
 * that there are others.
 */
export function mirror(stored: StoredJob, job: Job): 'all' | 'more' {
  for (const { last, octets } of stored.blocks) if (last > job.events.last) job.events.adopt(octets, last);
  job.firstStartedAt = timeIn(stored.firstStartedAt);
  job.progress = { exchanges: stored.exchanges, pending: stored.pending };
  if (job.events.last < stored.last && stored.blocks.length > 0) return 'more';
  if (stored.ended === '') {
    job.state =
      stored.startedAt === ''
        ? { status: 'queued' }
        : { status: 'running', startedAt: new Date(stored.startedAt) };
    return 'all';
  }
  tellEnd(stored, job);
  if (stored.servers !== undefined) tellServers(inflateRawSync(stored.servers), job);
  return 'all';
}

/** A time as it is stored, where none is empty. */
export function timeIn(text: string): Date | undefined {
  return text === '' ? undefined : new Date(text);
}

/** The end is told once, and has the id after that of the last event of the run. */
function tellEnd(stored: StoredJob, job: Job): void {
  if (isEnded(job.state)) return;
  const { state, progress } = endedFrom(stored);
  job.state = state;
  job.progress = progress;
  job.events.append('complete', state.conclusion.data);
}

function tellServers(servers: Buffer, job: Job): void {
  if (job.servers !== undefined) return;
  job.servers = servers;
  job.events.append('servers', servers.toString());
  job.events.end();
}
