import { definitions, type Schema, type Shape } from '../base/shape.ts';
import { shapeOf } from '../base/shape-object.ts';
import { TEXT } from '../base/shape-values.ts';
import { HISTORY, HISTORY_QUERY } from '../document/api/history.ts';
import { COMPLETE_WEBHOOK, JOB, JOB_CREATED, START_WEBHOOK } from '../document/api/jobs.ts';
import { requestBody } from '../document/api/request.ts';
import { HEALTH, PROBLEM, READY } from '../document/api/service-documents.ts';
import { EVENTS } from '../document/events.ts';
import { EXCHANGE, PROBE } from '../document/exchanges.ts';
import { SENT_RESULT } from '../document/result.ts';
import { PENDING_SERVERS, SERVER_LIST } from '../document/servers.ts';
import { WHEN } from '../document/when.ts';
import { FORMATS, formatsIn } from '../report/formats.ts';
import { type Offered, RESOURCE_PATHS } from './http/router.ts';
import { MAX_BODY_BYTES } from './request.ts';
import type { ServiceSettings } from './settings.ts';

/** The OpenAPI 3.1 document of a service with such settings, whose public address offers so much. */
export function openApiDocument(
  { version, options, views }: Pick<ServiceSettings, 'version' | 'options' | 'views'>,
  { metrics, history }: Pick<Offered, 'metrics' | 'history'>,
): Schema {
  const request = requestBody(options, views);
  return {
    openapi: '3.1.0',
    info: {
      title: 'DNS traversal',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths: { ...paths(request), ...(history && historyPath()), ...(metrics && metricsPath()) },
    webhooks: { start: webhook(START_WEBHOOK, 'started'), complete: webhook(COMPLETE_WEBHOOK, 'ended') },
    components: { schemas: definitions([request, ...DOCUMENTS, ...(history ? [HISTORY] : [])]) },
  };
}

/** Every document except the request. */
const DOCUMENTS = [
  JOB_CREATED,
  JOB,
  PENDING_SERVERS,
  EXCHANGE,
  PROBE,
  WHEN,
  HEALTH,
  READY,
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
    [RESOURCE_PATHS.when]: item({ get: TIMES }, [ID_PARAMETER]),
    [RESOURCE_PATHS.exchange]: item({ get: EXCHANGED }, [ID_PARAMETER, XID_PARAMETER]),
    [RESOURCE_PATHS.events]: item({ get: FOLLOW }, [ID_PARAMETER]),
    [RESOURCE_PATHS.health]: item({ get: read('readHealth', 'Read health and region', UP) }),
    [RESOURCE_PATHS.ready]: item({ get: ASK_READY }),
    [RESOURCE_PATHS.openapi]: item({ get: read('readOpenApi', 'Read this document', DOCUMENT) }),
  };
}

function historyPath(): Schema {
  return { [RESOURCE_PATHS.history]: item({ get: ASK_HISTORY }) };
}

function metricsPath(): Schema {
  return { [RESOURCE_PATHS.metrics]: item({ get: read('readMetrics', 'Read metrics', METRICS) }) };
}

function json(description: string, body: Shape<unknown>, headers: readonly HeaderName[] = []): Schema {
  return reply(description, { 'application/json': { schema: body.schema() } }, headers);
}

function problem(description: string, headers: readonly HeaderName[] = []): Schema {
  return reply(description, { 'application/problem+json': { schema: PROBLEM.schema() } }, headers);
}

function text(description: string, type: string, headers: readonly HeaderName[] = []): Schema {
  return reply(description, { [type]: { schema: TEXT.schema() } }, headers);
}

const OTHERS_SAID = 'An error in the request itself (400, 408, 417, 421, 431) or in the service (500).';

/** The other replies of every operation. */
const OTHERS: Schema = { default: problem(OTHERS_SAID) };

const POSITIVE = { type: 'string', pattern: '^[1-9][0-9]*$' };

/** The headers of replies that carry meaning. */
const HEADERS = {
  Allow: { description: 'The supported methods.', schema: TEXT.schema() },
  Location: { description: 'The path of the job.', schema: TEXT.schema() },
  'Retry-After': { description: 'Seconds to wait before the next request.', schema: POSITIVE },
} as const;

type HeaderName = keyof typeof HEADERS;

