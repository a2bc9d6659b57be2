import t from 'tap';
import { type FollowingBounds, followEvents, Link } from '../../src/cli/remote/events.ts';
import type { Follower } from '../../src/cli/remote/job-events.ts';
import { readJob, readServers, startJob } from '../../src/cli/remote/jobs.ts';
import { parseName } from '../../src/dns/name.ts';
import type { RunAnswer } from '../../src/document/run-answer.ts';
import { type Handler, pour, startServer } from './demo-service.ts';

const MIB = 1_024 * 1_024;
const STREAM = { 'Content-Type': 'text/event-stream' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const never = () => new AbortController().signal;

const progress = (id: number | string) =>
  `id: ${id}\nevent: progress\ndata: {"exchanges":1,"pending":0,"elapsedMs":1,"summary":[]}\n\n`;

t.test('a server whose events never end', async (t) => {
  const follow = async (handler: Handler, bounds: Partial<FollowingBounds>) => {
    let requests = 0;
    const { url, stop } = await startServer((message, response) => {
      requests += 1;
      handler(message, response);
    });
    const follower: Follower = { event: () => 'go-on', connection: () => {} };
    const usual = { retryMs: [0, 1], silenceMs: 20_000, lostMs: 20_000 } as const;
    const answer = await followEvents({ server: new URL(url), id: 'x' }, follower, {
      signal: never(),
      bounds: { ...usual, ...bounds },
    });
    await stop();
    return { requests, said: answer.kind === 'ok' ? 'ok' : answer.failure };
  };
  const stream = (piece: (number: number) => string): Handler => {
    return (_, response) => pour(response.writeHead(200, STREAM), piece);
  };
  const rows: readonly (readonly [
    what: string,
    handler: Handler,
    bounds: Partial<FollowingBounds>,
    said: object,
  ])[] = [
    [
      'an endless line',
      stream(() => 'x'.repeat(65_536)),
      {},
      { kind: 'not-a-service', detail: 'an event is larger than 16 MiB' },
    ],
    [
      'an event of endless lines, with comments in it',
      stream(() => `data: ${'x'.repeat(65_536)}\n: still there\n`),
      {},
      { kind: 'not-a-service', detail: 'an event is larger than 16 MiB' },
    ],
    [
      'endless events',
      stream(progress),
      { events: 1_000 },
      { kind: 'not-a-service', detail: 'it sent more than 1000 events' },
    ],
    [
      'endless events of no known kind',
      stream(() => 'event: noise\ndata: x\n\n'),
      { events: 1_000 },
      { kind: 'not-a-service', detail: 'it sent more than 1000 events' },
    ],
    [
      'endless comments',
      stream(() => `:${'x'.repeat(65_536)}\n\n`),
      { octets: 4 * MIB },
      { kind: 'not-a-service', detail: 'its events are larger than 4 MiB' },
    ],
    [
      'a job that never ends, though something is heard of it',
      (_, response) => {
        response.writeHead(200, STREAM).write(progress(1));
        const beat = setInterval(() => response.write(':\n\n'), 5);
        response.on('close', () => clearInterval(beat));
      },
      { totalMs: 100 },
      { kind: 'fault', detail: 'the job goes on for longer than any can' },
    ],
    [
      'a few octets now and then',
      (_, response) => {
        response.writeHead(200, STREAM).write(progress(1));
        const drip = setInterval(() => response.write('x'), 5);
        response.on('close', () => clearInterval(drip));
      },
      { silenceMs: 100, lostMs: 0 },
      { kind: 'unreachable', reason: 'no reply in time' },
    ],
    [
      'one event for each connection, and an endless number of these',
      ({ headers }, response) =>
        response.writeHead(200, STREAM).end(progress(Number(headers['last-event-id'] ?? 0) + 1)),
      { events: 20 },
      { kind: 'not-a-service', detail: 'it sent more than 20 events' },
    ],
    [
      'a wish that the next attempt be made in years',
      (_, response) => response.writeHead(200, STREAM).end(`retry: 99999999999\n\n${progress(1)}`),
      { lostMs: 0 },
      { kind: 'unreachable', reason: 'connection closed' },
    ],
    [
      'an identifier that fits no header',
      (_, response) =>
        response
          .writeHead(200, STREAM)
          .end(`event: noise\nid: \u{1f600}\ndata: x\n\n${progress('\u{1f600}')}`),
      {},
      { kind: 'not-a-service', detail: 'event "progress": it has no id' },
    ],
    [
      'redirection without end',
      (_, response) => response.writeHead(307, { Location: `/${'x'.repeat(8_000)}` }).end(),
      {},
      { kind: 'not-a-service', detail: /^it redirects to \/x{100,200}… \(8,001 characters\)$/ },
    ],
  ];
  for (const [what, handler, bounds, expected] of rows) {
    const { requests, said } = await follow(handler, bounds);
    t.match(said, expected, what);
    t.ok(requests <= 40, `${requests} requests`);
  }
});

t.test('a server whose replies are endless, or nonsense', async (t) => {
  const job = { name: parseName('a'), type: 'A' };
  const start = (server: URL) => startJob(server, job, never());
  const read = (server: URL) => readJob(server, 'x', never());
  const servers = (server: URL) => readServers(server, 'x', never());
  const endless = (status: number, headers: Readonly<Record<string, string>>): Handler => {
    return (_, response) => pour(response.writeHead(status, headers), () => '['.repeat(65_536));
  };
  const once = (status: number, body: string): Handler => {
    return (_, response) => response.writeHead(status, JSON_TYPE).end(body);
  };
  const rows: readonly (readonly [
    what: string,
    handler: Handler,
    call: (server: URL) => Promise<RunAnswer<unknown>>,
    failure: object,
  ])[] = [
    [
      'a gigabyte of JSON for a result',
      endless(200, JSON_TYPE),
      read,
      { kind: 'not-a-service', detail: 'its reply is larger than 129 MiB' },
    ],
    ['for a list of servers', endless(200, JSON_TYPE), servers, { detail: /larger than 16 MiB/ }],
    ['for the identifier of a job', endless(202, JSON_TYPE), start, { detail: /larger than 64 KiB/ }],
    ['a refusal without end', endless(429, {}), start, { kind: 'rate-limited', detail: /^\[{1,200}… / }],
    ['a fault without end', endless(500, JSON_TYPE), start, { kind: 'fault' }],
    [
      'redirection',
      (_, response) => response.writeHead(302, { Location: '/x' }).end(),
      start,
      { kind: 'not-a-service', detail: 'it redirects to /x' },
    ],
    ['a job that is a list', once(200, '[]'), read, { kind: 'not-a-service' }],
    [
      'a job nested a million deep',
      once(200, '{"result":'.repeat(1_000_000)),
      read,
      { kind: 'not-a-service' },
    ],
    [
      'a result of wrong types',
      once(200, '{"status":"complete","result":{"schema":2,"query":[]}}'),
      read,
      { kind: 'not-a-service', detail: '/result/query: must be an object' },
    ],
    [
      'a list of wrong types',
      once(200, '{"status":"ready","servers":7}'),
      servers,
      { kind: 'not-a-service' },
    ],
    [
      'a refusal with a million reasons',
      once(
        400,
        `{"errors":[${'{"pointer":"/x","detail":"no"},'.repeat(2_000)}{"pointer":"/y","detail":"no"}]}`,
      ),
      start,
      { kind: 'refused', errors: Array.from({ length: 10 }, () => ({ pointer: '/x', detail: 'no' })) },
    ],
  ];
  for (const [what, handler, call, expected] of rows) {
    const { url, stop } = await startServer(handler);
    const answer = await call(new URL(url));
    t.match(answer.kind === 'failed' && answer.failure, expected, what);
    await stop();
  }
});

/** A link that is given up a minute after it was lost, and a clock that a test moves. */
function setUp(state?: 'up') {
  let now = 0;
  const told: string[] = [];
  const follower: Follower = { event: () => 'go-on', connection: (state) => void told.push(state) };
  const link = new Link(follower, 60_000, () => now, state);
  const wait = (ms: number) => {
    now += ms;
  };
  return { link, told, wait };
}

t.test('a connection that never was is not waited for', async (t) => {
  t.notOk(setUp().link.isWorthWaiting());
});

t.test('one to a server that just replied is, for a minute', async (t) => {
  const { link, told, wait } = setUp('up');
  t.ok(link.isWorthWaiting());
  link.down();
  wait(59_999);
  t.ok(link.isWorthWaiting());
  wait(1);
  t.notOk(link.isWorthWaiting());
  t.same(told, ['lost']);
});

t.test('one that brought something is, for a minute from when it was lost', async (t) => {
  const { link, told, wait } = setUp();
  link.up();
  link.heard();
  wait(600_000);
  link.down();
  wait(59_999);
  t.ok(link.isWorthWaiting());
  wait(1);
  t.notOk(link.isWorthWaiting());
  t.same(told, ['lost']);
  link.up();
  t.same(told, ['lost', 'back']);
});

t.test('connections that bring nothing get no more time, unless they last', async (t) => {
  for (const [lastsMs, waited] of [
    [4_999, false],
    [5_000, true],
  ] as const) {
    const { link, wait } = setUp();
    wait(59_000);
    link.up();
    wait(lastsMs);
    link.down();
    t.equal(link.isWorthWaiting(), waited, `${lastsMs} ms`);
  }
});
