import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { DEFAULT_OPTIONS } from '../../src/document/options.ts';
import { createLog } from '../../src/service/log.ts';
import { startService } from '../../src/service/service.ts';
import { DEFAULT_SETTINGS } from '../../src/service/settings.ts';
import { parseWebhookUrl } from '../../src/service/webhook-request.ts';
import { createFakeClock, settled } from '../base/fake-clock.ts';
import { inside } from '../cli/inside.ts';
import { createFakeEngine } from './fake-engine.ts';
import { startReceiver } from './http/webhook-receivers.ts';
import { ask, converse, type Place, start } from './http-client.ts';
import { type Spawned, startServe } from './spawned.ts';
import { eventsIn, metric, startJob, startTestService } from './test-service.ts';

async function read(place: Place, id: string, rest = '') {
  const { status, text } = await ask(place, 'GET', `/api/traverse/${id}${rest}`);
  return { httpStatus: status, ...JSON.parse(text) };
}

t.test('a fault of the service is a 500 and an entry in the log, and nothing else', async (t) => {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), 'json');
  const clock = createFakeClock();
  const settings = { ...DEFAULT_SETTINGS, version: '1.2.3', options: DEFAULT_OPTIONS, port: 0 };
  const now = () => {
    throw new RangeError('out of time');
  };
  const service = await startService(settings, { engine: createFakeEngine('manual'), log, clock, now });
  t.teardown(() => service.close(0));
  const { status, text } = await start(service, { name: 'www.example' });
  t.equal(status, 500);
  t.match(JSON.parse(text), { status: 500, title: 'Internal Server Error' });
  t.notMatch(text, 'out of time');
  const failure = lines.map((line) => JSON.parse(line)).find(({ message }) => message === 'request failed');
  t.match(failure.error, /^RangeError: out of time\n/);
  t.equal((await ask(service, 'GET', '/api/health')).status, 200, 'it goes on');
});

t.test('a job over HTTP', async (t) => {
  const { service, engine } = await startTestService(t, { maxJobs: 1, maxQueue: 2 });
  const cancel = (id: string) => ask(service, 'DELETE', `/api/traverse/${id}`);
  const [first, second, third] = [await startJob(service), await startJob(service), await startJob(service)];

  t.test('waits, runs, completes; its servers are pending until they are ready', async (t) => {
    t.match(await read(service, first), { id: first, status: 'running', query: { name: 'www.example.' } });
    t.match(await read(service, second), { status: 'queued', progress: { exchanges: 0, pending: 0 } });
    engine.runs[0]?.exchange('192.0.2.1');
    t.match((await read(service, first)).progress, { exchanges: 1 });
    t.same(await read(service, first, '/servers'), { httpStatus: 202, status: 'pending' });
    engine.runs[0]?.finish();
    await settled();
    t.match(await read(service, first), { status: 'complete', finishedAt: String, result: { schema: 3 } });
    const pending = await ask(service, 'GET', `/api/traverse/${first}/servers`);
    t.match(pending, { status: 202, headers: { 'retry-after': '1' }, text: '{"status":"pending"}' });
    engine.fingerprintings[0]?.finish();
    await settled();
    const servers = [{ address: '192.0.2.53', versionBind: { status: 'timeout' } }];
    t.match(await read(service, first, '/servers'), { httpStatus: 200, status: 'ready', servers });
  });

  t.test('is refused when the queue is full', async (t) => {
    await startJob(service);
    const { status, headers, text } = await start(service, { name: 'www.example' });
    t.match({ status, ...headers }, { status: 503, 'content-type': 'application/problem+json' });
    t.match(headers['retry-after'], /^[1-9]\d*$/);
    t.match(JSON.parse(text), { title: 'Service Unavailable', status: 503 });
  });

  t.test('is refused when its client has enough waiting, which is not the rate limit', async (t) => {
    const settings = { maxJobs: 2, maxJobsPerClient: 1, maxQueuePerClient: 1 };
    const { service } = await startTestService(t, settings);
    const by = (client: string) =>
      ask(service, 'POST', '/api/traverse', {
        headers: { 'X-Forwarded-For': client },
        body: '{"name": "www.example"}',
      });
    t.same([(await by('2001:db8::1')).status, (await by('2001:db8::2')).status], [202, 202]);
    const { status, headers, text } = await by('2001:db8::3');
    t.match({ status, ...headers }, { status: 503, 'retry-after': /^[1-9]\d*$/ });
    t.match(JSON.parse(text), { status: 503, detail: /This client/ });
    t.equal((await by('2001:db8:0:1::1')).status, 202);
    const metrics = await ask(service, 'GET', '/metrics');
    t.match(metrics.text, 'traversal_jobs_refused_total{reason="client-queue-full"} 1');
    t.match(metrics.text, 'traversal_jobs_refused_total{reason="queue-full"} 0');
  });

  t.test('can be cancelled in every state', async (t) => {
    t.equal((await read(service, third)).status, 'queued');
    t.match(await cancel(third), { status: 204, text: '' });
    t.match(await read(service, third), { status: 'cancelled' });
    t.same(await read(service, third, '/servers'), {
      httpStatus: 200,
      status: 'ready',
      servers: [],
      findings: [],
    });
    t.equal((await read(service, second)).status, 'running');
    t.equal((await cancel(second)).status, 204);
    t.match(await read(service, second), { status: 'cancelled', result: { ending: 'cancelled' } });
    t.equal((await read(service, second, '/servers')).status, 'ready', 'what it met is known already');
    t.equal((await cancel(second)).status, 204);
    t.equal((await cancel(first)).status, 204);
    t.equal((await read(service, first)).status, 'complete', 'what had ended stays as it was');
  });

  t.test('says that it failed, but not of what', async (t) => {
    const [, , run] = engine.runs;
    run?.fail(new Error('/home/secret'));
    await settled();
    const { text } = await ask(service, 'GET', '/metrics');
    t.match(text, 'traversal_jobs_ended_total{status="failed"} 1');
    t.match(text, 'traversal_jobs_ended_total{status="cancelled"} 2');
    t.match(text, 'traversal_jobs_ended_total{status="complete"} 1');
  });
});

