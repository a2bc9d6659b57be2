import type { IncomingHttpHeaders } from 'node:http';
import type { Renderer } from '../../traversal/threads/renderer.ts';
import type { Client } from '../client.ts';
import type { ServiceJobs } from '../jobs/jobs.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { Page } from '../page-files.ts';
import type { ClientLimiter } from '../rate-limit.ts';
import type { BodyRead } from '../request-body.ts';
import type { ServiceSettings } from '../settings.ts';
import type { EventStreams } from './event-streams.ts';
import type { HttpReply } from './reply.ts';

/** A request as a route sees it. */
export interface ApiRequest {
  readonly headers: IncomingHttpHeaders;
  readonly from: Client;
  /** The identifier in the path; empty if the path has none. */
  readonly id: string;
  /** The query, without the fragment. */
  readonly query: URLSearchParams;
  readonly readBody: () => Promise<BodyRead>;
}

/** Answers requests of one method for one resource. */
export type Handler = (request: ApiRequest, parts: ServiceParts) => HttpReply | Promise<HttpReply>;

/** The parts of a running service that its routes use. */
export interface ServiceParts {
  readonly settings: ServiceSettings;
  readonly jobs: ServiceJobs;
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
