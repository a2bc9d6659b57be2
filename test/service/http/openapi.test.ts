import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import t, { type Test } from 'tap';
import { DEFAULT_OPTIONS } from '../../../src/document/options.ts';
import { PROFILE_NAMES } from '../../../src/explore/profiles/profiles.ts';
import { formatsIn } from '../../../src/report/formats.ts';
import { openApiDocument } from '../../../src/service/openapi.ts';
import { readTraversalRequest } from '../../../src/service/request.ts';
import { type Answer, ask } from '../http-client.ts';
import { until } from '../jobs/every-kind.ts';
import { type Spawned, startServe } from '../spawned.ts';
import { startPostgres } from '../store/postgres-server.ts';
import { eventsIn, startJob } from '../test-service.ts';
import { OPENAPI_RULES } from './openapi-rules.ts';
import { startReceiver } from './webhook-receivers.ts';

const SETTINGS = { version: '1.2.3', options: DEFAULT_OPTIONS, views: 'any' } as const;

type Json = Readonly<Record<string, unknown>>;

/** What the document says of a reply. */
interface ResponseSaid {
  readonly headers?: Readonly<Record<string, { readonly required: boolean; readonly schema: Json }>>;
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>;
  readonly 'x-events'?: Readonly<Record<string, Json>>;
}

interface OperationSaid {
  readonly operationId?: string;
  readonly responses: Readonly<Record<string, ResponseSaid>>;
}

interface Said {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationSaid>>>>;
  readonly webhooks: Readonly<
    Record<string, { readonly post: { readonly requestBody: { readonly content: Json } } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

const REF = '#/components/schemas/';

/** The schemas as the document has them, and so closed that a member it does not name is a fault. */
function checker({ components }: Said) {
  const ajv = createAjv();
  ajv.addSchema(asSchema(strictly({ $id: 'document', $defs: components.schemas })), 'document');
  return (t: Test, schema: Json, value: unknown, what: string) => {
    const validate = ajv.compile(asSchema(strictly(schema)));
    t.ok(validate(value), what, { errors: validate.errors?.slice(0, 5) });
  };
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, strictTypes: false });
  addFormats.default(ajv);
  return ajv;
}

/** Schemas refer to each other where a validator of plain schemas finds them. */
function asSchema(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll(REF, 'document#/$defs/'));
}

/** Object schemas take no members but their own. */
function strictly(value: unknown, within = ''): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => strictly(item, within));
  const entries = Object.entries(value).map(([key, item]) => [key, strictly(item, key)]);
  const open = 'properties' in value && within !== 'properties';
  return { ...Object.fromEntries(entries), ...(open ? { additionalProperties: false } : {}) };
}

t.test('the document keeps to OpenAPI 3.1', async (t) => {
  const document: Said = JSON.parse(
    JSON.stringify(openApiDocument(SETTINGS, { metrics: true, history: true })),
  );
  const ajv = createAjv();
  ajv.addSchema(asSchema({ $id: 'document', $defs: document.components.schemas }));

  t.test('in its form', async (t) => {
    const validate = ajv.compile(OPENAPI_RULES);
    t.ok(validate(document), 'as the specification says', { errors: validate.errors });
  });

  t.test('in its schemas and references', async (t) => {
    const { components, paths } = document;
    for (const name of Object.keys(components.schemas)) {
      ajv.compile({ $ref: `document#/$defs/${name}` });
      t.match(JSON.stringify(document), `"${REF}${name}"`, `${name} is used`);
    }
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to);
    for (const to of new Set(references)) {
      t.ok(components.schemas[to?.replace(REF, '') ?? ''], `${to} is there`);
    }
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    const ids = operations.flatMap(({ operationId }) => operationId ?? []);
    t.equal(new Set(ids).size, ids.length, 'operations are told apart');
    for (const [path, item] of Object.entries(paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = 'parameters' in item ? JSON.parse(JSON.stringify(item.parameters)) : [];
      t.same(
        declared.map(({ name }: { name: string }) => name),
        named,
        `${path} declares its parameters`,
      );
    }
  });

  t.test('in its examples and defaults', async (t) => {
    const walk = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const given = 'examples' in schema && Array.isArray(schema.examples) ? [...schema.examples] : [];
      if ('default' in schema) given.push(schema.default);
      if (given.length > 0 && !('responses' in schema)) {
        const validate = ajv.compile(asSchema(schema));
        for (const example of given) t.ok(validate(example), JSON.stringify(example));
      }
      for (const part of Object.values(schema)) walk(part);
    };
    walk(document.components);
  });

  t.test('says of requests what the service does', async (t) => {
    const validate = ajv.compile({ $ref: 'document#/$defs/TraversalRequest' });
    const BODIES: readonly (readonly [body: unknown, valid: boolean])[] = [
      [{ name: 'www.example' }, true],
      [{ name: 'www.example', type: 'MX', options: {} }, true],
      [{ name: 'a', options: { families: [4], maxQueries: 5_000, retries: 0, edns: 'off' } }, true],
      [{ name: 'a', options: { payloadSize: 1_232, nameCase: 'lower', transport: 'tcp' } }, true],
      [{}, false],
      [[], false],
      [{ name: 1 }, false],
      [{ name: 'a', x: 1 }, false],
      [{ name: 'a', options: { x: 1 } }, false],
      [{ name: 'a', options: { families: [] } }, false],
      [{ name: 'a', options: { families: [5] } }, false],
      [{ name: 'a', options: { maxQueries: 20_001 } }, false],
      [{ name: 'a', options: { maxQueries: 0 } }, false],
      [{ name: 'a', options: { edns: 'maybe' } }, false],
    ];
    for (const [body, valid] of BODIES) {
      t.equal(validate(body), valid, JSON.stringify(body));
      const read = readTraversalRequest(Buffer.from(JSON.stringify(body)), DEFAULT_OPTIONS);
      t.equal(read.kind, valid ? 'valid' : 'invalid', JSON.stringify(body));
    }
  });
});

