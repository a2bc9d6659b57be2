import type { Health } from '../../../document/api/health.ts';
import { metricsText } from '../../../metrics-text.ts';
import type { Handler } from '../api-request.ts';
import { jsonReply, textReply, valueReply } from '../http-reply.ts';

/** GET /api/health. */
export const getHealth: Handler = async (_request, { settings, jobs, uptimeMs }) => {
  const { region = null, version } = settings;
  await jobs.count();
  const { kind: store, state, counts } = jobs;
  const health: Health = { ...state, region, version, uptimeMs: uptimeMs(), store, jobs: counts };
  return valueReply(200, health);
};

/** GET /api/openapi.json. */
export const getOpenApi: Handler = (_request, { openApi }) => jsonReply(200, [openApi]);

/** GET /metrics. */
export const getMetrics: Handler = async (_request, { metrics, jobs }) => {
  await jobs.count();
  return textReply(200, metricsText(metrics.all), {
    'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
  });
};
