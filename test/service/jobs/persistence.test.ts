import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { UNFINISHED } from '../../../src/base/files.ts';
import { packed, unpacked } from '../../../src/base/packing.ts';
import { JobDirectory } from '../../../src/service/jobs/job-directory.ts';
import { LocalJobs } from '../../../src/service/jobs/local-jobs.ts';
import {
  type JobPersistence,
  type KeptJob,
  MEMORY_ONLY,
  type WaitingJob,
} from '../../../src/service/jobs/persistence.ts';
import { createLog } from '../../../src/service/log.ts';
import { createFakeClock, settled } from '../../base/fake-clock.ts';
import { createFakeEngine } from '../fake-engine.ts';
import { eventsOf, REQUEST, SETTINGS } from './every-kind.ts';

/** One process after the other, on the same folder (if there is one) and the same clock. */
function processesOf(t: Test, kind: JobPersistence['kind']) {
  const folder = t.testdir({});
  const clock = createFakeClock();
  const told: string[] = [];
  /** `announce`: what becomes of the webhook of an end. */
  const process = async (announce?: () => Promise<'done' | 'cut-off'>) => {
    const engine = createFakeEngine();
    const store = kind === 'memory' ? MEMORY_ONLY : storeIn(folder).store;
    const jobs = new LocalJobs(
      SETTINGS,
      {
        engine,
        clock,
        now: () => new Date(clock.now()),
        notices: {
          started: () => told.push('started'),
          ended: (_, { status }) => told.push(status),
          interrupted: () => told.push('interrupted'),
          crowdedOut: () => told.push('crowded out'),
          ...(announce && {
            announce: () => {
              told.push('announced');
              return announce();
            },
          }),
          failed: (_, error) => t.fail(String(error)),
        },
      },
      store,
    );
    // The folder goes only after everything is written.
    t.teardown(() => store.settled());
    await jobs.open();
    jobs.begin();
    await settled();
    const submit = async () => {
      const submitted = jobs.submit(REQUEST, { client: '192.0.2.1', exempt: false });
      if (submitted.kind !== 'queued') throw new Error('it was refused');
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
  return { folder, process, told, advance };
}

function missing(): never {
  throw new Error('the job is not there');
}

t.test('what memory keeps goes with the process: what runs and waits at its end is cancelled', async (t) => {
  const { process, told, advance } = processesOf(t, 'memory');
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
    const { process, told, advance } = processesOf(t, 'directory');
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
    t.match(JSON.parse(Buffer.from(text ?? []).toString()), { schema: 3, query: { name: 'www.example.' } });
    t.equal(second.engine.fingerprintings.length, 0, 'nobody is asked again');
    t.same(told, ['started', 'complete'], 'nobody is told again');

    await advance(40_000);
    t.equal(second.jobs.find(job.id), undefined);
    await second.quiet();
    t.equal((await process()).jobs.find(job.id), undefined);
  });

  t.test('the time of an ended job passes while no process runs', async (t) => {
    const { process, advance } = processesOf(t, 'directory');
    const first = await process();
    const job = await first.submit();
    first.engine.runs[0]?.finish();
    await first.quiet();
    await advance(60_000);
    t.equal((await process()).jobs.find(job.id), undefined);
  });

  t.test('killed: what ran begins again, and its events count on', async (t) => {
    const { process, told } = processesOf(t, 'directory');
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
    t.same([...told].sort(), ['complete', 'interrupted', 'started', 'started', 'started'], 'one was running');
  });

  for (const exchanges of [0, 10, 3_000, 10_000])
    t.test(
      `killed after ${exchanges} exchanges: ids go on from the last event, or shortly after`,
      async (t) => {
        const { process } = processesOf(t, 'directory');
        const first = await process();
        const job = await first.submit();
        for (let count = 0; count < exchanges; count += 1) first.engine.runs[0]?.exchange('192.0.2.53');
        await first.quiet();
        const second = await process();
        const again = second.jobs.find(job.id) ?? missing();
        const ahead = (eventsOf(again)[0]?.[0] ?? 0) - job.events.last;
        t.ok(ahead > 0 && ahead <= 4_097, `${ahead}`);
        await second.quiet();
      },
    );

  t.test('killed three times: the job fails', async (t) => {
    const { process, told } = processesOf(t, 'directory');
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

  t.test(
    'killed before the webhook of an end was delivered: the next process delivers it, once',
    async (t) => {
      const { process, told } = processesOf(t, 'directory');
      const never = () => new Promise<never>(() => {});
      const done = () => Promise.resolve('done' as const);
      const first = await process(never);
      await first.submit();
      first.engine.runs[0]?.finish();
      await first.quiet();
      const second = await process(() => Promise.resolve('cut-off'));
      await second.quiet();
      await (await process(done)).quiet();
      await (await process(done)).quiet();
      t.same(told, ['started', 'complete', 'announced', 'announced', 'announced']);
    },
  );

  t.test('asked to stop: what is left at the end of grace waits, and that is no attempt', async (t) => {
    const { process, told, advance } = processesOf(t, 'directory');
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
    const { process, told, advance } = processesOf(t, 'directory');
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

const ACCEPTED = {
  id: '00000000-0000-4000-8000-000000000001',
  request: REQUEST,
  owner: { client: '192.0.2.1', party: '192.0.2.1' },
  createdAt: new Date('2026-11-22T10:00:00Z'),
};

const WAITING: WaitingJob = { ...ACCEPTED, attempts: 0, lastEvent: 0 };

const ENDED: KeptJob = {
  ...ACCEPTED,
  state: {
    status: 'complete',
    startedAt: new Date('2026-11-22T10:00:01Z'),
    finishedAt: new Date('2026-11-22T10:00:02Z'),
    conclusion: { status: 'complete', durationMs: 1_000, data: '{}', validated: 'other' },
    result: [packed(Buffer.from('{"schema":2}')), packed(Buffer.alloc(100_000, 'x'))],
  },
  progress: { exchanges: 3, pending: 0 },
  events: { before: 0, last: 2, blocks: [{ after: 0, octets: Uint8Array.from([1, 2, 3]) }] },
  trace: { met: [], packets: 7 },
};

const OTHER: KeptJob = { ...ENDED, id: '00000000-0000-4000-8000-000000000002' };

function storeIn(folder: string, maxRetainedBytes = 10_000_000) {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), 'json');
  return { store: new JobDirectory(folder, { maxRetainedBytes }, log), lines };
}

/** A folder with what a store wrote there. */
async function written(t: Test, ...jobs: readonly (WaitingJob | KeptJob)[]): Promise<string> {
  const folder = t.testdir({});
  const { store } = storeIn(folder);
  for (const job of jobs) await ('state' in job ? store.keepEnded(job) : store.keepWaiting(job));
  return folder;
}

t.test('what is written is read again', async (t) => {
  const folder = await written(t, WAITING);
  t.same(await storeIn(folder).store.load(), { waiting: [WAITING], ended: [] });
  const { store } = storeIn(folder);
  await store.keepEnded(ENDED);
  t.same(await storeIn(folder).store.load(), { waiting: [], ended: [ENDED] });
  await store.keepServers(ENDED.id, Buffer.from('{"status":"ready"}'));
  const servers = Buffer.from('{"status":"ready"}');
  t.same(await storeIn(folder).store.load(), { waiting: [], ended: [{ ...ENDED, servers }] });
  await store.forget(ENDED.id);
  t.same(readdirSync(folder), []);
});

t.test('only the service may read what clients ask', async (t) => {
  const folder = await written(t, WAITING);
  const { mode } = statSync(join(folder, `${WAITING.id}.waiting`));
  t.equal(mode & 0o777, 0o600);
});

t.test('a damaged file is set aside with a warning, and the others are read', async (t) => {
  const damages: Readonly<Record<string, (file: Buffer) => Buffer>> = {
    'cut short': (file) => file.subarray(0, file.length - 1),
    empty: () => Buffer.alloc(0),
    'one octet changed': (file) => Buffer.from(file.map((octet, at) => (at === 300 ? octet ^ 1 : octet))),
    'something else': () => Buffer.from('not a job\n'),
    'without an end of line': () => Buffer.from('svc-job 1 '),
  };
  for (const [name, damage] of Object.entries(damages)) {
    t.test(name, async (t) => {
      const folder = await written(t, ENDED, OTHER);
      const file = `${ENDED.id}.ended`;
      writeFileSync(join(folder, file), damage(readFileSync(join(folder, file))));
      const { store, lines } = storeIn(folder);
      t.same(await store.load(), { waiting: [], ended: [OTHER] });
      t.match(lines, [/"level":"warning".*set aside/]);
      t.same(readdirSync(join(folder, 'damaged')), [file]);
      t.same((await storeIn(folder).store.load()).ended, [OTHER], 'and stays there');
    });
  }
});

t.test(
  'a file that cannot be one of ours is set aside with a warning, and the others are read',
  async (t) => {
    const name = `${ENDED.id}.ended`;
    const oddities: Readonly<Record<string, { at?: string; make: (path: string) => void; warning: RegExp }>> =
      {
        'a folder': { make: (path) => mkdirSync(path), warning: /not a regular file/ },
        'a link to nowhere': { make: (path) => symlinkSync('nowhere', path), warning: /not a regular file/ },
        'a link to a file': {
          make: (path) => symlinkSync('/etc/hostname', path),
          warning: /not a regular file/,
        },
        'a pipe that nobody writes to': {
          make: (path) => execFileSync('mkfifo', [path]),
          warning: /not a regular file/,
        },
        'a file that is larger than Node reads at once': {
          make: (path) => {
            writeFileSync(path, '');
            truncateSync(path, 2 ** 31);
          },
          warning: /too large/,
        },
        'an unfinished file that is a folder': {
          at: `${name}${UNFINISHED}`,
          make: (path) => mkdirSync(path),
          warning: /not a regular file/,
        },
        'a copy of the file of another job': {
          make: (path) => copyFileSync(path.replace(ENDED.id, OTHER.id), path),
          warning: /a copy of 0+-0000-4000-8000-0+2\.ended/,
        },
      };
    for (const [oddity, { at = name, make, warning }] of Object.entries(oddities)) {
      t.test(oddity, async (t) => {
        const folder = await written(t, OTHER);
        make(join(folder, at));
        const { store, lines } = storeIn(folder);
        t.same(await store.load(), { waiting: [], ended: [OTHER] });
        t.match(lines, [warning]);
        t.same(readdirSync(join(folder, 'damaged')), [at]);
      });
    }
  },
);

t.test(
  'what was set aside before stays, and where nothing can be set aside, the others are read',
  async (t) => {
    const name = `${ENDED.id}.ended`;
    const twice = await written(t, OTHER);
    for (const damage of ['one', 'other']) {
      writeFileSync(join(twice, name), damage);
      t.same((await storeIn(twice).store.load()).ended, [OTHER]);
    }
    const aside = readdirSync(join(twice, 'damaged')).map((file) =>
      readFileSync(join(twice, 'damaged', file)).toString(),
    );
    t.same(aside, ['one', 'other']);

    const never = await written(t, OTHER);
    writeFileSync(join(never, 'damaged'), 'a file');
    writeFileSync(join(never, name), 'damaged');
    const { store, lines } = storeIn(never);
    t.same((await store.load()).ended, [OTHER]);
    t.match(lines, [/cannot be set aside.*EEXIST/]);
  },
);

t.test('an end that is not announced yet stays owed, whatever becomes of the process', async (t) => {
  const owed = { ...ENDED, owed: true };
  const folder = await written(t, WAITING, owed);
  t.same(
    await storeIn(folder).store.load(),
    { waiting: [], ended: [owed] },
    'killed before it was announced',
  );
  t.same(await storeIn(folder).store.load(), { waiting: [], ended: [owed] }, 'and once more');
  await storeIn(folder).store.keepAnnounced(ENDED.id);
  t.same(await storeIn(folder).store.load(), { waiting: [], ended: [ENDED] });
});

t.test('what a kill left half done is put right', async (t) => {
  const folder = await written(t, ENDED);
  // The end was written, and then the process was killed.
  const { store } = storeIn(folder);
  await store.keepWaiting(WAITING);
  writeFileSync(join(folder, `${WAITING.id}.waiting.0123456789ab.part`), 'svc-job');
  t.same(await storeIn(folder).store.load(), { waiting: [], ended: [ENDED] });
  t.same(readdirSync(folder), [`${ENDED.id}.ended`]);
});

const IDS = [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000000${number}`);

t.test('no more is read than may be kept: what was written last', async (t) => {
  const folder = await written(t, ...IDS.map((id) => ({ ...ENDED, id })));
  const { ended } = await storeIn(folder, 3_000).store.load();
  t.ok(ended.length > 0 && ended.length < 3);
  t.equal(readdirSync(folder).length, ended.length);
});

t.test('a damaged file takes no room from the others', async (t) => {
  const [damaged = '', ...others] = IDS;
  for (const [place, at] of [
    ['newest', 4_000_000_000],
    ['oldest', 0],
  ] as const) {
    const folder = await written(t, ...others.map((id) => ({ ...ENDED, id })));
    const path = join(folder, `${damaged}.ended`);
    writeFileSync(path, Buffer.alloc(1_000_000));
    utimesSync(path, at, at);
    t.equal((await storeIn(folder, 10_000).store.load()).ended.length, others.length, place);
    t.ok(existsSync(join(folder, 'damaged', `${damaged}.ended`)), place);
  }
});

t.test('what waits is read whatever may be kept: it was accepted', async (t) => {
  const folder = await written(t, ...IDS.map((id) => ({ ...WAITING, id })));
  const { waiting } = await storeIn(folder, 1).store.load();
  t.same(waiting.map(({ id }) => id).sort(), IDS);
});

t.test('a directory that takes no more stops nothing but the keeping', async (t) => {
  const folder = t.testdir({});
  const { store, lines } = storeIn(folder);
  const inTheWay = join(folder, `${WAITING.id}.waiting`);
  mkdirSync(inTheWay);
  await store.keepWaiting(WAITING);
  await store.keepWaiting(WAITING);
  t.equal(store.state, 'degraded');
  t.equal(lines.length, 1, 'that is said once');
  t.match(lines[0], /"level":"error".*state directory not writable/);
  chmodSync(folder, 0o700);
  await store.keepEnded(OTHER);
  t.equal(store.state, 'ok');
  t.match(lines[1], /writable again/);
  t.same(
    readdirSync(folder).filter((name) => name.endsWith('.part')),
    [],
    'nothing is left of what failed',
  );
});

t.test('a webhook that is owed is delivered even if the time of its job is over', async (t) => {
  const { folder, process, told } = processesOf(t, 'directory');
  const { store } = storeIn(folder);
  await store.keepWaiting(WAITING);
  await store.keepEnded({ ...ENDED, owed: true, state: { ...ENDED.state, finishedAt: new Date(-100_000) } });
  await (await process(() => Promise.resolve('done'))).quiet();
  t.same(told, ['announced']);
});
