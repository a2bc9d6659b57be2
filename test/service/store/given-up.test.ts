import { randomUUID } from 'node:crypto';
import t from 'tap';
import { Job } from '../../../src/service/jobs/job.ts';
import { DEFAULT_SETTINGS } from '../../../src/service/settings.ts';
import { storeKey } from '../../../src/service/store/connection/store-keys.ts';
import { JobRecords } from '../../../src/service/store/jobs/job-records.ts';
import { ask } from '../http-client.ts';
import { REQUEST, until } from '../jobs/homes.ts';
import { eventsIn } from '../test-service.ts';
import { connected } from './connected.ts';
import { startRedis } from './redis-server.ts';
import { startInstance } from './shared-service.ts';

const SETTINGS = { ...DEFAULT_SETTINGS, maxJobsPerClient: 1 };
const LONG_AGO = 1;
const STARTED = Date.parse('2026-11-22T10:00:00Z');

t.test('a job under which three instances died is given up, and the next of its client begins', async (t) => {
  const redis = await startRedis(t);
  const witness = await connected(t, redis);
  const records = new JobRecords(witness, { ...SETTINGS, ends: 'untold' });
  const owner = { client: '192.0.2.1', party: '192.0.2.1' };
  const newJob = () => new Job({ id: randomUUID(), request: REQUEST, owner, createdAt: new Date() });
  const [deadly, next] = [newJob(), newJob()];
  for (const job of [deadly, next]) await records.submit(job, 0);
  for (const attempts of [0, 1, 2]) {
    const doomed = await connected(t, redis);
    const doomedRecords = new JobRecords(doomed, { ...SETTINGS, ends: 'untold' });
    // The one before may have told that it lives when it was about to die.
    await until(async () => {
      const claim = await doomedRecords.claim(deadly.id, new Date(STARTED + attempts));
      return claim.kind === 'claimed' && claim.attempts === attempts;
    });
    doomed.close();
    await witness.commands.del(storeKey('pulse', doomed.instance));
  }
  await witness.commands.zadd(storeKey('running'), LONG_AGO, deadly.id);

  const instance = await startInstance(t, redis, SETTINGS);
  const read = async (id: string) => JSON.parse((await ask(instance, 'GET', `/api/traverse/${id}`)).text);
  await until(async () => (await read(deadly.id)).status === 'failed', 'the end');
  t.match(await read(deadly.id), {
    startedAt: new Date(STARTED).toISOString(),
    error: { title: 'Given up', detail: /3 times/ },
  });
  const events = await ask(instance, 'GET', `/api/traverse/${deadly.id}/events`);
  t.same(
    eventsIn(events.text).map(([, name]) => name),
    ['complete', 'servers'],
  );
  await until(() => instance.engine.runs.length === 1, 'the start of the next');
  t.equal((await read(next.id)).status, 'running', 'the only one that is run');
  instance.engine.runs[0]?.finish();
  await until(async () => (await read(next.id)).status === 'complete');
});
