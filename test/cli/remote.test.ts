import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { withoutResult } from '../../src/report/views/conclusion.ts';
import { startDemoService, startPatientService, startProxy, startServer } from './demo-service.ts';
import { inside } from './inside.ts';
import { eachEvent, ended, type Ran, start } from './svc.ts';

t.test('a running service', async (t) => {
  const service = await startDemoService({ SERVICE_RATE_LIMIT: '1/90m' });
  t.teardown(service.stop);
  const remote = (...words: readonly string[]) => inside(['traverse', ...words, '--server', service.url]);

  t.test('gives what a traversal here gives, and its exit status', async (t) => {
    const rows = [
      'www.stale.example',
      'www.shop.example --quick',
      'nowhere.shop.example --quick',
      'www.circle.example --quick',
      'post.letters.example TXT --quick',
      '-x 198.51.100.80 --quick',
      'www.mixed.example -4 --max-queries 9 --quick',
      'www.shop.example --quick --max-depth 1 --no-edns --no-0x20 --tcp --retries 0 --timeout 250ms',
    ];
    for (const command of rows) {
      // A service allows fewer queries unless its operator says otherwise.
      const words = ['--max-queries', '5000', ...command.split(' '), '--json', '--full'];
      const both = [remote(...words), inside(['traverse', ...words, '--demo'])] as const;
      const [there, here] = await Promise.all(both);
      t.equal(there.status, here.status, `${command}: ${here.status}`);
      t.equal(there.stderr, here.stderr, 'with the same remarks');
      t.same(withoutTimes(there.stdout), withoutTimes(here.stdout), 'and the same document but for times');
    }
  });

  t.test('the result printed is the one that the server has', async (t) => {
    const ids: string[] = [];
    const proxy = await startProxy(service.url, {
      handle: ({ url = '' }) => {
        ids.push(...(/^\/api\/traverse\/([^/]+)\/events$/.exec(url)?.slice(1) ?? []));
        return false;
      },
    });
    t.teardown(proxy.stop);
    const file = join(t.testdir(), 'saved.json');
    const command = [
      'traverse',
      'www.mixed.example',
      '--quick',
      '--json',
      '--full',
      '--server',
      `${proxy.url}/`,
    ];
    const ran = await inside([...command, '--save', file]);
    const job = await getJson(`${service.url}/api/traverse/${ids[0]}?full`);
    t.same(JSON.parse(ran.stdout), job.result);
    t.equal(readFileSync(file, 'utf8'), ran.stdout, 'it can be saved');
    const again = await inside(['traverse', '--replay', file, '--json', '--full']);
    t.equal(again.stdout, ran.stdout, 'and evaluated again');
  });

  t.test('all formats', async (t) => {
    for (const format of ['text', 'jsonl', 'dot', 'mermaid']) {
      const words = ['www.stale.example', '--quick', '--format', format];
      const both = [remote(...words), inside(['traverse', ...words, '--demo'])] as const;
      const [there, here] = await Promise.all(both);
      t.same([there.status, there.stderr], [1, ''], format);
      t.equal(shape(there, format), shape(here, format));
    }
  });

  t.test('SERVICE_URL says where, --server says it better', async (t) => {
    const command = ['traverse', 'www.shop.example', '--quick', '--json', '--full'];
    const env = { SERVICE_URL: service.url };
    t.equal((await inside(command, { env })).status, 0);
    t.equal((await inside([...command, '--server', ''], { env, families: [] })).status, 3, 'empty: here');
    const demo = await inside([...command, '--demo', '--timeout', '60s'], { env });
    t.equal(demo.status, 0, 'the demo is here: a service would refuse a time-out this long');
    const file = join(t.testdir(), 'saved.json');
    await inside([...command, '--demo', '--save', file]);
    t.equal((await inside(['traverse', '--replay', file], { env })).status, 0, 'and so is a saved result');
  });

  t.test('wrong usage is told with its fix', async (t) => {
    const rows: readonly (readonly [
      command: string,
      env: Readonly<Record<string, string>>,
      expected: RegExp,
    ])[] = [
      ['--server localhost:8053', {}, /--server localhost:8053: must be a URL such as http:/],
      ['--server ftp://localhost', {}, /must be a URL/],
      ['--server http://a:b@localhost', {}, /--server: must be a URL without user, password, query [^@]+$/],
      ['', { SERVICE_URL: 'nonsense' }, /SERVICE_URL nonsense: must be a URL/],
      [`--demo --server ${service.url}`, {}, /--demo does not go with --server.*leave out one of them/],
      [
        '--port 53',
        { SERVICE_URL: service.url },
        /--port does not go with SERVICE_URL.*add --server "" to work here/,
      ],
      [`--root-hints f --server ${service.url}`, {}, /--root-hints does not go with --server/],
      [`--port 53 --server ${service.url}`, {}, /--port does not go with --server/],
      [`--rate 5 --server ${service.url}`, {}, /--rate does not go with --server/],
      [`--rate-prefix 5 --server ${service.url}`, {}, /--rate-prefix does not go with --server/],
      [`--allow-special-targets --server ${service.url}`, {}, /--allow-special-targets does not go/],
      [
        `--max-queries 900000 --server ${service.url}`,
        {},
        /refused the request: --max-queries must be an integer from 1 to 5000/,
      ],
      [
        `--timeout 5s --server ${service.url}`,
        {},
        /refused the request: --timeout must be from 10ms to \d+m?s\n$/,
      ],
    ];
    for (const [command, env, expected] of rows) {
      const words = command.split(' ').filter(Boolean);
      const ran = await inside(['traverse', 'www.shop.example', ...words], { env });
      failedWith(t, ran, 2, expected);
    }
    const odd = [
      'traverse',
      'https\\:\\/\\/www.shop.example\\/',
      '--quick',
      '--server',
      service.url,
      '--json',
      '--full',
    ];
    const { query } = JSON.parse((await inside(odd)).stdout);
    t.equal(query.name, 'https://www.shop.example/.', 'a name that looks like a URL is asked for');
    const replayed = await inside(['traverse', '--replay', 'f', '--server', service.url]);
    failedWith(t, replayed, 2, /--replay does not go with --server/);
  });

  t.test('an interruption cancels the job, and what was known is printed', async (t) => {
    const seen: string[] = [];
    const patient = await startPatientService(t);
    const proxy = await startProxy(patient.url, {
      handle: ({ method, url }) => {
        seen.push(`${method} ${url?.replace(/[\da-f-]{36}/, 'ID')}`);
        return false;
      },
    });
    t.teardown(proxy.stop);
    const command = ['traverse', 'www.dead.example', '--quick', '--format', 'jsonl', '--server', proxy.url];
    const child = start(command);
    eachEvent(child, ({ id }) => {
      if (id === 'x1') child.kill('SIGINT');
    });
    const { status, stdout, stderr } = await ended(child);
    t.equal(status, 130);
    t.match(stderr, /^svc: interrupted: [\d.]+ % of paths are unknown\n$/);
    t.match(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? ''), {
      event: 'complete',
      status: 'cancelled',
    });
    t.same(seen, [
      'POST /api/traverse',
      'GET /api/traverse/ID/events',
      'DELETE /api/traverse/ID',
      'GET /api/traverse/ID?full',
    ]);
  });

  t.test('a reader that goes away leaves the job to its end, and the status is the same', async (t) => {
    const child = start([
      ...['traverse', 'www.stale.example', '--quick', '--format', 'jsonl'],
      ...['--server', service.url],
    ]);
    child.stdout.destroy();
    const { status, stderr } = await ended(child);
    t.same([status, stderr], [1, '']);
    const { jobs } = await getJson(`${service.url}/api/health`);
    t.equal(jobs.running, 0);
  });

  t.test('a job is asked for once, whatever becomes of the reply', async (t) => {
    let posts = 0;
    const cutAfter = ({ method }: IncomingMessage) => {
      if (method !== 'POST') return Number.POSITIVE_INFINITY;
      posts += 1;
      return 1;
    };
    const proxy = await startProxy(service.url, { cutAfter });
    t.teardown(proxy.stop);
    const rows = [['traverse'], ['servers'], ['watch'], ['traverse', '--short']];
    for (const [command = '', ...flags] of rows) {
      const ran = await inside([command, 'www.shop.example', '--quick', ...flags, '--server', proxy.url]);
      failedWith(t, ran, 3, /^svc: cannot reach \S+: [^\n]+\n$/);
    }
    t.equal(posts, rows.length);
  });

  t.test('over the rate limit it says when to try again', async (t) => {
    const proxy = await startProxy(service.url, { headers: { 'x-forwarded-for': '198.51.100.7' } });
    t.teardown(proxy.stop);
    const command = ['traverse', 'www.shop.example', '--quick', '--server', proxy.url];
    t.equal((await inside(command)).status, 0, 'one is allowed');
    const expected = /is refusing new jobs: .*1 requests per 1h30m0s; try again in 1h(?:30m0|2\dm\d+)s\n$/;
    failedWith(t, await inside(command), 3, expected);
  });

  t.test('a connection that breaks before there are events is restored', async (t) => {
    let attempts = 0;
    const proxy = await startProxy(service.url, {
      handle: ({ url = '' }, response) => {
        const breaks = url.endsWith('/events') && ++attempts === 1;
        if (breaks) response.destroy();
        return breaks;
      },
    });
    t.teardown(proxy.stop);
    const ran = await inside(['watch', 'www.shop.example', '--quick', '--server', proxy.url]);
    t.equal(ran.status, 0);
    t.equal(ran.stderr, 'svc: connection lost, trying again\nsvc: connected again\n');
    t.match(ran.stdout, /^started [\s\S]*\ncomplete /);
  });

  t.test('a job that is gone in the middle', async (t) => {
    const proxy = await startProxy(service.url, {
      handle: ({ url = '' }, response) => {
        const isGone = url.endsWith('/events');
        if (isGone) {
          response.writeHead(404, { 'Content-Type': 'application/problem+json' });
          response.end('{"status": 404, "detail": "No such job (it may have expired)."}');
        }
        return isGone;
      },
    });
    t.teardown(proxy.stop);
    const ran = await inside(['traverse', 'www.shop.example', '--quick', '--server', proxy.url]);
    failedWith(t, ran, 3, /has no such job \(it may have expired, or the service was restarted\)/);
  });
});

