import { randomUUID } from 'node:crypto';
import t from 'tap';
import { ask, type Place, start } from '../http-client.ts';
import { until } from '../jobs/every-kind.ts';
import { openLink } from '../link.ts';
import { startServe } from '../spawned.ts';
import { metric, startInstance, startJob } from '../test-service.ts';
import { sharedPostgres, urlWith } from './postgres-server.ts';

// They wait until an instance gives the store up.
t.jobs = 2;

const JOBS = 'SELECT count(*) FROM svc_job';

t.test('a job whose POST was refused never runs, though it is stored and its instance dies', async (t) => {
  const server = await sharedPostgres();
  const url = await server.database();
  const link = await openLink(t, server);
  const doomed = await startServe(t, ['--demo', '--store', urlWith(url, { port: `${link.port}` })]);
  // There are open connections, so that the statement gets there; its reply does not come.
  const unknown = `/api/traverse/${randomUUID()}`;
  await Promise.all(Array.from({ length: 12 }, () => ask(doomed, 'GET', unknown)));
  link.stall('back');
  const refused = await start(doomed, { name: 'www.shop.example' });
  t.equal(refused.status, 503);
  t.equal(await server.tell(JOBS, url), '1');
  doomed.kill('SIGKILL');
  await doomed.exit;
  const other = await startServe(t, ['--demo', '--store', url]);
  await server.tell(`UPDATE svc_job SET created_at = created_at - interval '1 minute'`, url);
  await until(async () => (await server.tell(JOBS, url)) === '0', 'the end of the job');
  t.notOk(other.entries().some(({ message }) => message === 'job started'));
});

t.test('a client is told nothing while nobody knows whether its job will run', async (t) => {
  const server = await sharedPostgres();
  const url = await server.database();
  const instance = await startInstance(t, { url });
  // Whatever lets a job start takes longer than an instance waits, and is undone.
  await server.tell(
    `CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NEW; END';
     CREATE TRIGGER hold BEFORE UPDATE ON svc_job FOR EACH ROW WHEN (OLD.state = 'held') EXECUTE FUNCTION hold()`,
    url,
  );
  const headers = { 'Idempotency-Key': 'again' };
  await t.rejects(start(instance, { name: 'www.example' }, headers), 'neither accepted nor refused');
  t.equal(instance.engine.runs.length, 0);
  await server.tell(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%released%' AND pid <> pg_backend_pid();
     DROP TRIGGER hold ON svc_job`,
    url,
  );
  const again = async () => (await start(instance, { name: 'www.example' }, headers)).status === 202;
  await until(again, 'a reply to the same request');
  await until(() => instance.engine.runs.length === 1, 'the start of the job');
  t.equal(await server.tell(JOBS, url), '1');
  t.equal((await ask(instance, 'GET', '/api/ready')).status, 200);
});

t.test('a store that is silent keeps nobody waiting for what the instance knows', async (t) => {
  const server = await sharedPostgres();
  const url = await server.database();
  const link = await openLink(t, server);
  const instance = await startInstance(t, { url: urlWith(url, { port: `${link.port}` }) });
  const id = await startJob(instance);
  await until(() => instance.engine.runs.length === 1, 'the start of the job');
  await until(async () => (await healthOf(instance)).jobs.running === 1, 'the count');
  link.stall();
  t.equal(await metric(instance, 'traversal_jobs{state="running"}'), 1);
  t.match(await healthOf(instance), { status: 'ok', jobs: { running: 1 } }, 'before it gives the store up');
  await until(async () => (await healthOf(instance)).status === 'degraded', 'a bad state of health');
  t.match(await healthOf(instance), { reason: 'unreachable', jobs: { running: 1 } });
  const refused = [
    await ask(instance, 'GET', `/api/traverse/${id}`),
    await ask(instance, 'GET', '/api/ready'),
    await start(instance, { name: 'www.example' }),
  ];
  for (const { status, headers } of refused) t.same([status, headers['retry-after']], [503, '5']);
  link.heal();
  await until(async () => (await healthOf(instance)).status === 'ok', 'good health');
  instance.engine.runs[0]?.finish();
  await until(
    async () => (await ask(instance, 'GET', `/api/traverse/${id}`)).text.includes('"complete"'),
    'the end',
  );
  t.equal(instance.engine.runs.length, 1, 'it was run once');
});

async function healthOf(place: Place) {
  return JSON.parse((await ask(place, 'GET', '/api/health')).text);
}
