import t, { type Test } from 'tap';
import { DEFAULT_OPTIONS } from '../../../src/options.ts';
import { DirectoryKeeper } from '../../../src/service/directory/directory-keeper.ts';
import type { Job } from '../../../src/service/jobs/job.ts';
import { IN_MEMORY, type JobKeeper } from '../../../src/service/jobs/job-keeper.ts';
import { Jobs } from '../../../src/service/jobs/jobs.ts';
import { createLog } from '../../../src/service/log.ts';
import { parseName } from '../../../src/wire/name.ts';
import { unpacked } from '../../../src/work/packing.ts';
import { createFakeClock, settled } from '../../exchange/fake-clock.ts';
import { createFakeEngine, SERVER } from '../fake-engine.ts';
import { eventsIn } from '../test-service.ts';

const REQUEST = { question: { name: parseName('www.example'), type: 'A' }, options: DEFAULT_OPTIONS };
const CLIENT = { client: '192.0.2.1', exempt: false };

const SETTINGS = {
  maxJobs: 1,
  maxJobsPerClient: 1,
  maxQueue: 5,
  maxQueuePerClient: 5,
  retainMs: 60_000,
  maxRetained: 10,
  maxRetainedBytes: 10_000_000,
};

/** Each home that jobs can have, made new for each process of a test. */
const HOMES: Readonly<Record<JobKeeper['kind'], (folder: string) => JobKeeper>> = {
  memory: () => IN_MEMORY,
  directory: (folder) =>
    new DirectoryKeeper(
      folder,
      SETTINGS,
      createLog(() => {}, 'json'),
    ),
};

/** One process after the other on the same home and the same clock. */
function houseOf(t: Test, kind: JobKeeper['kind']) {
  const folder = t.testdir({});
  const clock = createFakeClock();
  const told: string[] = [];
  const process = async () => {
    const engine = createFakeEngine();
    const store = HOMES[kind](folder);
    const jobs = new Jobs(
      SETTINGS,
      {
        engine,
        clock,
        now: () => new Date(clock.now()),
        notices: {
          started: () => told.push('started'),
          ended: (_, { status }) => told.push(status),
          crowdedOut: () => told.push('crowded out'),
          failed: (_, error) => t.fail(String(error)),
        },
      },
      store,
    );
    await jobs.open();
    jobs.begin();
    await settled();
    const submit = async () => {
      const submitted = jobs.submit(REQUEST, CLIENT);
      if (submitted.kind === 'refused') throw new Error(submitted.why);
      await submitted.stored;
      await settled();
      return submitted.job;
    };
    /** Once all is written that was to be, and what comes of that has come. */
    const quiet = async () => {
      await settled();
      await store.settled();
      await settled();
    };
    return { engine, store, jobs, submit, quiet };
  };
  const advance = (ms: number) => clock.advance(ms);
  return { process, told, advance };
}

/** The events of a job from a place on, as [id, name, data]. */
function eventsOf({ events }: Job, seen = 0) {
  const frames: string[] = [];
  for (let at = events.placeOf(seen); at < events.last; at = events.placeOf(seen) + frames.length)
    frames.push(...events.framesAfter(at, Number.POSITIVE_INFINITY));
  return eventsIn(frames.join(''));
}

function missing(): never {
  throw new Error('the job is not there');
}

const kindsOf = (job: Job, seen?: number) => eventsOf(job, seen).map(([, event]) => event);

for (const kind of ['memory', 'directory'] as const) {
  t.test(kind, async (t) => {
    t.test('a job from its start to its list of servers', async (t) => {
      const { process, told } = houseOf(t, kind);
      const { engine, jobs, submit, quiet } = await process();
      const job = await submit();
      engine.runs[0]?.exchange('192.0.2.53');
      engine.runs[0]?.finish();
      await quiet();
      engine.fingerprintings[0]?.finish();
      await quiet();
      t.same(kindsOf(job), ['started', 'exchange', 'complete', 'servers']);
      t.same(told, ['started', 'complete']);
      t.equal(jobs.find(job.id), job);
      t.same([jobs.kind, jobs.state], [kind, { status: 'ok' }]);
    });

    t.test('jobs that end within the grace of a stop are whole', async (t) => {
      const { process, told } = houseOf(t, kind);
      const { engine, jobs, submit, quiet } = await process();
      await submit();
      const drained = jobs.drain(1_000);
      engine.runs[0]?.finish();
      await quiet();
      engine.fingerprintings[0]?.finish();
      await drained;
      t.same(told, ['started', 'complete']);
    });
  });
}

t.test('what memory keeps goes with the process: what runs and waits at its end is cancelled', async (t) => {
  const { process, told, advance } = houseOf(t, 'memory');
  const { jobs, submit } = await process();
  const [running, waiting] = [await submit(), await submit()];
  const drained = jobs.drain(1_000);
  await advance(3_000);
  await drained;
  t.same([running.state.status, waiting.state.status], ['cancelled', 'cancelled']);
  t.same(told, ['started', 'cancelled', 'cancelled']);
  t.equal((await process()).jobs.find(running.id), undefined);
});

