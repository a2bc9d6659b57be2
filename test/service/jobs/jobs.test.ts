import { randomBytes } from 'node:crypto';
import t from 'tap';
import { parseName } from '../../../src/dns/name.ts';
import { DEFAULT_OPTIONS } from '../../../src/document/options.ts';
import type { ListedServer } from '../../../src/document/servers.ts';
import { type Ended, isEnded, type Job, jobDocument, resultTexts } from '../../../src/service/jobs/job.ts';
import type { JobNotices, JobSettings } from '../../../src/service/jobs/jobs.ts';
import { LocalJobs } from '../../../src/service/jobs/local-jobs.ts';
import { createFakeClock, settled } from '../../base/fake-clock.ts';
import { answerView, createFakeEngine, SERVER } from '../fake-engine.ts';
import { eventsOf, REQUEST, SETTINGS as ROOMY } from './every-kind.ts';

const NO_FINDINGS = { critical: 0, error: 0, warning: 0, notice: 0, info: 0 };

const SETTINGS: JobSettings = {
  ...ROOMY,
  maxJobs: 2,
  maxJobsPerClient: 2,
  maxQueue: 1,
  maxQueuePerClient: 1,
};

function setUp(more: Partial<JobSettings> = {}, pace: 'manual' | 'prompt' | 'deaf' = 'manual') {
  const engine = createFakeEngine(pace);
  const clock = createFakeClock();
  const told: string[] = [];
  const faults: unknown[] = [];
  const notices: JobNotices = {
    started: () => told.push('started'),
    ended: (_job: Job, { status }: Ended) => told.push(status),
    interrupted: () => told.push('interrupted'),
    crowdedOut: () => told.push('crowded out'),
    failed: (_job, error) => faults.push(error),
  };
  let putBackMs = 0;
  const now = () => new Date(clock.now() - putBackMs);
  const putBack = (ms: number) => {
    putBackMs = ms;
  };
  const jobs = new LocalJobs({ ...SETTINGS, ...more }, { engine, clock, now, notices });
  const trySubmit = (client = '192.0.2.1', exempt = false) => jobs.submit(REQUEST, { client, exempt });
  const submit = (client?: string, exempt?: boolean) => {
    const submitted = trySubmit(client, exempt);
    if (submitted.kind !== 'queued') throw new Error('it was refused');
    return submitted.job;
  };
  return { engine, clock, putBack, told, faults, jobs, submit, trySubmit };
}

async function read(job: Job): Promise<Record<string, unknown>> {
  const result = (await resultTexts(job))?.full;
  return JSON.parse(
    Buffer.concat(
      jobDocument(job, undefined, result).map((piece) => ('octets' in piece ? piece.octets : piece)),
    ).toString(),
  );
}