t.test('ended jobs are forgotten in their time, and nothing of them is left', async (t) => {
  const { service, clock } = await startTestService(t, { retainMs: 10_000, maxRetained: 2 }, 'prompt');
  const ids = [await startJob(service), await startJob(service), await startJob(service)];
  const statuses = () =>
    Promise.all(ids.map(async (id) => (await ask(service, 'GET', `/api/traverse/${id}`)).status));
  t.same(await statuses(), [404, 200, 200]);
  await clock.advance(10_000);
  t.same(await statuses(), [404, 404, 404]);
  const [, id] = ids;
  for (const rest of ['/servers', '/events']) {
    t.equal((await ask(service, 'GET', `/api/traverse/${id}${rest}`)).status, 404);
  }
  t.equal((await ask(service, 'DELETE', `/api/traverse/${id}`)).status, 404);
  t.equal(await metric(service, 'traversal_retained_bytes'), 0);
  t.equal(clock.timers, 0);
});

t.test('a host whose clock is set changes neither durations, nor order, nor what has its time', async (t) => {
  const HOUR_MS = 3_600_000;
  for (const byMs of [-HOUR_MS, HOUR_MS]) {
    const rateLimit = { requests: 1n, window: 60_000_000_000n };
    const settings = { retainMs: 10_000, rateLimit };
    const { service, engine, clock, setClock } = await startTestService(t, settings);
    const id = await startJob(service);
    await clock.advance(500);
    setClock(byMs);
    await clock.advance(1_000);
    engine.runs[0]?.fail(new Error('no more'));
    await settled();
    const job = await read(service, id);
    t.same([Date.parse(job.startedAt) - Date.parse(job.createdAt), job.status], [0, 'failed']);
    t.equal(Date.parse(job.finishedAt) - Date.parse(job.startedAt), 1_500);
    const [, complete] = eventsIn((await ask(service, 'GET', `/api/traverse/${id}/events`)).text);
    t.match(complete, [2, 'complete', { durationMs: 1_500 }]);
    t.equal(JSON.parse((await ask(service, 'GET', '/api/health')).text).uptimeMs, 1_500);

    const from = (address: string) => start(service, { name: 'www.example' }, { 'X-Forwarded-For': address });
    t.equal((await from('192.0.2.1')).status, 202);
    setClock(byMs);
    const { status, headers } = await from('192.0.2.1');
    t.same([status, headers['retry-after']], [429, '60']);

    t.equal((await read(service, id)).httpStatus, 200, 'kept for its time');
    await clock.advance(10_000);
    t.equal((await read(service, id)).httpStatus, 404, 'and no longer');
  }
});