t.test('what a directory keeps is there for the next process', async (t) => {
  t.test('an ended job with result, events and servers, until its time is over', async (t) => {
    const { process, told, advance } = houseOf(t, 'directory');
    const first = await process();
    const job = await first.submit();
    first.engine.runs[0]?.exchange('192.0.2.53');
    first.engine.runs[0]?.finish();
    await first.quiet();
    first.engine.fingerprintings[0]?.finish();
    await first.quiet();
    await advance(20_000);

    const second = await process();
    const again = second.jobs.find(job.id);
    if (again === undefined || again.state.status !== 'complete') throw new Error('it is not there');
    t.same(eventsOf(again), eventsOf(job));
    t.same(again.servers, job.servers);
    t.same([again.createdAt, again.owner, again.request], [job.createdAt, job.owner, job.request]);
    const [text] = await Promise.all(again.state.result.map(unpacked));
    t.match(JSON.parse(Buffer.from(text ?? []).toString()), { schema: 2, query: { name: 'www.example.' } });
    t.equal(second.engine.fingerprintings.length, 0, 'nobody is asked again');
    t.same(told, ['started', 'complete'], 'nobody is told again');

    await advance(40_000);
    t.equal(second.jobs.find(job.id), undefined);
    await second.quiet();
    t.equal((await process()).jobs.find(job.id), undefined);
  });

  t.test('the time of an ended job passes while no process runs', async (t) => {
    const { process, advance } = houseOf(t, 'directory');
    const first = await process();
    const job = await first.submit();
    first.engine.runs[0]?.finish();
    await first.quiet();
    await advance(60_000);
    t.equal((await process()).jobs.find(job.id), undefined);
  });

  t.test('a job whose servers were still being asked is asked about them again', async (t) => {
    const { process } = houseOf(t, 'directory');
    const first = await process();
    const job = await first.submit();
    first.engine.runs[0]?.finish({}, [SERVER]);
    await first.quiet();
    const second = await process();
    t.match(second.engine.fingerprintings[0]?.server, SERVER);
    second.engine.fingerprintings[0]?.finish();
    await second.quiet();
    t.match(String((await process()).jobs.find(job.id)?.servers), /"ready"/);
  });

  t.test('killed: what ran begins again, and its events count on', async (t) => {
    const { process, told } = houseOf(t, 'directory');
    const first = await process();
    const [running, waiting] = [await first.submit(), await first.submit()];
    first.engine.runs[0]?.exchange('192.0.2.53');
    await first.quiet();

    const second = await process();
    const [again, next] = [second.jobs.find(running.id), second.jobs.find(waiting.id)];
    if (again === undefined || next === undefined) throw new Error('they are not there');
    t.same([again.state.status, next.state.status], ['running', 'queued']);
    const [started] = eventsOf(again, running.events.last);
    t.match(started?.[2], { attempt: 2 });
    t.ok((started?.[0] ?? 0) > running.events.last, 'the id is greater than any that was seen');
    t.same(eventsOf(again, 0), eventsOf(again, running.events.last), 'what came before is void');
    second.engine.runs[0]?.finish();
    await second.quiet();
    t.notMatch(eventsOf(next)[0]?.[2], { attempt: Number }, 'what only waited begins for the first time');
    t.same([...told].sort(), ['complete', 'started', 'started', 'started']);
  });

  t.test('killed three times: the job fails', async (t) => {
    const { process, told } = houseOf(t, 'directory');
    const first = await process();
    const { id } = await first.submit();
    await first.quiet();
    for (const attempt of [2, 3]) {
      const next = await process();
      t.match(eventsOf(next.jobs.find(id) ?? missing())[0]?.[2], { attempt });
      await next.quiet();
    }
    const last = await process();
    await last.quiet();
    t.match(last.jobs.find(id)?.state, { status: 'failed', error: { title: 'Given up' } });
    t.equal(last.engine.runs.length, 0);
    t.equal(told.at(-1), 'failed');
    await last.quiet();
    t.match((await process()).jobs.find(id)?.state, { status: 'failed' }, 'also after one more restart');
  });

  t.test('asked to stop: what is left at the end of grace waits, and that is no attempt', async (t) => {
    const { process, told, advance } = houseOf(t, 'directory');
    const first = await process();
    const [running, waiting] = [await first.submit(), await first.submit()];
    const drained = first.jobs.drain(1_000);
    t.equal(running.state.status, 'running', 'it has the time of grace');
    await advance(3_000);
    await drained;
    t.same(told, ['started'], 'nobody is told of an end');
    t.ok(running.events.ended, 'but who follows it is let go');
    const second = await process();
    const again = second.jobs.find(running.id) ?? missing();
    t.equal(second.jobs.find(waiting.id)?.state.status, 'queued');
    t.notMatch(eventsOf(again)[0]?.[2], { attempt: Number });
    t.equal(eventsOf(again)[0]?.[0], running.events.last + 1, 'ids go on without a gap');
  });

  t.test('a job that its client cancels while the service stops is cancelled', async (t) => {
    const { process, told, advance } = houseOf(t, 'directory');
    const first = await process();
    const running = await first.submit();
    const drained = first.jobs.drain(1_000);
    await first.jobs.cancel(running);
    await advance(3_000);
    await drained;
    t.same(told, ['started', 'cancelled']);
    t.match((await process()).jobs.find(running.id)?.state, { status: 'cancelled' });
  });
});
