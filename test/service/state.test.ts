import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ask, type Place } from './http-client.ts';
import { runSvc, type Spawned, startServe } from './spawned.ts';
import { eventsIn, startJob } from './test-service.ts';
import { startReceiver } from './webhook/webhook-receivers.ts';

async function read(place: Place, id: string, rest = '') {
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
    startServe(t, ['--demo', '--state', folder, ...more], env);
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
  const [job, servers] = [await read(first, id), await read(first, id, '/servers')];
  await end(first, 'SIGKILL');

  const second = await start();
  t.same(await read(second, id), job);
  t.same(await read(second, id, '/servers'), servers);
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
    t.match(await read(second, id), { status: 'complete' });
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
  const { code, stderr } = await runSvc(['serve', '--demo', '--listen', '127.0.0.1:0', '--state', folder]);
  t.equal(code, 3);
  t.match(
    stderr,
    /^svc: cannot keep jobs in .*: another service \(process \d+ on .*\) does; give each .*\n$/,
  );
  await end(first, 'SIGKILL');
  await start();
});

t.test('a directory that cannot be one is one line and status 3', async (t) => {
  const file = join(t.testdir({}), 'file');
  writeFileSync(file, '');
  for (const state of [file, join(file, 'below'), '/proc/svc', '/sys/svc']) {
    const { code, stderr } = await runSvc(['serve', '--demo', '--listen', '127.0.0.1:0', '--state', state]);
    t.equal(code, 3);
    t.match(stderr, /^svc: cannot keep jobs in [^\n]*\n$/);
  }
});