t.test('closing', async (t) => {
  const receiver = await startReceiver(t, (response) => response.writeHead(204).end());
  const url = parseWebhookUrl(receiver.url.href);
  const webhook = url === undefined ? undefined : { url, secret: 's3cret' };
  const { service, engine, clock, lines } = await startTestService(t, { maxJobs: 1, webhook });
  const [first, second] = [await startJob(service), await startJob(service)];
  const follow = (id: string) => {
    const reader = converse(t, service);
    reader.write(`GET /api/traverse/${id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return reader;
  };
  const [reader, waiting] = [follow(first), follow(second)];
  await reader.until(/event: started/);
  const kept = converse(t, service);
  kept.write('GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await kept.until(/\}$/);
  kept.write(
    'POST /api/traverse HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 12\r\n\r\n',
  );
  await kept.until(/100 Continue/);
  const closed = service.close(60_000);
  kept.write('{"name":"a"}');

  t.test('takes no more jobs, and tells balancers', async (t) => {
    t.match(await kept.closed, /HTTP\/1\.1 503 .*Connection: close.*Retry-After: .*shutting down/s);
    t.match(await ask(service, 'GET', '/api/ready'), { status: 503, headers: { 'retry-after': '1' } });
  });

  t.test('answers all else until the last job has ended', async (t) => {
    t.match(await read(service, first), { httpStatus: 200, status: 'running' });
    t.match(await ask(service, 'GET', '/api/health'), { status: 200, headers: { connection: 'close' } });
  });

  t.test('gives up what waits', async (t) => {
    const text = await waiting.until(/event: servers/);
    t.match(eventsIn(text)[0], [1, 'complete', { status: 'cancelled' }]);
  });

  t.test('lets what runs come to its end, and delivers its webhooks', async (t) => {
    engine.runs[0]?.exchange('192.0.2.1');
    engine.runs[0]?.finish();
    await reader.until(/event: complete/);
    engine.fingerprintings.at(-1)?.finish();
    const text = await reader.until(/event: servers/);
    t.equal(eventsIn(text).at(-1)?.[1], 'servers');
    t.match(await read(service, first), { status: 'complete' }, 'also for those who ask now and then');
    await clock.advance(1_250);
    await Promise.all([reader.closed, waiting.closed, closed]);
    const socket = connect(service.port, service.host);
    const [error] = await once(socket, 'error');
    t.equal(error.code, 'ECONNREFUSED');
    t.same(
      receiver.received.map(({ body }) => JSON.parse(body)).map(({ event, id }) => [event, id]),
      [
        ['start', first],
        ['complete', first],
      ],
    );
    t.notMatch(lines.join(''), /s3cret/);
  });
});

async function readFrom(place: Place, id: string, rest = '') {
  return JSON.parse((await ask(place, 'GET', `/api/traverse/${id}${rest}`)).text);
}

/** Reads the events of a job to their end: then it has ended, and its servers are known. */
async function eventsOf(place: Place, id: string, seen?: number) {
  const headers = seen === undefined ? {} : { 'Last-Event-ID': `${seen}` };
  return eventsIn((await ask(place, 'GET', `/api/traverse/${id}/events`, { headers })).text);
}

/** A service that keeps its jobs, and can be started again. */
function keeper(t: Test) {
  const folder = join(t.testdir({}), 'jobs');
  const start = (more: readonly string[] = [], env = {}) =>
    startServe(t, ['--demo', '--no-page', '--quick', '--state', folder, ...more], env);
  const end = async (service: Spawned, signal: NodeJS.Signals) => {
    service.kill(signal);
    return await service.exit;
  };
  return { folder, start, end };
}

t.test('an ended job is the same after the service was killed', async (t) => {
  const { start, end } = keeper(t);
  const first = await start();
  const id = await startJob(first, { name: 'www.mixed.example' });
  const events = await eventsOf(first, id);
  const [job, servers] = [await readFrom(first, id), await readFrom(first, id, '/servers')];
  await end(first, 'SIGKILL');

  const second = await start();
  t.same(await readFrom(second, id), job);
  t.same(await readFrom(second, id, '/servers'), servers);
  t.same(await eventsOf(second, id), events);
  t.match(JSON.parse((await ask(second, 'GET', '/api/health')).text), { status: 'ok', store: 'directory' });
});

t.test('jobs in the queue of a service that was asked to stop are run by the next', async (t) => {
  const receiver = await startReceiver(t, (response) => response.writeHead(204).end());
  const env = { SERVICE_WEBHOOK_URL: receiver.url.href };
  const { start, end } = keeper(t);
  const first = await start(['--max-jobs', '1', '--grace', '0s'], env);
  const ids = [];
  for (let made = 0; made < 5; made += 1) ids.push(await startJob(first, { name: 'www.mixed.example' }));
  t.same(await end(first, 'SIGTERM'), { code: 0, signal: null });

  const second = await start([], env);
  for (const id of ids) {
    const events = await eventsOf(second, id);
    t.equal(events.at(-1)?.[1], 'servers');
    t.match(await readFrom(second, id), { status: 'complete' });
  }
  await end(second, 'SIGTERM');
  const completed = receiver.received.filter(({ headers }) =>
    `${headers['webhook-id']}`.endsWith('.complete'),
  );
  t.same(
    completed.map(({ headers }) => headers['webhook-id']).sort(),
    ids.map((id) => `${id}.complete`).sort(),
  );
});

t.test('a directory is for one service at a time', async (t) => {
  const { folder, start, end } = keeper(t);
  const first = await start();
  const { status, stderr } = await inside(['serve', '--demo', '--listen', '127.0.0.1:0', '--state', folder]);
  t.equal(status, 3);
  t.match(
    stderr,
    /^svc: cannot keep jobs in .*: another service \(process \d+ on .*\) does; give each .*\n$/,
  );
  await end(first, 'SIGKILL');
  await start();
});

t.test('a directory that cannot be one is one line and status 3', async (t) => {
  const folder = t.testdir({ taken: { 'service.lock': {} } });
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const state of [file, join(file, 'below'), '/proc/svc', '/sys/svc', join(folder, 'taken')]) {
    const { status, stderr } = await inside(['serve', '--demo', '--listen', '127.0.0.1:0', '--state', state]);
    t.equal(status, 3);
    t.match(stderr, /^svc: cannot keep jobs in [^\n]*\n$/);
  }
});