function reply(description: string, content?: Schema, names: readonly HeaderName[] = []): Schema {
  const headers = Object.fromEntries(names.map((name) => [name, { required: true, ...HEADERS[name] }]));
  return {
    description,
    ...(names.length === 0 ? {} : { headers }),
    ...(content === undefined ? {} : { content }),
  };
}

const UNKNOWN = problem('No such job (it may have expired).');
const AWAY = problem('The store with the jobs cannot be reached now.', ['Retry-After']);
const FOREIGN = problem('A page of another origin sent the request.');

/** POST /api/traverse, with a body of this shape. */
function startOperation(request: Shape<unknown>): Schema {
  return {
    operationId: 'startTraversal',
    summary: 'Start a traversal job',
    description:
      'The rate limit comes first: a request that is refused or invalid has still used its token. ' +
      "Clients on the service's own host are exempt unless they come through a proxy.",
    parameters: [KEY_PARAMETER],
    requestBody: { required: true, content: { 'application/json': { schema: request.schema() } } },
    responses: {
      202: json('The job was accepted.', JOB_CREATED, ['Location']),
      400: problem('The body is invalid; `errors` lists every invalid member.'),
      403: FOREIGN,
      413: problem(`The body is larger than ${MAX_BODY_BYTES} octets.`),
      422: problem('The client has used the Idempotency-Key for another request within a day.'),
      429: text('One line with the limit: "30 requests per 1h0m0s".', 'text/plain', ['Retry-After']),
      503: problem(
        'The job queue or the part of it that one client may fill is full, the service is shutting down, or the store with ' +
          'the jobs cannot be reached.',
        ['Retry-After'],
      ),
      ...OTHERS,
    },
  };
}

const KEY_PARAMETER: Schema = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A repeated request with the same key within a day returns the job that the first request started.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};

/** The formats of a result by their media types. */
const RENDERED: Schema = Object.fromEntries(
  formatsIn('api').map((name) => [FORMATS[name].mediaType, { schema: TEXT.schema() }]),
);

/** GET /api/traverse/{id}. */
const READ: Schema = {
  operationId: 'readTraversal',
  summary: 'Read a job and its result',
  parameters: [
    {
      name: 'format',
      in: 'query',
      description: 'Only the result, in this form. All but JSON are rendered in a thread of their own.',
      schema: { enum: formatsIn('api') },
    },
    {
      name: 'full',
      in: 'query',
      description: 'With the evidence: exchanges, steps and what belongs to them.',
      schema: TEXT.schema(),
    },
  ],
  responses: {
    200: {
      description: 'The job; or its result, if a form was asked for.',
      content: {
        ...RENDERED,
        'application/json': { schema: { anyOf: [JOB.schema(), SENT_RESULT.schema()] } },
      },
    },
    400: problem('There is no such form.'),
    404: UNKNOWN,
    409: problem('A form was asked for, and the job has not ended or has no result.'),
    503: problem('Others are waiting for their forms, or the store with the jobs cannot be reached now.', [
      'Retry-After',
    ]),
    default: problem(
      `${OTHERS_SAID} A form may be too much for the service (500), and SVG needs what it may not have (501).`,
    ),
  },
};

/** DELETE /api/traverse/{id}. */
const CANCEL: Schema = {
  operationId: 'cancelTraversal',
  summary: 'Cancel a job',
  description:
    'The reply comes when the job has ended. A job that had already ended stays as it is. A client other than the one ' +
    'that posted the job needs the token `cancel` of the reply to that.',
  parameters: [
    { name: 'Cancel-Token', in: 'header', description: 'The token.', schema: TEXT.schema() },
    {
      name: 'cancel',
      in: 'query',
      description: 'The token, for clients that cannot set headers.',
      schema: TEXT.schema(),
    },
  ],
  responses: {
    204: reply('The job has ended.'),
    403: problem(
      'Another client posted the job, and the token is missing or wrong; or a page of another origin asks.',
    ),
    404: UNKNOWN,
    503: AWAY,
    ...OTHERS,
  },
};

