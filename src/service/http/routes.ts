import type { Problem } from '../../document/api/service-documents.ts';
import type { Job } from '../jobs/job.ts';
import type { JobPart } from '../jobs/jobs.ts';
import { getHealth, getMetrics, getReady } from './health-routes.ts';
import {
  deleteJob,
  getEvents,
  getExchange,
  getHistory,
  getJob,
  getServers,
  getWhen,
  postTraversal,
} from './job-routes.ts';
import { getAsset, getIcon, getJobPage, getPage, getRobots, nowhereReply } from './page-routes.ts';
import { AWAY, type HttpReply, jsonReply, noContent, problemOf, problemReply } from './response.ts';
import {
  type ApiRequest,
  type Handler,
  locate,
  NOT_FOUND,
  queryOf,
  type Resource,
  type ServiceParts,
} from './router.ts';

/** Answers a request: finds the resource its path names and lets the handler of its method answer. */
export async function answer(incoming: Incoming, parts: ServiceParts): Promise<RoutedReply> {
  const located = locate(incoming.target, parts.patterns);
  switch (located.kind) {
    case 'malformed':
      return { resource: 'none', reply: nowhere(incoming, parts, MALFORMED) };
    case 'unknown':
      return { resource: 'none', reply: nowhere(incoming, parts, NOT_FOUND) };
    case 'server': {
      const reply = incoming.method === 'OPTIONS' ? optionsReply(ALL_METHODS) : notAllowed(ALL_METHODS);
      return { resource: 'none', reply };
    }
    case 'resource': {
      const { resource, id, xid } = located;
      const request = { ...incoming, id, xid, query: queryOf(incoming.target) };
      return { resource, reply: await ask(ROUTES[resource], request, parts) };
    }
  }
}

/** A request before its path is read. */
interface Incoming extends Omit<ApiRequest, 'id' | 'xid' | 'query'> {
  readonly method: string;
  readonly target: string;
}

/** A reply, and the resource it is about for the metrics. */
export interface RoutedReply {
  readonly reply: HttpReply;
  readonly resource: Resource | 'none';
}

const MALFORMED = problemOf(400, 'The path is not correctly percent-encoded.');

/** People who follow a link want a page; whatever else is asked of such a path comes from a program. */
function nowhere({ method, headers }: Incoming, { page }: ServiceParts, problem: Problem): HttpReply {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead ? nowhereReply(headers, page, problem) : problemReply(problem);
}

function ask(
  methods: Methods,
  request: Incoming & ApiRequest,
  parts: ServiceParts,
): HttpReply | Promise<HttpReply> {
  const { method } = request;
  if (method === 'OPTIONS') return optionsReply(allowed(methods));
  const handler = method === 'HEAD' ? methods.GET : isKey(method, methods) ? methods[method] : undefined;
  return handler === undefined ? notAllowed(allowed(methods)) : handler(request, parts);
}

const ALL_METHODS = 'GET, HEAD, POST, DELETE, OPTIONS';

function allowed(methods: Methods): string {
  return Object.keys(methods)
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .concat('OPTIONS')
    .join(', ');
}

function isKey(method: string, methods: Methods): method is keyof Methods {
  return Object.hasOwn(methods, method);
}

function notAllowed(allow: string): HttpReply {
  return problemReply(problemOf(405, `Allowed: ${allow}.`), { Allow: allow });
}

/**
 * Says which methods there are, and that pages of other origins may only read: no page can start or
 * cancel jobs in its visitors' name.
 */
function optionsReply(allow: string): HttpReply {
  return noContent({
    Allow: allow,
    'Access-Control-Allow-Methods': 'GET, HEAD',
    'Access-Control-Allow-Headers': 'Last-Event-ID',
    'Access-Control-Max-Age': '86400',
  });
}

/** GET /api/openapi.json. */
const getOpenApi: Handler = (_request, { openApi }) => jsonReply(200, [openApi]);

/** The handlers of a resource by method. HEAD works wherever GET does, OPTIONS everywhere. */
type Methods = Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', Handler>>>;

/** Every operation of the service. */
const ROUTES: Readonly<Record<Resource, Methods>> = {
  traversals: { POST: postTraversal },
  history: { GET: getHistory },
  traversal: { GET: ofJob(getJob, 'result'), DELETE: ofJob(deleteJob, 'state') },
  servers: { GET: ofJob(getServers, 'servers') },
  when: { GET: ofJob(getWhen, 'result') },
  exchange: { GET: ofJob(getExchange, 'result') },
  events: { GET: ofJob(getEvents, 'events') },
  health: { GET: getHealth },
  ready: { GET: getReady },
  openapi: { GET: getOpenApi },
  metrics: { GET: getMetrics },
  page: { GET: getPage },
  'help-page': { GET: getPage },
  'job-page': { GET: getJobPage },
  asset: { GET: getAsset },
  robots: { GET: getRobots },
  icon: { GET: getIcon },
};

const UNREADABLE = problemOf(
  500,
  'The record of this job cannot be read: it is damaged, or of a newer version.',
);

type JobHandler = (job: Job, parts: ServiceParts, request: ApiRequest) => HttpReply | Promise<HttpReply>;

function ofJob(handler: JobHandler, part: JobPart): Handler {
  return async (request, parts) => {
    const job = await parts.jobs.find(request.id, part);
    if (job === 'away') return AWAY;
    if (job === 'unreadable') return problemReply(UNREADABLE);
    if (job === undefined) return problemReply(problemOf(404, 'No such job (it may have expired).'));
    return await handler(job, parts, request);
  };
}
