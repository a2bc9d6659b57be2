import type { EventStreams } from './event-streams.ts';
import type { Jobs } from './jobs.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { ServiceMetrics } from './service-metrics.ts';
import type { ServiceSettings } from './settings.ts';

/** The parts of a running service, as its routes see them. */
export interface ServiceParts {
  readonly settings: ServiceSettings;
  readonly jobs: Jobs;
  readonly limiter: RateLimiter;
  readonly streams: EventStreams;
  readonly metrics: ServiceMetrics;
  /** The OpenAPI document as JSON text: made once, for anybody may ask for it as often as they like. */
  readonly openApi: Uint8Array;
  readonly uptimeMs: () => number;
}
