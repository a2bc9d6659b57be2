import t from 'tap';
import { type FollowingBounds, followEvents } from '../../src/cli/remote/events.ts';
import type { Follower } from '../../src/cli/remote/job-events.ts';
import { readServerUrl, resourceUrl, startTimeout } from '../../src/cli/remote/request.ts';
import { isJobId } from '../../src/document/api/jobs.ts';
import { type ReceivedReply, readReply } from '../../src/document/api/read-response.ts';
import type { RunFailure } from '../../src/document/run-answer.ts';
import { withoutResult } from '../../src/report/views/conclusion.ts';
import { type Handler, startServer } from './demo-service.ts';

t.test('where a service is', async (t) => {
  const rows: readonly (readonly [text: string, expected: string | undefined])[] = [
    ['http://localhost:8053', 'http://localhost:8053/api/traverse'],
    ['HTTP://LOCALHOST', 'http://localhost/api/traverse'],
    ['https://[2001:db8::1]/', 'https://[2001:db8::1]/api/traverse'],
    ['http://h/dns', 'http://h/dns/api/traverse'],
    ['http://h/dns/api/', 'http://h/dns/api/traverse'],
    ['http://h/api', 'http://h/api/traverse'],
    ['http://h/therapi', 'http://h/therapi/api/traverse'],
    ['localhost:8053', undefined],
    ['//h', undefined],
    ['ftp://h', undefined],
    ['http://', undefined],
    ['http://h?x=1', undefined],
    ['http://h#x', undefined],
    ['http://user:secret@h', undefined],
    ['', undefined],
  ];
  for (const [text, expected] of rows) {
    const url = readServerUrl(text);
    t.equal(url && resourceUrl(url, 'api/traverse').href, expected, text);
  }
  t.ok(isJobId('0F8FAD5B-d9cb-469f-a165-70867728950e'));
  t.notOk(isJobId('www.example.com'));
  t.notOk(isJobId('0f8fad5b-d9cb-469f-a165-70867728950e.'), 'with a final dot it is a name');
});

t.test('what a reply means', async (t) => {
  const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
  const PROBLEM = { 'content-type': 'application/problem+json' };
  const rows: readonly (readonly [
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string,
    expected: { readonly value: unknown } | RunFailure,
  ])[] = [
    [200, JSON_TYPE, '{"a": 1}', { value: { a: 1 } }],
    [204, {}, '', { value: undefined }],
    [200, JSON_TYPE, '{', { kind: 'not-a-service', detail: 'HTTP status 200 with application/json' }],
    [200, {}, '{}', { kind: 'not-a-service', detail: 'HTTP status 200 with nothing' }],
    [301, { location: 'https://h/' }, '', { kind: 'not-a-service', detail: 'it redirects to https://h/' }],
    [304, {}, '', { kind: 'not-a-service', detail: 'HTTP status 304 with nothing' }],
    [
      400,
      PROBLEM,
      '{"detail": "No.", "errors": [{"pointer": "/name", "detail": "is missing"}]}',
      { kind: 'refused', detail: 'No.', errors: [{ pointer: '/name', detail: 'is missing' }] },
    ],
    [400, PROBLEM, '{}', { kind: 'refused', detail: '', errors: [] }],
    [400, PROBLEM, '[]', { kind: 'not-a-service', detail: 'HTTP status 400 with application/problem+json' }],
    [404, PROBLEM, '{"status": 404}', { kind: 'no-such-job' }],
    [405, PROBLEM, '{}', { kind: 'not-a-service', detail: 'HTTP status 405 with application/problem+json' }],
    [
      429,
      { 'retry-after': '90' },
      'slow\nly',
      { kind: 'rate-limited', detail: 'slow', retryAfterMs: 90_000 },
    ],
    [429, { 'retry-after': '-1' }, 'slow', { kind: 'rate-limited', detail: 'slow' }],
    [429, { 'retry-after': 'soon' }, 'slow', { kind: 'rate-limited', detail: 'slow' }],
    [
      503,
      { ...PROBLEM, 'retry-after': '5' },
      '{"detail": "Full."}',
      { kind: 'busy', detail: 'Full.', retryAfterMs: 5_000 },
    ],
    [
      503,
      { 'retry-after': 'Thu, 01 Jan 1970 00:00:10 GMT' },
      '',
      { kind: 'busy', detail: 'It is temporarily unavailable.', retryAfterMs: 9_000 },
    ],
    [500, PROBLEM, '{}', { kind: 'fault', detail: 'HTTP status 500' }],
    [502, {}, '<h1>', { kind: 'unreachable', reason: 'a proxy replies with HTTP status 502' }],
    [504, {}, '', { kind: 'unreachable', reason: 'a proxy replies with HTTP status 504' }],
  ];
  for (const [status, headers, body, expected] of rows) {
    const reply: ReceivedReply = { status, headers: new Headers(headers), body: Buffer.from(body) };
    const answer = readReply(reply, 1_000);
    t.same(answer.kind === 'ok' ? { value: answer.value } : answer.failure, expected, `${status} ${body}`);
  }
});

