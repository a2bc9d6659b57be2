import t, { type Test } from 'tap';
import type { MakeServiceJobs, ServiceJobsState } from '../../../src/service/jobs/jobs.ts';
import { LocalJobs } from '../../../src/service/jobs/local-jobs.ts';
import { settled } from '../../base/fake-clock.ts';
import { SERVER } from '../fake-engine.ts';
import { ask, type Place } from '../http-client.ts';
import { metric, startJob, startTestService } from '../test-service.ts';

/** Jobs in a store that is cut off: nobody can count them. */
const inStore =
  (state: ServiceJobsState): MakeServiceJobs =>
  (settings, around) => {
    const jobs = new LocalJobs(settings, around);
    return Object.create(jobs, {
      kind: { value: 'postgres' },
      state: { value: state },
      count: { value: () => new Promise(() => {}) },
      open: { value: () => jobs.open() },
      begin: { value: () => jobs.begin() },
      drain: { value: (graceMs: number) => jobs.drain(graceMs) },
      counts: { get: () => jobs.counts },
      retainedBytes: { get: () => jobs.retainedBytes },
    });
  };

const AWAY = { status: 'degraded', reason: 'unreachable' } as const;

t.test('a service is ready while it takes jobs', async (t) => {
  const { service } = await startTestService(t);
  const { status, text } = await ask(service, 'GET', '/api/ready');
  t.same([status, JSON.parse(text)], [200, { status: 'ready' }]);
});

t.test('cut off from its store, it is not ready, and tells at once what it knows', async (t) => {
  const { service } = await startTestService(t, {}, 'manual', { createJobs: inStore(AWAY) });
  t.match(await ask(service, 'GET', '/api/ready'), { status: 503, headers: { 'retry-after': /^\d+$/ } });
  const { status, text } = await ask(service, 'GET', '/api/health');
  t.equal(status, 200);
  t.match(JSON.parse(text), { ...AWAY, jobs: { queued: 0, running: 0, retained: 0 } });
  t.equal(await metric(service, 'traversal_jobs{state="queued"}'), 0);
});

t.test('metrics at an address of their own', async (t) => {
  const place = { host: '127.0.0.1', port: 0 };
  const { service } = await startTestService(t, { metricsListen: place, hostNames: ['svc.example'] });
  const { metrics } = service;
  if (metrics === undefined) throw new Error('the metrics have no address');
  const statuses = async (t: Test, at: Place, host: string, expected: Readonly<Record<string, number>>) => {
    for (const [path, status] of Object.entries(expected))
      t.equal((await ask(at, 'GET', path, { headers: { Host: host } })).status, status, path);
  };

  t.test('are there, with health and readiness, and nothing else', async (t) => {
    const expected = { '/metrics': 200, '/api/health': 200, '/api/ready': 200, '/api/openapi.json': 404 };
    await statuses(t, metrics, 'localhost', { ...expected, '/api/traverse/x': 404, '/': 404 });
  });

  t.test('and not at that of the service, whose document does not name them', async (t) => {
    const expected = { '/metrics': 404, '/api/health': 200, '/api/ready': 200, '/api/openapi.json': 200 };
    await statuses(t, service, 'svc.example', expected);
    const headers = { Host: 'svc.example' };
    const { paths } = JSON.parse((await ask(service, 'GET', '/api/openapi.json', { headers })).text);
    t.notOk('/metrics' in paths);
    t.ok('/api/ready' in paths);
  });
});

t.test('metrics of jobs', async (t) => {
  const { service, engine, clock } = await startTestService(t, { maxJobs: 1 });
  await startJob(service);
  await startJob(service);
  await settled();
  const [first] = engine.runs;
  first?.exchange('192.0.2.1');
  first?.exchange('192.0.2.2');
  for (const [rcode, failure] of [['RCODE17'], ['SERVFAIL'], [undefined, 'timeout']] as const)
    first?.emit({
      event: 'exchange',
      id: 'x9',
      server: { address: SERVER.address, names: [] },
      question: { name: SERVER.names[0] ?? first.request.question.name, type: 'A' },
      transport: 'udp',
      attempts: 1,
      elapsedMs: 1,
      zone: SERVER.zones[0] ?? first.request.question.name,
      class: 'answer',
      ...(rcode && { rcode }),
      ...(failure && { failure }),
    });

  t.test('count exchanges by outcome as they come', async (t) => {
    const of = (outcome: string) => metric(service, `traversal_exchanges_total{outcome="${outcome}"}`);
    const outcomes = ['NOERROR', 'SERVFAIL', 'other-rcode', 'timeout', 'REFUSED', 'malformed'];
    t.same(await Promise.all(outcomes.map(of)), [2, 1, 1, 1, 0, 0]);
  });

  t.test('tell how long jobs waited', async (t) => {
    await clock.advance(7_000);
    first?.finish();
    await settled();
    t.equal(await metric(service, 'traversal_job_queue_seconds_count'), 2);
    t.equal(await metric(service, 'traversal_job_queue_seconds_sum'), 7);
    t.equal(await metric(service, 'traversal_job_queue_seconds_bucket{le="5"}'), 1);
  });

  t.test('name the build', async (t) => {
    const node = process.version.slice(1);
    t.equal(await metric(service, `traversal_build_info{version="1.2.3",node="${node}"}`), 1);
  });
});
