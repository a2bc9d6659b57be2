import { LIMITS } from '../../limits.ts';
import type { TraversalOptions } from '../../options.ts';
import {
  COUNT,
  described,
  list,
  MILLISECONDS,
  oneOf,
  record,
  ref,
  type Schema,
  TEXT,
  TIME,
} from './schema.ts';

const STATUS = ['queued', 'running', 'complete', 'failed', 'cancelled'] as const;
const ID: Schema = {
  type: 'string',
  format: 'uuid',
  description: 'Cannot be guessed: who knows it may read.',
};

/** Schemas of requests, jobs, events and errors. `most` bounds what a request may ask for. */
export function serviceSchemas(most: TraversalOptions): Readonly<Record<string, Schema>> {
  return {
    TraversalRequest: closed(
      record(
        {
          name: {
            type: 'string',
            maxLength: 1012,
            description: 'Internationalised names too.',
            examples: ['www.example.com'],
          },
        },
        { type: { type: 'string', default: 'A', examples: ['AAAA'] }, options: ref('RequestOptions') },
      ),
    ),
    RequestOptions: described(
      closed(record({}, requestOptions(most))),
      'Budgets may be lowered, never raised.',
    ),
    ...FIXED,
  };
}

function requestOptions(most: TraversalOptions): Readonly<Record<string, Schema>> {
  const budget = (name: keyof typeof LIMITS & keyof TraversalOptions): Schema => ({
    type: 'integer',
    minimum: Math.min(LIMITS[name].least, most[name]),
    maximum: most[name],
    default: most[name],
    description: LIMITS[name].meaning,
  });
  return {
    families: { type: 'array', items: oneOf(...most.families), minItems: 1, default: most.families },
    maxDepth: budget('maxDepth'),
    maxQueries: budget('maxQueries'),
    maxTimeMs: budget('maxTimeMs'),
    maxWork: budget('maxWork'),
    timeoutMs: budget('timeoutMs'),
    retries: budget('retries'),
    payloadSize: budget('payloadSize'),
    edns: { ...oneOf('on', 'off'), default: most.edns },
    nameCase: { ...oneOf('mixed', 'lower'), default: most.nameCase },
    transport: { ...oneOf('udp-then-tcp', 'tcp'), default: most.transport },
  };
}

function closed(schema: Schema): Schema {
  return { ...schema, additionalProperties: false };
}

const FIXED: Readonly<Record<string, Schema>> = {
  JobCreated: record({
    id: ID,
    status: { const: 'queued' },
    links: record({ self: TEXT, events: TEXT, servers: TEXT }),
  }),
  Job: record(
    {
      id: ID,
      status: oneOf(...STATUS),
      query: ref('Query'),
      createdAt: TIME,
      progress: record({ exchanges: COUNT, pending: COUNT }),
    },
    {
      startedAt: TIME,
      finishedAt: TIME,
      result: described(ref('Result'), 'Once it is complete; of a cancelled job what was known.'),
      error: described(record({ title: TEXT, detail: TEXT }), 'Of a failed job.'),
    },
  ),
  ServersPending: record({ status: { const: 'pending' } }),
  Servers: record({ status: { const: 'ready' }, servers: list(ref('Server')) }),
  Server: record(
    { address: TEXT, names: list(ref('Name')), zones: list(ref('Name')), versionBind: ref('Told') },
    {
      hostnameBind: ref('Told'),
      idServer: ref('Told'),
      nsid: ref('Told'),
      software: record({ product: TEXT }, { version: TEXT }),
    },
  ),
  Told: described(
    record(
      { status: oneOf('answer', 'refused', 'timeout', 'error', 'empty') },
      { text: TEXT, rcode: TEXT, failure: oneOf('unreachable', 'malformed') },
    ),
    'What a server said of itself.',
  ),
  Health: record({
    status: { const: 'ok' },
    region: { type: ['string', 'null'] },
    version: TEXT,
    uptimeMs: MILLISECONDS,
    jobs: record({ queued: COUNT, running: COUNT, retained: COUNT }),
  }),
  Problem: described(
    record(
      {
        type: { const: 'about:blank' },
        title: TEXT,
        status: { type: 'integer', minimum: 400 },
        detail: TEXT,
      },
      { errors: list(record({ pointer: described(TEXT, 'JSON pointer (RFC 6901).'), detail: TEXT })) },
    ),
    'RFC 9457.',
  ),
  StartedEvent: record({ query: ref('Query'), options: ref('Options'), startedAt: TIME }),
  ProgressEvent: record({
    exchanges: COUNT,
    pending: COUNT,
    elapsedMs: MILLISECONDS,
    summary: list(ref('SummaryRow')),
  }),
  CompleteEvent: record({
    status: oneOf('complete', 'failed', 'cancelled'),
    summary: list(ref('SummaryRow')),
    limits: described(
      list(oneOf('query-limit', 'time-limit', 'work-limit', 'depth-limit')),
      'Those that left something unknown, in either view; the summary alone does not tell of all.',
    ),
    findings: described(
      record({ critical: COUNT, error: COUNT, warning: COUNT, notice: COUNT, info: COUNT }),
      'How many there are of each severity.',
    ),
    exitStatus: described(oneOf(0, 1, 3), 'What `svc traverse` exits with for the result.'),
    durationMs: MILLISECONDS,
  }),
  ...webhookSchemas(),
};

function webhookSchemas(): Readonly<Record<string, Schema>> {
  const seen = {
    id: ID,
    name: ref('Name'),
    type: ref('Type'),
    client: described(TEXT, 'Who asked, as the rate limit tells clients apart.'),
    region: { type: ['string', 'null'] },
    at: TIME,
  };
  return {
    StartWebhook: record({ event: { const: 'start' }, ...seen }),
    CompleteWebhook: record({
      event: { const: 'complete' },
      ...seen,
      status: oneOf('complete', 'failed', 'cancelled'),
      durationMs: MILLISECONDS,
      exchanges: COUNT,
      summary: list(ref('SummaryRow')),
    }),
  };
}