t.test('a request expects what an answer of its type can be', async (t) => {
  const rows: readonly (readonly [type: string, item: string, errors: readonly object[]])[] = [
    ['AAAA', '2001:db8::1', []],
    [
      'AAAA',
      'nxdomaim',
      [
        {
          pointer: '/options/expect/1',
          detail: 'can be no answer of type AAAA: must be an IPv6 address or prefix, nxdomain or nodata',
        },
      ],
    ],
  ];
  for (const [type, item, errors] of rows) {
    const body = JSON.stringify({ name: 'a', type, options: { expect: ['nodata', item] } });
    const read = readTraversalRequest(Buffer.from(body), DEFAULT_OPTIONS);
    t.same(read.kind === 'invalid' ? read.errors : [], errors, item);
  }
});

t.test('svc-api(5) names every member and every word of the document', async (t) => {
  const page = readFileSync(new URL('../../../man/svc-api.5', import.meta.url), 'utf8');
  // Profiles are listed by `svc help profiles`.
  const words = new Set([...(page.replaceAll('\\(dq', '"').match(/[\w-]+/g) ?? []), ...PROFILE_NAMES]);
  const walk = (name: string, schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    if ('properties' in schema && typeof schema.properties === 'object') {
      for (const member of Object.keys(schema.properties ?? {}))
        t.ok(
          member.split('/').every((word) => words.has(word)),
          `${name}: ${member}`,
        );
    }
    if ('enum' in schema && Array.isArray(schema.enum)) {
      for (const word of schema.enum) t.ok(words.has(`${word}`), `${name}: ${word}`);
    }
    for (const part of Object.values(schema)) walk(name, part);
  };
  const { components }: Said = JSON.parse(
    JSON.stringify(openApiDocument(SETTINGS, { metrics: true, history: true })),
  );
  for (const [name, schema] of Object.entries(components.schemas)) walk(name, schema);
});

