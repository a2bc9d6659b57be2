/* Handles the requests of those who watch the service: health, readiness and metrics. */

import { setTimeout as pause } from 'node:timers/promises';
import { metricsText } from '../../base/metrics-text.ts';
import type { Health, Ready } from '../../document/api/service-documents.ts';
import type { ServiceJobs } from '../jobs/jobs.ts';
import { AWAY, busyReply, type HttpReply, textReply, valueReply } from './response.ts';
import type { Handler, Phase } from './router.ts';

/** GET /api/health. */
export const getHealth: Handler = async (_request, { settings, jobs, uptimeMs }) => {
  const { region = null, version } = settings;
  await countSoon(jobs);
  const { kind: store, state, counts } = jobs;
  const health: Health = { ...state, region, version, uptimeMs: uptimeMs(), store, jobs: counts };
  return valueReply(200, health);
};

/** GET /api/ready: whether to send requests here. The reply never waits for the store. */
export const getReady: Handler = (_request, { phase, jobs }) => NOT_READY[phase()] ?? readyWithStore(jobs);

/** GET /metrics. */
export const getMetrics: Handler = async (_request, { metrics, jobs }) => {
  await countSoon(jobs);
  return textReply(200, metricsText(metrics.all), {
    'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
  });
};

/** How long a reply waits for the store to count the jobs. After that it has the last known counts. */
const COUNT_MS = 20;

async function countSoon(jobs: ServiceJobs): Promise<void> {
  await Promise.race([jobs.count(), pause(COUNT_MS)]);
}

/** How soon a balancer may ask again. */
const RETRY_SECONDS = 1;

const NOT_READY: Readonly<Record<Phase, HttpReply | undefined>> = {
  starting: busyReply('The service is starting.', RETRY_SECONDS),
  serving: undefined,
  draining: busyReply('The service is shutting down.', RETRY_SECONDS),
};

const READY: Ready = { status: 'ready' };

/** A directory that cannot be written to costs a restart its jobs, but the service accepts jobs all the same. */
function readyWithStore({ kind, state }: ServiceJobs): HttpReply {
  const isShared = kind !== 'memory' && kind !== 'directory';
  return isShared && state.status === 'degraded' ? AWAY : valueReply(200, READY);
}
