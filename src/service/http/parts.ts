import type { Renderer } from '../../work/render/renderer.ts';
import type { ClientLimiter } from '../clients/rate-limiter.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import type { Page } from '../page/page.ts';
import type { ServiceSettings } from '../settings.ts';
import type { EventStreams } from './event-streams.ts';

/** The parts of a running service that its routes use. */
export interface ServiceParts {
  readonly settings: ServiceSettings;
  readonly jobs: JobStore;
  readonly limiter: ClientLimiter;
  readonly streams: EventStreams;
  readonly metrics: ServiceMetrics;
  readonly renderer: Renderer;
  /** The OpenAPI document as JSON text, made once. */
  readonly openApi: Uint8Array;
  /** Undefined if the service shows none. */
  readonly page: Page | undefined;
  readonly uptimeMs: () => number;
}