t.test('the running service keeps to the document', async (t) => {
  const receiver = await startReceiver(t, (response) => response.writeHead(204).end());
  const flags = [
    '--demo',
    '--max-jobs',
    '1',
    '--max-queue',
    '0',
    '--max-streams-per-client',
    '1',
    '--public-history',
  ];
  const service = await startServe(t, [...flags, '--timeout', '20s'], {
    SERVICE_RATE_LIMIT: '1/1h',
    SERVICE_WEBHOOK_URL: receiver.url.href,
    SERVICE_WEBHOOK_SECRET: 'secret',
  });
  const said: Said = JSON.parse((await ask(service, 'GET', '/api/openapi.json')).text);
  const check = checker(said);
  // A job of every kind, each to its end.
  for (const name of ['www.shop.example', 'spring.sale.example', 'www.circle.example', 'www.left.example']) {
    const id = await startJob(service, {
      name,
      options: { timeoutMs: 300, ...(name !== 'www.shop.example' && { views: ['resolver'] }) },
    });
    const answers = await everyReplyOf(service, id);
    for (const [operationId, answer] of answers) checkReply(t, check, operationOf(said, operationId), answer);
  }
  const driven = [...(await driveAll(service)), ...(await driveWithoutStore(t))];
  for (const [operationId, answer, response] of driven) {
    checkReply(t, check, operationOf(said, operationId), answer, response);
  }
  for (const [path, item] of Object.entries(said.paths)) {
    const { options } = item;
    if (options === undefined) throw new Error(`${path} has no options`);
    checkReply(t, check, options, await ask(service, 'OPTIONS', path.replace('{id}', 'x')));
    const other = await ask(service, 'PATCH', path.replace('{id}', 'x'));
    checkReply(t, check, { responses: JSON.parse(JSON.stringify(item['x-other-methods'])) }, other);
  }

  t.test('every reply it tells of was seen', async (t) => {
    const told = Object.values(said.paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId, responses }) =>
        operationId === undefined ? [] : Object.keys(responses).map((status) => `${operationId} ${status}`),
      ),
    );
    const seen = driven.map(([operationId, { status }, response]) => `${operationId} ${response ?? status}`);
    t.same(seen.sort(), told.sort());
  });

  t.test('webhooks too', async (t) => {
    await receiver.until(9);
    for (const { body } of receiver.received) {
      const event = JSON.parse(body);
      const { content } = said.webhooks[event.event]?.post.requestBody ?? {};
      const { schema } = JSON.parse(JSON.stringify(content))['application/json'];
      check(t, schema, event, `the ${event.event} webhook`);
    }
  });
});

/** What there is to read of one job, while it runs and after. */
async function everyReplyOf(service: Spawned, id: string): Promise<readonly (readonly [string, Answer])[]> {
  const self = `/api/traverse/${id}`;
  const replies: (readonly [string, Answer])[] = [
    ['readTraversal', await ask(service, 'GET', self)],
    ['followTraversal', await ask(service, 'GET', `${self}/events`)],
    ['readTraversal', await ask(service, 'GET', self)],
    ['readServers', await ask(service, 'GET', `${self}/servers`)],
  ];
  // One after the other: only so many of one client may wait.
  for (const format of formatsIn('api'))
    replies.push(['readTraversal', await ask(service, 'GET', `${self}?format=${format}`)]);
  replies.push(['readTimes', await ask(service, 'GET', `${self}/when`)]);
  replies.push(['readExchange', await ask(service, 'GET', `${self}/exchanges/x1`)]);
  return replies;
}

const ELSEWHERE = { Origin: 'http://elsewhere.example' };

type Driven = readonly (readonly [operationId: string, answer: Answer, response?: 'default'])[];