t.test('the life of a job', async (t) => {
  t.test('queued, running, complete, and then its servers', async (t) => {
    const { engine, clock, jobs, submit, told } = setUp();
    const job = submit();
    t.equal(job.state.status, 'queued');
    t.match(job.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    await settled();
    t.match(await read(job), { status: 'running', startedAt: '1970-01-01T00:00:00.000Z' });
    t.same(jobs.counts, { queued: 0, running: 1, retained: 0 });
    await clock.advance(5);
    engine.runs[0]?.exchange('192.0.2.53');
    engine.runs[0]?.emit({ event: 'progress', exchanges: 1, pending: 3, elapsedMs: 5 });
    t.same((await read(job)).progress, { exchanges: 1, pending: 3 });
    engine.runs[0]?.finish();
    await settled();
    t.match(await read(job), {
      status: 'complete',
      query: { name: 'www.example.', type: 'A', class: 'IN' },
      createdAt: '1970-01-01T00:00:00.000Z',
      finishedAt: '1970-01-01T00:00:00.005Z',
      progress: { exchanges: 1, pending: 0 },
      result: { schema: 3, views: { resolver: answerView('192.0.2.80') } },
    });
    t.equal(job.servers, undefined, 'the servers are pending: completion did not wait for them');
    t.same(told, ['started', 'complete']);
    t.equal(job.events.ended, false);
    engine.fingerprintings[0]?.finish();
    await settled();
    const list = JSON.parse(String(job.servers));
    t.match(list, { status: 'ready', servers: [{ address: '192.0.2.53', zones: ['example.'] }] });
    t.equal(job.events.ended, true);
    t.same(
      eventsOf(job).map(([id, event]) => [id, event]),
      [
        [1, 'started'],
        [2, 'exchange'],
        [3, 'progress'],
        [4, 'complete'],
        [5, 'servers'],
      ],
    );
    t.same(eventsOf(job)[3]?.[2], {
      status: 'complete',
      verdict: { status: 'ok', text: 'all users get the answer', severity: 'info', exitStatus: 0 },
      users: [],
      limits: [],
      findings: NO_FINDINGS,
      durationMs: 5,
    });
    t.same(eventsOf(job)[4]?.[2], list);
  });

  t.test(
    'a fault of ours fails the job, says nothing of the inside, and keeps the servers met',
    async (t) => {
      const { engine, clock, submit, faults, told } = setUp();
      const job = submit();
      await settled();
      engine.runs[0]?.exchange('192.0.2.1', [parseName('ns2.example')]);
      engine.runs[0]?.exchange('192.0.2.2');
      engine.runs[0]?.exchange('192.0.2.1', [parseName('ns1.example')]);
      await clock.advance(7);
      engine.runs[0]?.fail(new Error('secret inside'));
      await settled();
      t.match(await read(job), { status: 'failed', error: { title: 'Internal error' } });
      t.notMatch(JSON.stringify(await read(job)), /secret/);
      t.match(faults, [{ message: 'secret inside' }]);
      t.same(told, ['started', 'failed']);
      t.same(eventsOf(job).at(-1)?.[2], {
        status: 'failed',
        limits: [],
        findings: NO_FINDINGS,
        durationMs: 7,
      });
      for (const { finish } of engine.fingerprintings) finish();
      await settled();
      const versionBind = { status: 'timeout' };
      t.same(JSON.parse(String(job.servers)).servers, [
        { address: '192.0.2.1', names: ['ns1.example.', 'ns2.example.'], zones: ['.'], versionBind },
        { address: '192.0.2.2', names: [], zones: ['.'], versionBind },
      ]);
    },
  );

  t.test('a second attempt voids the progress of the first', async (t) => {
    const { engine, submit } = setUp();
    const job = submit();
    await settled();
    const [run] = engine.runs;
    run?.exchange('192.0.2.1');
    run?.exchange('192.0.2.2');
    const started = { query: { ...REQUEST.question, class: 'IN' }, options: DEFAULT_OPTIONS } as const;
    run?.emit({ event: 'started', ...started, startedAt: '2026-11-21T00:00:00.000Z', attempt: 2 });
    run?.exchange('192.0.2.3');
    t.match(await read(job), { progress: { exchanges: 1 } });
    t.match(eventsOf(job)[3], [4, 'started', { attempt: 2 }]);
  });

  t.test('a failure of the traversal is told as it is, and is no fault of ours', async (t) => {
    const { engine, submit, faults, told } = setUp();
    const job = submit();
    await settled();
    const error = { title: 'Too much work', detail: 'The traversal was too much for one thread.' };
    engine.runs[0]?.end({ kind: 'failed', error });
    await settled();
    t.match(await read(job), { status: 'failed', error });
    t.same([faults, told], [[], ['started', 'failed']]);
  });

  t.test('a clock that is put back makes no time negative', async (t) => {
    const { engine, submit, putBack } = setUp();
    const job = submit();
    await settled();
    putBack(3_600_000);
    engine.runs[0]?.fail(new Error('inside'));
    await settled();
    const complete = eventsOf(job).find(([, event]) => event === 'complete');
    t.match(complete?.[2], { status: 'failed', durationMs: 0 });
  });

  t.test('fingerprinting sends no more packets than the traversal has left', async (t) => {
    const { engine, jobs } = setUp();
    const request = { ...REQUEST, options: { ...DEFAULT_OPTIONS, maxPackets: 70 } };
    const submitted = jobs.submit(request, { client: '192.0.2.1', exempt: false });
    if (submitted.kind !== 'queued') throw new Error('it was refused');
    await settled();
    for (const address of ['192.0.2.1', '192.0.2.2']) engine.runs[0]?.exchange(address);
    const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
    engine.runs[0]?.finish(
      {},
      addresses.map((address) => ({ ...SERVER, address })),
    );
    await settled();
    t.equal(engine.fingerprintings.length, 2, 'each may take 28 of the 68 that are left');
    for (const { finish } of engine.fingerprintings) finish();
    await settled();
    const { servers } = JSON.parse(String(submitted.job.servers));
    t.match(
      servers.map(({ versionBind }: ListedServer) => versionBind),
      [{ status: 'timeout' }, { status: 'timeout' }, { status: 'skipped', reason: 'limit' }],
    );
  });

  t.test('fingerprinting that fails leaves a list of what was met', async (t) => {
    const { engine, submit, faults } = setUp();
    const job = submit();
    await settled();
    engine.runs[0]?.finish();
    await settled();
    engine.fingerprintings[0]?.fail(new Error('no'));
    await settled();
    t.match(JSON.parse(String(job.servers)), {
      status: 'ready',
      servers: [{ address: '192.0.2.53', versionBind: { status: 'error' } }],
    });
    t.equal(faults.length, 1);
  });
});

t.test('cancelling', async (t) => {
  t.test('a running job ends with what was known, and its servers are asked', async (t) => {
    const { engine, jobs, submit } = setUp();
    const job = submit();
    await settled();
    await jobs.cancel(job);
    t.match(await read(job), { status: 'cancelled', result: { ending: 'cancelled' } });
    await settled();
    engine.fingerprintings[0]?.finish();
    await settled();
    t.match(JSON.parse(String(job.servers)), { servers: [{ address: '192.0.2.53' }] });
  });

  t.test('a waiting job has neither a start nor a result, and its list of servers is empty', async (t) => {
    const { jobs, submit } = setUp({ maxJobs: 1 });
    const [, second] = [submit(), submit()];
    await settled();
    await jobs.cancel(second);
    await settled();
    t.notOk('startedAt' in read(second) || 'result' in read(second));
    t.same(JSON.parse(String(second.servers)), { status: 'ready', servers: [], findings: [] });
  });

  t.test('an ended job stays as it is', async (t) => {
    const { jobs, submit } = setUp({}, 'prompt');
    const job = submit();
    await settled();
    await jobs.cancel(job);
    t.equal((await read(job)).status, 'complete');
  });
});

t.test('bounds', async (t) => {
  t.test('fingerprinting takes no place from traversals, and jobs share it', async (t) => {
    const { engine, submit } = setUp({ maxJobs: 1, maxQueue: 5, maxQueuePerClient: 5 });
    const all = [submit(), submit(), submit()];
    for (const index of all.keys()) {
      await settled();
      engine.runs[index]?.finish();
    }
    await settled();
    t.ok(all.every(({ state }) => state.status === 'complete'));
    t.equal(engine.fingerprintings.length, 1, 'they met the same server');
    engine.fingerprintings[0]?.finish();
    await settled();
    const lists = all.map(({ servers }) => JSON.parse(String(servers)));
    for (const list of lists) t.match(list, { servers: [{ versionBind: { status: 'timeout' } }] });
    submit();
    await settled();
    engine.runs[3]?.finish();
    await settled();
    t.equal(engine.fingerprintings.length, 1, 'nor is it asked again soon');
  });

  t.test('a list is ready in time, whatever servers do', async (t) => {
    const { engine, clock, submit } = setUp();
    const job = submit();
    await settled();
    const dead = { ...SERVER, address: '192.0.2.54', reaction: 'silent' } as const;
    engine.runs[0]?.finish({}, [SERVER, dead]);
    await clock.advance(29_999);
    t.equal(job.servers, undefined);
    await clock.advance(1);
    t.match(JSON.parse(String(job.servers)).servers, [
      { address: '192.0.2.53', versionBind: { status: 'skipped', reason: 'time' } },
      { address: '192.0.2.54', versionBind: { status: 'skipped', reason: 'silent' } },
    ]);
    t.ok(engine.fingerprintings[0]?.signal.aborted);
    t.equal(job.events.ended, true);
  });

  t.test('ended jobs are kept for their time', async (t) => {
    const { clock, jobs, submit } = setUp({}, 'prompt');
    const first = submit();
    await clock.advance(30_000);
    const second = submit();
    await clock.advance(29_999);
    t.equal(jobs.find(first.id), first);
    await clock.advance(1);
    t.equal(jobs.find(first.id), undefined);
    t.equal(jobs.find(second.id), second);
    await clock.advance(30_000);
    t.same(jobs.counts, { queued: 0, running: 0, retained: 0 });
    t.equal(clock.timers, 0);
    t.equal(jobs.retainedBytes, 0);
  });

  t.test('no more of them than there may be', async (t) => {
    const { jobs, submit } = setUp({ maxRetained: 2 }, 'prompt');
    const all = [submit(), submit(), submit()];
    await settled();
    t.same(
      all.map(({ id }) => jobs.find(id) !== undefined),
      [false, true, true],
    );
  });

  t.test('no more memory than there may be, but always the last', async (t) => {
    const { jobs, submit, engine } = setUp({ maxRetainedBytes: 20_000, maxJobs: 3 });
    const all = [submit(), submit(), submit()];
    await settled();
    // Kept results are packed, which this hardly can be.
    const paths = randomBytes(15_000).toString('base64');
    const { figures } = JSON.parse(JSON.stringify({ figures: { paths } }));
    for (const [index, run] of engine.runs.entries()) {
      run.finish({ figures }, [{ ...SERVER, address: `192.0.2.${index}` }]);
      await settled();
    }
    t.same(
      all.map(({ id }) => jobs.find(id) !== undefined),
      [false, false, true],
    );
    t.ok(jobs.retainedBytes > 15_000 && jobs.retainedBytes < 40_000);
    t.ok(engine.fingerprintings[0]?.signal.aborted, 'what is forgotten is not fingerprinted any more');
    t.equal(all[0]?.events.ended, true, 'and its streams end');
  });

  t.test(
    "a large result does not cost other clients theirs, and of a client's own the oldest go",
    async (t) => {
      const { jobs, submit, engine, told } = setUp({
        maxRetainedBytes: 60_000,
        maxJobs: 9,
        maxJobsPerClient: 9,
      });
      const owners = ['2001:db8::1', '192.0.2.1', '2001:db8::2', '192.0.2.1', '2001:db8::3', '192.0.2.1'];
      const all = owners.map((client) => submit(client));
      await settled();
      for (const [index, octets] of [15_000, 100, 14_000, 100, 90_000, 100].entries()) {
        // Kept results are packed, which these hardly can be.
        const paths = randomBytes(octets).toString('base64');
        const { figures } = JSON.parse(JSON.stringify({ figures: { paths } }));
        engine.runs[index]?.finish({ figures });
        await settled();
      }
      t.same(
        all.map(({ id }) => jobs.find(id) !== undefined),
        [false, true, false, true, false, true],
      );
      t.equal(told.filter((what) => what === 'crowded out').length, 3);
    },
  );

  t.test('progress is logged up to a bound, everything else always', async (t) => {
    const { engine, submit } = setUp();
    const job = submit();
    await settled();
    const server = { address: '192.0.2.1', names: [parseName('x'.repeat(60))] };
    const awaited = Array.from({ length: 1_000 }, () => ({ server, question: REQUEST.question }));
    for (let count = 0; count < 100; count += 1) {
      engine.runs[0]?.emit({ event: 'progress', exchanges: 0, pending: count, elapsedMs: 0, awaited });
    }
    engine.runs[0]?.exchange('192.0.2.53');
    t.ok(job.events.bytes < 2.2e6);
    t.equal(job.progress.pending, 99);
    t.equal(eventsOf(job).at(-1)?.[1], 'exchange');
  });
});

t.test('fairness', async (t) => {
  const LARGE = { maxJobs: 8, maxJobsPerClient: 4, maxQueue: 100, maxQueuePerClient: 25 };
  const times = (count: number) => Array.from({ length: count });

  t.test('thirty jobs of one client leave room for the job of another', async (t) => {
    const { jobs, submit, trySubmit } = setUp(LARGE);
    for (const _ of times(29)) submit('192.0.2.1');
    t.same(trySubmit('192.0.2.1'), { kind: 'refused', why: 'client-queue-full' });
    const other = submit('192.0.2.2');
    await settled();
    t.equal(other.state.status, 'running');
    t.same(jobs.counts, { queued: 25, running: 5, retained: 0 });
  });

  t.test('clients take turns', async (t) => {
    const { engine, submit } = setUp({ ...LARGE, maxJobs: 1 });
    const [greedy] = [submit('192.0.2.1'), submit('192.0.2.1'), submit('192.0.2.1')];
    const [second, third] = [submit('192.0.2.2'), submit('192.0.2.3')];
    const order: string[][] = [];
    for (const index of [0, 1, 2, 3]) {
      await settled();
      order.push([second.state.status, third.state.status]);
      engine.runs[index]?.finish();
    }
    t.equal(greedy?.state.status, 'complete');
    t.same(order, [
      ['queued', 'queued'],
      ['queued', 'queued'],
      ['running', 'queued'],
      ['complete', 'running'],
    ]);
  });

  t.test('in a full queue, the last job of the client that has most makes room, and says so', async (t) => {
    const { jobs, submit, told } = setUp({ ...LARGE, maxJobs: 1, maxJobsPerClient: 1, maxQueue: 3 });
    const greedy = ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.1'].map((client) => submit(client));
    const other = submit('198.51.100.1');
    await settled();
    t.same(
      [...greedy, other].map(({ state }) => state.status),
      ['running', 'queued', 'queued', 'failed', 'queued'],
    );
    const last = greedy.at(-1);
    if (last === undefined) return;
    t.match(await read(last), {
      status: 'failed',
      error: { title: 'Crowded out', detail: /fewer jobs waiting/ },
    });
    t.notOk('startedAt' in (await read(last)));
    t.match(eventsOf(last), [
      [1, 'complete', { status: 'failed' }],
      [2, 'servers', {}],
    ]);
    t.same(told, ['started', 'failed']);
    t.same(jobs.counts, { queued: 3, running: 1, retained: 1 });
  });

  t.test('the addresses of one /64 are one client', async (t) => {
    const { jobs, submit, trySubmit } = setUp({ ...LARGE, maxQueuePerClient: 1 });
    for (const index of times(5).keys()) submit(`2001:db8::${index + 1}`);
    t.same(trySubmit('2001:db8::99'), { kind: 'refused', why: 'client-queue-full' });
    t.equal(trySubmit('2001:db8:0:1::1').kind, 'queued');
    await settled();
    t.same(jobs.counts, { queued: 1, running: 5, retained: 0 });
  });

  t.test('an exempt client may use every slot and the whole queue, and still takes turns', async (t) => {
    const { engine, jobs, submit, trySubmit } = setUp({ ...LARGE, maxQueue: 40 });
    for (const _ of times(47)) submit('127.0.0.1', true);
    await settled();
    t.same(jobs.counts, { queued: 39, running: 8, retained: 0 });
    const other = submit('127.0.0.1');
    t.same(trySubmit('127.0.0.1', true), { kind: 'refused', why: 'queue-full' });
    engine.runs[0]?.finish();
    await settled();
    engine.runs[1]?.finish();
    await settled();
    t.equal(other.state.status, 'running', 'who merely claims to be on this host is somebody else');
  });
});

t.test('draining', async (t) => {
  t.test('gives up what waits, lets the rest finish, takes nothing new', async (t) => {
    const { engine, clock, jobs, submit, trySubmit } = setUp({ maxJobs: 1 });
    const [first, second] = [submit(), submit()];
    await settled();
    const drained = jobs.drain(1_000).then(() => 'drained');
    await settled();
    t.equal(second.state.status, 'cancelled');
    t.same(trySubmit(), { kind: 'refused', why: 'closing' });
    engine.runs[0]?.finish();
    await settled();
    t.equal(first.state.status, 'complete');
    engine.fingerprintings.at(-1)?.finish();
    t.equal(await drained, 'drained');
    t.equal(clock.timers, 0);
  });

  t.test('stops what goes on past its grace', async (t) => {
    const { engine, clock, jobs, submit } = setUp();
    const [running, identifying] = [submit(), submit()];
    await settled();
    engine.runs[1]?.finish();
    await settled();
    const drained = jobs.drain(1_000);
    await clock.advance(1_000);
    await drained;
    t.equal(running.state.status, 'cancelled');
    t.ok(isEnded(identifying.state) && identifying.events.ended);
    t.same(
      eventsOf(identifying).map(([, event]) => event),
      ['started', 'complete'],
      'no list is announced that is not there',
    );
    t.equal(clock.timers, 0);
    t.equal(engine.closed(), 1);
  });

  t.test('waits no longer than a second for what does not stop', async (t) => {
    const { engine, clock, jobs, submit } = setUp({}, 'deaf');
    const job = submit();
    await settled();
    engine.runs[0]?.exchange('192.0.2.53');
    const drained = jobs.drain(1_000).then(() => clock.now());
    await clock.advance(5_000);
    t.equal(await drained, 2_000);
    t.match(await read(job), { status: 'cancelled', progress: { exchanges: 1 } });
    t.notHas(await read(job), { result: {} });
    t.match(eventsOf(job).at(-1), [3, 'complete', { status: 'cancelled' }]);
  });
});
