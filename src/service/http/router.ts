/* Finds the resource that a request names. */

import type { IncomingHttpHeaders } from 'node:http';
import { keysOf } from '../../base/limits.ts';
import type { RecentlyUsed } from '../../base/memo.ts';
import type { Packed } from '../../base/packing.ts';
import type { Problem } from '../../document/api/service-documents.ts';
import { listed } from '../../document/words/lists.ts';
import type { Client } from '../client.ts';
import type { ServiceJobs } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { Page } from '../page-files.ts';
import type { ClientLimiter } from '../rate-limit.ts';
import type { Renderer } from '../renderer.ts';
import type { BodyRead } from '../request.ts';
import type { ServiceSettings } from '../settings.ts';
import type { EventStreams } from './event-streams.ts';
import { type HttpReply, problemOf } from './response.ts';

/**
 * Reads the target of a request (RFC 9112 3.2): a path, or a whole URL, whose host is ignored. Octets may
 * be percent-encoded; a trailing slash and a query make no difference.
 */
export function locate(target: string, patterns: Patterns): Located {
  if (target === '*') return { kind: 'server' };
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  if (!path.startsWith('/')) return { kind: 'unknown' };
  const segments = segmentsOf(path.replace(/(?<=.)\/$/, '')).map(decoded);
  if (segments.includes(undefined)) return { kind: 'malformed' };
  for (const [resource, pattern] of patterns) {
    const named = match(pattern, segments);
    if (named !== undefined) return { kind: 'resource', resource, ...named };
  }
  return { kind: 'unknown' };
}

/** The path of each resource of the API, in the notation of OpenAPI. */
export const RESOURCE_PATHS = {
  traversals: '/api/traverse',
  history: '/api/traversals',
  traversal: '/api/traverse/{id}',
  servers: '/api/traverse/{id}/servers',
  when: '/api/traverse/{id}/when',
  exchange: '/api/traverse/{id}/exchanges/{xid}',
  events: '/api/traverse/{id}/events',
  health: '/api/health',
  ready: '/api/ready',
  openapi: '/api/openapi.json',
  metrics: '/metrics',
} as const;

/** The paths of a service that shows the page. */
const ALL_PATHS = {
  ...RESOURCE_PATHS,
  page: '/',
  'help-page': '/help',
  'job-page': '/t/{id}',
  asset: '/assets/{id}',
  robots: '/robots.txt',
  icon: '/favicon.ico',
} as const;

/** A resource: of the API, or of the page with its files. */
export type Resource = keyof typeof ALL_PATHS;

/** Resources with the segments of their paths. */
export type Patterns = readonly (readonly [Resource, readonly string[]])[];

const ALL_PATTERNS: Patterns = keysOf(ALL_PATHS).map((resource) => [
  resource,
  segmentsOf(ALL_PATHS[resource]),
]);

/** What the public address of a service offers beside what each does. */
export interface Offered {
  readonly metrics: boolean;
  readonly history: boolean;
  readonly page: boolean;
}

/** The paths of the public address. */
export function patternsOf(offered: Offered): Patterns {
  return ALL_PATTERNS.filter(([resource]) => {
    if (resource === 'metrics' || resource === 'history') return offered[resource];
    return resource in RESOURCE_PATHS || offered.page;
  });
}

/** The paths of an address for programs that watch the service. */
export const WATCHING: Patterns = ALL_PATTERNS.filter(([resource]) =>
  ['metrics', 'health', 'ready'].includes(resource),
);

/** The result of reading a target. */
type Located =
  | ({ readonly kind: 'resource'; readonly resource: Resource } & PathNames)
  /** "OPTIONS *": the server itself. */
  | { readonly kind: 'server' }
  | { readonly kind: 'unknown' }
  /** With an invalid percent escape. */
  | { readonly kind: 'malformed' };

/** The query in the target of a request. */
export function queryOf(target: string): URLSearchParams {
  return new URLSearchParams(/^[^?#]*\?([^#]*)/.exec(target)?.[1]);
}

function segmentsOf(path: string): readonly string[] {
  return path.slice(1).split('/');
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The identifiers in a path; empty if it has none. */
interface PathNames {
  readonly id: string;
  /** Of an exchange or a probe. */
  readonly xid: string;
}

/** The identifiers in a path that matches the pattern; undefined if it does not match. */
function match(pattern: readonly string[], segments: readonly (string | undefined)[]): PathNames | undefined {
  if (pattern.length !== segments.length) return undefined;
  let names: PathNames = { id: '', xid: '' };
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part === '{id}' && segment !== '') names = { ...names, id: segment };
    else if (part === '{xid}' && segment !== '') names = { ...names, xid: segment };
    else if (part !== segment) return undefined;
  }
  return names;
}

// The metrics are for the operator, who knows where they are, and not every service tells its history.
const { metrics: _metrics, history: _history, ...ALWAYS } = RESOURCE_PATHS;
const PATHS = Object.values(ALWAYS);

/** The reply to programs for a path that the API does not have. */
export const NOT_FOUND: Problem = problemOf(
  404,
  `Nothing exists at this path. The service has ${listed(PATHS, PATHS.length)}.`,
);

/** A request as a route sees it. */
export interface ApiRequest extends PathNames {
  readonly headers: IncomingHttpHeaders;
  readonly from: Client;
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
  /** Results in the forms that were asked for last, by job and format. */
  readonly forms: RecentlyUsed<string, Packed>;
  readonly log: Log;
  /** The OpenAPI document as JSON text, made once. */
  readonly openApi: Uint8Array;
  /** Undefined if the service shows none. */
  readonly page: Page | undefined;
  readonly uptimeMs: () => number;
  readonly phase: () => Phase;
  /** The paths of the address that the request came to. */
  readonly patterns: Patterns;
}

/** The phases in the life of a service. While it drains, it accepts no jobs, and ends once those that run have ended. */
export type Phase = 'starting' | 'serving' | 'draining';