/** Makes each operation give each of its replies once. */
async function driveAll(service: Spawned): Promise<Driven> {
  const client = (address: string) => ({ 'X-Forwarded-For': address });
  const of = (id: string, rest = '') => `/api/traverse/${id}${rest}`;
  const get = (path: string, headers = {}) => ask(service, 'GET', path, { headers });
  const body = JSON.stringify({ name: 'www.dead.example' });
  const post = (body: string, headers = {}) => ask(service, 'POST', '/api/traverse', { body, headers });
  const done = await startJob(service, { name: 'www.shop.example', options: { views: ['resolver'] } });
  const events = await get(of(done, '/events'));
  const servers = await get(of(done, '/servers'));
  const key = { 'Idempotency-Key': 'k' };
  const taken = await post(body, key);
  const { id } = JSON.parse(taken.text);
  const busy = await post(body);
  const pending = await get(of(id, '/servers'));
  const first = new AbortController();
  const headers = client('192.0.2.1');
  const open = await fetch(`${service.url}${of(id, '/events')}`, { signal: first.signal, headers });
  const refused = await get(of(id, '/events'), headers);
  first.abort();
  await open.text().catch(() => {});
  const unexpected = async (operationId: string, method: string, path: string) => {
    const answer = await ask(service, method, path, { headers: { Expect: 'miracles' } });
    return [operationId, answer, 'default'] as const;
  };
  return [
    ['startTraversal', taken],
    ['startTraversal', await post('{}')],
    ['startTraversal', await post('x'.repeat(20_000))],
    ['startTraversal', await post(body, ELSEWHERE)],
    ['startTraversal', await post('{}', client('192.0.2.2')).then(() => post('{}', client('192.0.2.2')))],
    ['startTraversal', await post(JSON.stringify({ name: 'www.shop.example' }), key)],
    ['startTraversal', busy],
    await unexpected('startTraversal', 'POST', '/api/traverse'),
    ['readTraversal', await get(of(id))],
    ['readTraversal', await get(of('none'))],
    ['readTraversal', await get(of(done, '?format=pdf'))],
    ['readTraversal', await get(of(id, '?format=text'))],
    await unexpected('readTraversal', 'GET', of(id)),
    ['readServers', servers],
    ['readServers', pending],
    ['readServers', await get(of('none', '/servers'))],
    await unexpected('readServers', 'GET', of(id, '/servers')),
    ['readTimes', await get(of(done, '/when'))],
    ['readTimes', await get(of(id, '/when'))],
    ['readTimes', await get(of('none', '/when'))],
    await unexpected('readTimes', 'GET', of(done, '/when')),
    ['readExchange', await get(of(done, '/exchanges/x1'))],
    ['readExchange', await get(of(id, '/exchanges/x1'))],
    ['readExchange', await get(of(done, '/exchanges/x99999'))],
    await unexpected('readExchange', 'GET', of(done, '/exchanges/x1')),
    ['followTraversal', events],
    ['followTraversal', await get(of(done, '/events'), { 'Last-Event-ID': '100000' })],
    ['followTraversal', await get(of('none', '/events'))],
    ['followTraversal', refused],
    await unexpected('followTraversal', 'GET', of(id, '/events')),
    ['cancelTraversal', await ask(service, 'DELETE', of(id))],
    ['cancelTraversal', await ask(service, 'DELETE', of('none'))],
    ['cancelTraversal', await ask(service, 'DELETE', of(id), { headers: ELSEWHERE })],
    await unexpected('cancelTraversal', 'DELETE', of(id)),
    ['readHealth', await get('/api/health')],
    await unexpected('readHealth', 'GET', '/api/health'),
    ['readReadiness', await get('/api/ready')],
    await unexpected('readReadiness', 'GET', '/api/ready'),
    ['readOpenApi', await get('/api/openapi.json')],
    await unexpected('readOpenApi', 'GET', '/api/openapi.json'),
    ['readHistory', await get('/api/traversals?name=www.shop.example&type=A&limit=1')],
    ['readHistory', await get('/api/traversals')],
    await unexpected('readHistory', 'GET', '/api/traversals?name=www.shop.example'),
    ['readMetrics', await get('/metrics')],
    await unexpected('readMetrics', 'GET', '/metrics'),
  ];
}

/** What a service says of jobs whose store has gone. */
async function driveWithoutStore(t: Test): Promise<Driven> {
  const server = await startPostgres(t);
  const service = await startServe(t, ['--demo', '--public-history', '--store', await server.database()]);
  const id = await startJob(service, { name: 'www.shop.example' });
  await server.kill();
  // The next heartbeat shows it.
  await until(async () => (await ask(service, 'GET', '/api/ready')).status === 503, 'the loss of the store');
  const self = `/api/traverse/${id}`;
  return [
    ['readTraversal', await ask(service, 'GET', self)],
    ['readServers', await ask(service, 'GET', `${self}/servers`)],
    ['readTimes', await ask(service, 'GET', `${self}/when`)],
    ['readExchange', await ask(service, 'GET', `${self}/exchanges/x1`)],
    ['cancelTraversal', await ask(service, 'DELETE', self)],
    ['readReadiness', await ask(service, 'GET', '/api/ready')],
    ['readHistory', await ask(service, 'GET', '/api/traversals?name=www.shop.example')],
  ];
}

function operationOf({ paths }: Said, operationId: string): OperationSaid {
  const all = Object.values(paths).flatMap((item) => Object.values(item));
  const found = all.find((operation) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`no operation ${operationId}`);
  return found;
}

type Check = ReturnType<typeof checker>;

function checkReply(
  t: Test,
  check: Check,
  { operationId, responses }: OperationSaid,
  { status, headers, text }: Answer,
  response = `${status}`,
): void {
  const what = `${operationId ?? 'other'} ${status}`;
  const said = responses[response];
  if (said === undefined) throw new Error(`${what} is not in the document`);
  for (const [name, { schema }] of Object.entries(said.headers ?? {})) {
    check(t, schema, headers[name.toLowerCase()], `${what}: ${name}`);
  }
  if (said.content === undefined) {
    t.equal(text, '', `${what} has no body`);
    return;
  }
  const type = headers['content-type']?.split(';')[0] ?? 'no type';
  const schema = said.content[type]?.schema;
  if (schema === undefined) throw new Error(`${what}: ${type} is not in the document`);
  check(t, schema, type.endsWith('json') ? JSON.parse(text) : text, `${what}: its body`);
  const events = said['x-events'];
  if (events === undefined) return;
  for (const [id, name, data] of eventsIn(text)) check(t, events[name] ?? {}, data, `event ${id}, ${name}`);
}