/** GET /api/traverse/{id}/servers. */
const SERVERS: Schema = {
  operationId: 'readServers',
  summary: 'Read the list of servers that a traversal met',
  description:
    'The servers are asked once the job has ended, however it ended, for 30 seconds at most. Every server that ' +
    'the traversal met is in the list; `skipped` says why one was not asked.',
  responses: {
    200: json('The list.', SERVER_LIST),
    202: json('The list is not ready yet.', PENDING_SERVERS, ['Retry-After']),
    404: UNKNOWN,
    503: AWAY,
    ...OTHERS,
  },
};

/** GET /api/traverse/{id}/when. */
const TIMES: Schema = {
  operationId: 'readTimes',
  summary: 'Read how long old answers would live after a change',
  description: 'Computed from the TTLs in the result, for each kind of change and resolver product.',
  responses: {
    200: json('The times.', WHEN),
    404: UNKNOWN,
    409: problem('The job has not ended or has no result.'),
    503: problem(
      'Others are waiting for results in other forms, or the store with the jobs cannot be reached now.',
      ['Retry-After'],
    ),
    default: problem(`${OTHERS_SAID} The result may be too much for the service (500).`),
  },
};

/** GET /api/traverse/{id}/exchanges/{xid}. */
const EXCHANGED: Schema = {
  operationId: 'readExchange',
  summary: 'Read an exchange or a probe that findings name as their evidence',
  responses: {
    200: {
      description: 'The exchange, with its records and tries.',
      content: { 'application/json': { schema: { anyOf: [EXCHANGE.schema(), PROBE.schema()] } } },
    },
    404: problem('No such job (it may have expired), or no such exchange in its result.'),
    409: problem('The job has not ended or has no result.'),
    503: problem(
      'Others are waiting for results in other forms, or the store with the jobs cannot be reached now.',
      ['Retry-After'],
    ),
    default: problem(`${OTHERS_SAID} The result may be too much for the service (500).`),
  },
};

const EVENT_SCHEMAS: Schema = Object.fromEntries(
  Object.entries(EVENTS).map(([name, shape]) => [name, shape.schema()]),
);

/** GET /api/traverse/{id}/events. */
const FOLLOW: Schema = {
  operationId: 'followTraversal',
  summary: 'Follow a job as server-sent events',
  description:
    'Every event so far, then those to come; `id` counts from 1. The stream ends after `servers`. ' +
    'A reader that stalls is disconnected and may come back.',
  parameters: [
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'Only the events that follow this one.',
      schema: POSITIVE,
    },
  ],
  responses: {
    200: { ...text('The events.', 'text/event-stream'), 'x-events': EVENT_SCHEMAS },
    204: reply('The reader has every event.'),
    404: UNKNOWN,
    503: problem(
      'The client has as many event streams open as it may, or the store with the jobs cannot be reached now.',
      ['Retry-After'],
    ),
    ...OTHERS,
  },
};

/** The identifier of a job in a path. */
const ID_PARAMETER: Schema = { name: 'id', in: 'path', required: true, schema: TEXT.schema() };

/** The identifier of an exchange or a probe in a path. */
const XID_PARAMETER: Schema = { ...ID_PARAMETER, name: 'xid', description: 'Such as x1 or p1.' };

const UP = json('The service is up.', HEALTH);
const METRICS = text('In the format of Prometheus.', 'text/plain');

/** GET /api/ready. */
const ASK_READY: Schema = {
  operationId: 'readReadiness',
  summary: 'Ask whether to send requests here',
  responses: {
    200: json('The service accepts jobs.', READY),
    503: problem('The service is starting or shutting down, or cannot reach the store.', ['Retry-After']),
    ...OTHERS,
  },
};

/** GET /api/traversals. */
const ASK_HISTORY: Schema = {
  operationId: 'readHistory',
  summary: 'List the ended jobs of a name',
  description:
    'What ended last comes first. A reply may have fewer jobs than `limit` and a `next` all the same: follow that for the others.',
  parameters: Object.entries(HISTORY_QUERY).map(([name, field]) => {
    const { description, ...schema } = shapeOf(field).schema();
    return { name, in: 'query', required: name === 'name', description, schema };
  }),
  responses: {
    200: json('The jobs, without their results.', HISTORY),
    400: problem('The query is invalid; `errors` lists every invalid parameter.'),
    503: AWAY,
    ...OTHERS,
  },
};

const DOCUMENT = reply('This document.', { 'application/json': { schema: { type: 'object' } } });

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
    204: reply('The methods, and which of them pages of other origins may use.', undefined, ['Allow']),
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
