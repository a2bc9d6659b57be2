import type { Ended, Job } from './jobs/job.ts';
import type { JobNotices } from './jobs/job-store.ts';
import type { Log } from './log.ts';
import type { ServiceMetrics } from './metrics/service-metrics.ts';
import type { ServiceSettings } from './settings.ts';
import type { Webhooks } from './webhook/webhooks.ts';

interface Audience {
  readonly settings: ServiceSettings;
  readonly metrics: ServiceMetrics;
  readonly log: Log;
  readonly webhooks: Webhooks;
}

/** Tells a service's log, metrics and webhook receiver what becomes of its jobs. */
export function noticesOf({ settings, metrics, log, webhooks }: Audience): JobNotices {
  const seen = (job: Job) => {
    const { id, owner, request } = job;
    return { id, ...request.question, client: owner.client, region: settings.region ?? null };
  };
  const started = (job: Job, startedAt: Date) => {
    const { name, type } = job.request.question;
    log.info('job started', { job: job.id, name, type });
    const attempt = job.attempts > 0 ? { attempt: job.attempts + 1 } : {};
    void webhooks.deliver({ event: 'start', ...seen(job), at: startedAt.toISOString(), ...attempt });
  };
  const ended = (job: Job, { status, startedAt, conclusion }: Ended) => {
    const { durationMs } = conclusion;
    const { exchanges } = job.progress;
    log.info('job ended', { job: job.id, status, durationMs, exchanges });
    metrics.jobsEnded.add({ status });
    if (conclusion.validated === 'other') metrics.jobsValidatedOther.add();
    // A job that never started is not reported to have ended.
    if (startedAt === undefined) return;
    metrics.jobSeconds.observe(durationMs / 1_000);
    metrics.exchanges.add({}, exchanges);
  };
  const announce = async (job: Job, { status, startedAt, finishedAt, conclusion }: Ended) => {
    if (startedAt === undefined) return 'done';
    const { summary, durationMs } = conclusion;
    const { exchanges } = job.progress;
    const at = finishedAt.toISOString();
    const body = { ...seen(job), at, status, durationMs, exchanges, summary };
    return await webhooks.deliver({ event: 'complete', ...body });
  };
  const failed = (job: Job, error: unknown) => {
    log.error('job failed', { job: job.id, error: error instanceof Error ? error.stack : String(error) });
  };
  const crowdedOut = () => metrics.jobsCrowdedOut.add();
  const announced = settings.webhook === undefined ? {} : { announce };
  return { started, ended, crowdedOut, failed, ...announced };
}
