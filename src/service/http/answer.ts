import type { Problem } from '../../document/api/problem.ts';
import type { ApiRequest } from './api-request.ts';
import { type HttpReply, noContent } from './http-reply.ts';
import { NOT_FOUND } from './not-found.ts';
import type { ServiceParts } from './parts.ts';
import { problemOf, problemReply } from './problem.ts';
import { locate, PATTERNS, queryOf, type Resource } from './router.ts';
import { nowhereReply } from './routes/get-page.ts';
import { type Methods, ROUTES } from './routes/routes.ts';

/** A request before its path is read. */
interface Incoming extends Omit<ApiRequest, 'id' | 'query'> {
  readonly method: string;
  readonly target: string;
}

/** A reply, and the resource it is about for the metrics. */
export interface RoutedReply {
  readonly reply: HttpReply;
  readonly resource: Resource | 'none';
}

/** Answers a request: finds the resource its path names and lets the handler of its method answer. */
export async function answer(incoming: Incoming, parts: ServiceParts): Promise<RoutedReply> {
  const located = locate(incoming.target, PATTERNS[parts.page === undefined ? 'api' : 'api-and-page']);
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
      const { resource, id } = located;
      const request = { ...incoming, id, query: queryOf(incoming.target) };
      return { resource, reply: await ask(ROUTES[resource], request, parts) };
    }
  }
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
