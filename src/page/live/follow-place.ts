import type { FollowTools } from './follow-tools.ts';
import type { JobStory } from './job-story.ts';

/** How often the place of a job in the queue is asked for. */
const EVERY_MS = 3_000;

/** Keeps telling how many jobs go before one that waits, until it starts. What cannot be fetched is left as it was. */
export async function followPlace(
  id: string,
  { fetchJob, pause, now }: FollowTools,
  story: JobStory,
  signal: AbortSignal,
): Promise<void> {
  while (story.stage.kind === 'queued' && story.stage.ahead !== undefined) {
    await pause(EVERY_MS, signal);
    if (signal.aborted) return;
    const job = await fetchJob(id, signal);
    // Events tell all that comes after.
    if (signal.aborted || story.stage.kind !== 'queued') return;
    if (job.kind === 'ok' && job.value.status === 'queued') story.fetched(job.value, now());
  }
}