t.test('what answers is no service, or cannot', async (t) => {
  const reply = (status: number, headers: Readonly<Record<string, string>>, body = '') =>
    startServer((_, response) => response.writeHead(status, headers).end(body));
  const rows = [
    [
      await reply(200, { 'Content-Type': 'text/html' }, '<html>'),
      /is not a traversal service: check the URL \(HTTP status 200 with text\/html\)/,
    ],
    [await reply(404, { 'Content-Type': 'text/html' }), /is not a traversal service/],
    [
      await reply(404, { 'Content-Type': 'application/problem+json' }, '{"status":404}'),
      /there is no \/api\/traverse/,
    ],
    [
      await reply(302, { Location: 'https://elsewhere.test/\u009b[31m' }),
      /it redirects to https:\/\/elsewhere\.test\/\\u\{9b\}\[31m/,
    ],
    [await reply(202, JSON_TYPE, '{"id": 7}'), /is not a traversal service.*\/id: must be a UUID/],
    [await reply(202, JSON_TYPE, '{"id": "../../x"}'), /is not a traversal service.*\/id: must be a UUID/],
    [await reply(202, JSON_TYPE, '{"id"'), /is not a traversal service/],
    [
      await reply(202, JSON_TYPE, '{"id": "0f8fad5b-d9cb-469f-a165-70867728950e"}'),
      /is not a traversal service.*it sent application\/json instead of events/,
    ],
    [
      await reply(
        503,
        { 'Content-Type': 'application/problem+json', 'Retry-After': '5' },
        '{"detail":"All wait."}',
      ),
      /is refusing new jobs: All wait; try again in 5s/,
    ],
    [await reply(503, {}, 'x'), /is refusing new jobs: It is temporarily unavailable; try again later/],
    [
      await reply(429, { 'Retry-After': 'x' }, 'slow\u001b[31mly\n'),
      /is refusing new jobs: slow\\u\{1b\}\[31mly; try again later/,
    ],
    [await reply(429, {}), /is refusing new jobs; try again later/],
    [await reply(500, {}), /failed: HTTP status 500/],
    [await startServer((message) => message.socket.destroy()), /cannot reach .*: connection (closed|reset)/],
  ] as const;
  for (const [{ url, stop }, expected] of rows) {
    failedWith(t, await inside(['traverse', 'www.shop.example', '--server', url]), 3, expected);
    await stop();
  }
  const silent = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const server = `http://127.0.0.1:${port}`;
  failedWith(t, await inside(['traverse', 'a.test', '--server', server]), 3, /it does not speak HTTP/);
  silent.close();
  failedWith(
    t,
    await inside(['traverse', 'a.test', '--server', server]),
    3,
    /cannot reach .*: connection refused/,
  );
});

t.test('a server that obeys and yet never ends does not hold up an interruption', async (t) => {
  const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const complete = JSON.stringify(withoutResult('failed', 1));
  const rows: readonly (readonly [what: string, events: string, interruptAt: RegExp])[] = [
    ['events', ': still there\n\n', /^GET .*events$/],
    ['a result', `id: 1\nevent: complete\ndata: ${complete}\n\n`, /^GET .*\?full$/],
  ];
  for (const [what, events, interruptAt] of rows) {
    const seen: string[] = [];
    let interrupt = () => {};
    const { url, stop } = await startServer(({ method, url = '' }, response) => {
      seen.push(`${method} ${url}`);
      const isStream = url.endsWith('/events');
      if (method === 'POST') response.writeHead(202, JSON_TYPE).end(`{"id":"${ID}"}`);
      else if (method === 'DELETE') response.writeHead(204).end();
      else if (isStream) response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(events);
      else response.writeHead(200, JSON_TYPE).write('{');
      const drip = setInterval(() => response.write(isStream ? ':\n\n' : ' '), 20);
      response.on('close', () => clearInterval(drip));
      if (interruptAt.test(`${method} ${url}`)) interrupt();
    });
    const child = start(['traverse', 'www.shop.example', '--server', url]);
    interrupt = () => child.kill('SIGINT');
    const since = performance.now();
    const { status, stdout, stderr } = await ended(child);
    t.same([status, stdout, stderr], [130, '', 'svc: interrupted: there is no result yet\n'], what);
    t.ok(performance.now() - since < 40_000, 'before silence or a slow reply would end it');
    t.ok(seen.some((request) => interruptAt.test(request)));
    await stop();
  }
});

t.test('a client that is killed in the middle of a stream leaves the service as it was', async (t) => {
  const service = await startPatientService(t);
  const before = await getJson(`${service.url}/api/health`);
  for (let round = 0; round < 2; round += 1) {
    const child = start(`watch www.dead.example --quick --format jsonl --server ${service.url}`.split(' '));
    eachEvent(child, ({ id }) => {
      if (id === 'x1') child.kill('SIGKILL');
    });
    await ended(child);
    t.equal(child.signalCode, 'SIGKILL');
  }
  t.same((await inside(['traverse', 'www.shop.example', '--quick', '--server', service.url])).status, 0);
  const streams = async () =>
    /^traversal_event_streams (\d+)$/m.exec(await (await fetch(`${service.url}/metrics`)).text())?.[1];
  while ((await streams()) !== '0') await new Promise((resolve) => setImmediate(resolve));
  const after = await getJson(`${service.url}/api/health`);
  t.equal(after.status, before.status);
});

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** One line on stderr, nothing on stdout. */
function failedWith(t: Test, { status, stdout, stderr }: Ran, expected: number, words: RegExp): void {
  t.equal(status, expected, `${expected}: ${stderr.trim()}`);
  t.equal(stdout, '');
  t.match(stderr, /^svc: [^\n]+\n$/);
  t.match(stderr, words);
}

/** Output without what differs from run to run: times, and the order in which replies come. */
function shape({ stdout }: Ran, format: string): string {
  const lines = stdout
    .replace(/[\d.]+(?:-[\d.]+)? m?s\b/g, 'TIME')
    .replace(/ +/g, ' ')
    .split('\n');
  if (format !== 'jsonl') return lines.join('\n');
  const events = lines.map((line) => /^\{"event":"(started|exchange|complete)"/.exec(line)?.[1] ?? '');
  return events.filter(Boolean).join('\n');
}

const TIMES =
  /^(?:startedAt|finishedAt|durationMs|coldLatencyMs|elapsedMs|rttMs|fastestHere|sentMs|id|exchange|exchanges|evidence|step|steps|packets.*|bytes.*|timeouts|attempts|tries|traffic|probes)$/;

/** A result without times, what depends on who answers first, and the bound on packets that a service sets. */
function withoutTimes(text: string): unknown {
  return JSON.parse(text, (key, value) => {
    if (TIMES.test(key) || key === 'maxPackets') return undefined;
    // Each start of the demo signs anew, and signatures are random (ECDSA).
    return key === 'data' ? `${value}`.replace(/( \d{14} \d{14} .*) \S+$/, '$1') : value;
  });
}

async function getJson(url: string) {
  const response = await fetch(url);
  return JSON.parse(await response.text());
}
