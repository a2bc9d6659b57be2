import type { TraversalOptions } from '../base/options.ts';
import { definitions, type Schema, type Shape } from '../base/shape.ts';
import { JOB, JOB_CREATED } from '../document/api/jobs.ts';
import { requestBody } from '../document/api/request.ts';
import { HEALTH, PROBLEM } from '../document/api/service-facts.ts';
import { COMPLETE_WEBHOOK, START_WEBHOOK } from '../document/api/webhooks.ts';
import { EVENTS } from '../document/events.ts';
import { PENDING_SERVERS } from '../document/servers.ts';
import {
  CANCEL,
  empty,
  FOLLOW,
  ID_PARAMETER,
  json,
  OTHERS,
  problem,
  READ,
  SERVERS,
  startOperation,
  text,
} from './http/openapi-jobs.ts';
import { RESOURCE_PATHS } from './http/router.ts';

/** The OpenAPI 3.1 document of the service. `most` bounds what a request may ask for. */
export function openApiDocument(version: string, most: TraversalOptions): Schema {
  const request = requestBody(most);
  return {
    openapi: '3.1.0',
    info: {
      title: 'DNS traversal',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths: paths(request),
    webhooks: { start: webhook(START_WEBHOOK, 'started'), complete: webhook(COMPLETE_WEBHOOK, 'ended') },
    components: { schemas: definitions([request, ...DOCUMENTS]) },
  };
}

/** Every document except the request. */
const DOCUMENTS = [
  JOB_CREATED,
  JOB,
  PENDING_SERVERS,
  HEALTH,
  PROBLEM,
  ...Object.values(EVENTS),
  START_WEBHOOK,
  COMPLETE_WEBHOOK,
];

const DESCRIPTION =
  'Walks the DNS from the root along every possible path. HEAD works wherever GET does. ' +
  'Objects may gain members; none is renamed or removed.';

function paths(request: Shape<unknown>): Schema {
  return {
    [RESOURCE_PATHS.traversals]: item({ post: startOperation(request) }),
    [RESOURCE_PATHS.traversal]: item({ get: READ, delete: CANCEL }, [ID_PARAMETER]),
    [RESOURCE_PATHS.servers]: item({ get: SERVERS }, [ID_PARAMETER]),
    [RESOURCE_PATHS.events]: item({ get: FOLLOW }, [ID_PARAMETER]),
    [RESOURCE_PATHS.health]: item({
      get: read('readHealth', 'Read health and region', json('The service is up.', HEALTH)),
    }),
    [RESOURCE_PATHS.openapi]: item({ get: read('readOpenApi', 'Read this document', DOCUMENT) }),
    [RESOURCE_PATHS.metrics]: item({
      get: read('readMetrics', 'Read metrics', text('In the format of Prometheus.', 'text/plain')),
    }),
  };
}

const DOCUMENT: Schema = {
  description: 'This document.',
  content: { 'application/json': { schema: { type: 'object' } } },
};

/** A path. The reply to methods that it does not name is 405. */
function item(operations: Readonly<Record<string, Schema>>, parameters: readonly Schema[] = []): Schema {
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...operations,
    options: OPTIONS,
    'x-other-methods': { 405: problem('The method is not supported here.', ['Allow']) },
  };
}

const OPTIONS: Schema = {
  summary: 'List the supported methods',
  responses: {
    204: empty('The methods, and which of them pages of other origins may use.', ['Allow']),
    ...OTHERS,
  },
};

function read(operationId: string, summary: string, reply: Schema): Schema {
  return { operationId, summary, responses: { 200: reply, ...OTHERS } };
}

function webhook(shape: Shape<unknown>, what: string): Schema {
  return {
    post: {
      summary: `A job ${what}`,
      description: 'Sent to the configured receiver, with 5 seconds for each attempt and one retry.',
      parameters: [
        {
          name: 'Webhook-Id',
          in: 'header',
          required: true,
          description: 'The same whenever this event is sent: a receiver can drop what it has had.',
          schema: { type: 'string' },
        },
        {
          name: 'Webhook-Signature',
          in: 'header',
          description: 'The HMAC of the body, if a secret is configured.',
          schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
        },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: shape.schema() } } },
      responses: { '2XX': { description: 'Delivered. Redirects are not followed.' } },
    },
  };
}