// The first of the next two waits longer than a busy machine takes to connect.
t.jobs = 2;

t.test('a server waits until its events are printed, and that is not its silence', async (t) => {
  let sendComplete = (): void => {};
  const { url, stop } = await startServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(PROGRESS);
    sendComplete = () => response.write(COMPLETE);
  });
  const seen: string[] = [];
  const follower: Follower = {
    event: ({ event }) => {
      seen.push(event);
      return event === 'complete' ? 'enough' : 'go-on';
    },
    connection: (state) => seen.push(state),
    room: () =>
      new Promise((resolve) => {
        sendComplete();
        setTimeout(() => {
          seen.push('printed');
          resolve();
        }, 4_500);
      }),
  };
  const bounds = { silenceMs: 4_000, lostMs: 5_000, retryMs: [0, 5] } as const;
  const answer = await followEvents({ server: new URL(url), id: 'x' }, follower, { signal: never(), bounds });
  await stop();
  t.same([...seen, answer.kind], ['progress', 'printed', 'complete', 'ok']);
});

t.test('following events', async (t) => {
  const follow = async (
    handler: Handler,
    bounds: Partial<FollowingBounds> = {},
    signal = never,
    around: { readonly contact?: 'made' } = {},
  ) => {
    const { url, stop } = await startServer(handler);
    const seen: string[] = [];
    const follower: Follower = {
      event: ({ event }) => {
        seen.push(event);
        return event === 'complete' ? 'enough' : 'go-on';
      },
      connection: (state) => seen.push(state),
    };
    const usual = { silenceMs: 5_000, lostMs: 5_000, retryMs: [0, 5_000] } as const;
    const job = { server: new URL(url), id: 'x', ...around };
    const limits = { signal: signal(), bounds: { ...usual, ...bounds } };
    const answer = await followEvents(job, follower, limits);
    await stop();
    return [...seen, answer.kind === 'ok' ? 'ok' : answer.failure];
  };
  const stream = { 'Content-Type': 'text/event-stream' };

  t.same(
    await follow(
      (message, response) => {
        const isBack = message.headers['last-event-id'] === '1';
        response.writeHead(200, stream).write(`retry: 5\n\n${isBack ? COMPLETE : PROGRESS}`);
      },
      { silenceMs: 3_000, lostMs: 5_000 },
    ),
    ['progress', 'lost', 'back', 'complete', 'ok'],
    'a connection on which nothing comes is made again',
  );
  t.same(
    await follow((_, response) =>
      response.writeHead(200, stream).end(`retry: 5\n\n${PROGRESS}${PROGRESS}${COMPLETE}`),
    ),
    ['progress', 'complete', 'ok'],
    'an event that comes twice counts once',
  );
  const troubles = [502, 503];
  t.same(
    await follow((message, response) => {
      const isBack = message.headers['last-event-id'] === '1';
      const trouble = isBack ? troubles.shift() : undefined;
      if (trouble !== undefined) response.writeHead(trouble).end();
      else response.writeHead(200, stream).end(`retry: 5\n\n${isBack ? COMPLETE : PROGRESS}`);
    }),
    ['progress', 'lost', 'back', 'complete', 'ok'],
    'a service that is started again, or has no room for a moment, is waited for',
  );
  t.same(
    await follow((_, response) => response.writeHead(503).end()),
    [{ kind: 'busy', detail: 'It is temporarily unavailable.' }],
    'but not by those who have heard nothing yet',
  );
  let refusals = 0;
  t.same(
    await follow(
      (message, response) => {
        refusals += 1;
        if (refusals === 1) message.socket.destroy();
        else if (refusals === 2) response.writeHead(503).end();
        else response.writeHead(200, stream).write(PROGRESS + COMPLETE);
      },
      { retryMs: [0, 5] },
      never,
      { contact: 'made' },
    ),
    ['lost', 'back', 'progress', 'complete', 'ok'],
    'unless the server replied a moment ago',
  );
  t.same(
    await follow((message) => message.socket.destroy(), { retryMs: [0, 5], lostMs: 0 }, never, {
      contact: 'made',
    }),
    [{ kind: 'unreachable', reason: 'connection closed' }],
    'and then not for ever',
  );
  let connections = 0;
  t.match(
    await follow(
      (message, response) => {
        connections += 1;
        if (connections > 1) message.socket.destroy();
        else response.writeHead(200, stream).end(`retry: 5\n\n${PROGRESS}`);
      },
      { silenceMs: 5_000, lostMs: 0 },
    ),
    ['progress', 'lost', { kind: 'unreachable' }],
    'timeout runs out',
  );
  let empty = 0;
  const emptied = await follow(
    (_, response) => {
      empty += 1;
      response.writeHead(200, stream).end(`retry: 5\n\n${empty === 1 ? PROGRESS : ''}`);
    },
    { silenceMs: 5_000, lostMs: 100 },
  );
  t.same(emptied.slice(0, 3), ['progress', 'lost', 'back']);
  t.same(
    emptied.at(-1),
    { kind: 'unreachable', reason: 'connection closed' },
    'connections that bring no event are none',
  );
  t.same(
    await follow((message, response) => {
      if (message.headers['last-event-id'] === '1') response.writeHead(204).end();
      else response.writeHead(200, stream).end(`retry: 5\n\n${PROGRESS}`);
    }),
    ['progress', 'lost', { kind: 'fault', detail: 'the job ended without the expected event' }],
    'a server that has no more events',
  );
  t.same(
    await follow((_, response) => response.writeHead(200, stream).write(PROGRESS.replace('id: 1\n', ''))),
    [{ kind: 'not-a-service', detail: 'event "progress": it has no id' }],
  );
  const silent: Handler = () => {};
  t.same(await follow(silent, { silenceMs: 50, lostMs: 0 }), [
    { kind: 'unreachable', reason: 'no reply in time' },
  ]);
  const stop = new AbortController();
  const stopping: Handler = (_, response) => {
    response.writeHead(200, stream).write(PROGRESS);
    setImmediate(() => stop.abort());
  };
  t.same((await follow(stopping, undefined, () => stop.signal)).at(-1), { kind: 'stopped' });
  t.same(
    await follow(silent, undefined, () => stop.signal),
    [{ kind: 'stopped' }],
    'nothing is begun any more',
  );
});

t.test('timeout', async (t) => {
  const caller = new AbortController();
  const left = startTimeout(60_000, caller.signal);
  caller.abort(new Error('enough'));
  t.match(left.signal.reason, { message: 'enough' });
  t.equal(left.state(), 'over');
  const short = startTimeout(1, never());
  await new Promise((resolve) => short.signal.addEventListener('abort', resolve));
  t.equal(short.state(), 'expired');
  const ended = startTimeout(60_000, never());
  ended.end();
  ended.renew();
  t.notOk(ended.signal.aborted);
});

const never = () => new AbortController().signal;

const PROGRESS = 'id: 1\nevent: progress\ndata: {"exchanges":1,"pending":0,"elapsedMs":1,"summary":[]}\n\n';
const COMPLETE = `id: 2\nevent: complete\ndata: ${JSON.stringify(withoutResult('cancelled', 1))}\n\n`;
