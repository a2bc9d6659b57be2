import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { DEFAULT_OPTIONS } from '../../../src/options.ts';
import { DirectoryKeeper } from '../../../src/service/directory/directory-keeper.ts';
import type { KeptJob, WaitingJob } from '../../../src/service/jobs/job-keeper.ts';
import { createLog } from '../../../src/service/log.ts';
import { parseName } from '../../../src/wire/name.ts';
import { packed } from '../../../src/work/packing.ts';

const ACCEPTED = {
  id: '00000000-0000-4000-8000-000000000001',
  request: { question: { name: parseName('www.example'), type: 'A' }, options: DEFAULT_OPTIONS },
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
    conclusion: { status: 'complete', durationMs: 1_000, data: '{}', summary: '[]', validated: 'other' },
    result: [packed(Buffer.from('{"schema":2}')), packed(Buffer.alloc(100_000, 'x'))],
  },
  progress: { exchanges: 3, pending: 0 },
  events: { before: 0, last: 2, blocks: [{ after: 0, octets: Uint8Array.from([1, 2, 3]) }] },
  trace: { met: [], packets: 7 },
};

function storeIn(folder: string, maxRetainedBytes = 10_000_000) {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), 'json');
  return { store: new DirectoryKeeper(folder, { maxRetainedBytes }, log), lines };
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
  const { mode } = await import('node:fs').then(({ statSync }) =>
    statSync(join(folder, `${WAITING.id}.waiting`)),
  );
  t.equal(mode & 0o777, 0o600);
});

t.test('a damaged file is set aside with a warning, and the others are read', async (t) => {
  const other = { ...ENDED, id: '00000000-0000-4000-8000-000000000002' };
  const damages: Readonly<Record<string, (file: Buffer) => Buffer>> = {
    'cut short': (file) => file.subarray(0, file.length - 1),
    empty: () => Buffer.alloc(0),
    'one octet changed': (file) => Buffer.from(file.map((octet, at) => (at === 300 ? octet ^ 1 : octet))),
    'something else': () => Buffer.from('not a job\n'),
    'without an end of line': () => Buffer.from('svc-job 1 '),
  };
  for (const [name, damage] of Object.entries(damages)) {
    t.test(name, async (t) => {
      const folder = await written(t, ENDED, other);
      const file = `${ENDED.id}.ended`;
      writeFileSync(join(folder, file), damage(readFileSync(join(folder, file))));
      const { store, lines } = storeIn(folder);
      t.same(await store.load(), { waiting: [], ended: [other] });
      t.match(lines, [/"level":"warning".*set aside/]);
      t.same(readdirSync(join(folder, 'damaged')), [file]);
      t.same((await storeIn(folder).store.load()).ended, [other], 'and stays there');
    });
  }
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

t.test('no more is read than may be kept: what was written last', async (t) => {
  const folder = t.testdir({});
  const { store } = storeIn(folder);
  const ids = [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000000${number}`);
  for (const id of ids) await store.keepEnded({ ...ENDED, id });
  const { ended } = await storeIn(folder, 3_000).store.load();
  t.ok(ended.length > 0 && ended.length < 3);
  t.equal(readdirSync(folder).length, ended.length);
});

t.test('what waits is read whatever may be kept: it was accepted', async (t) => {
  const folder = t.testdir({});
  const { store } = storeIn(folder);
  const ids = [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000000${number}`);
  for (const id of ids) await store.keepWaiting({ ...WAITING, id });
  const { waiting } = await storeIn(folder, 1).store.load();
  t.same(waiting.map(({ id }) => id).sort(), ids);
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
  await store.keepEnded({ ...ENDED, id: '00000000-0000-4000-8000-000000000002' });
  t.equal(store.state, 'ok');
  t.match(lines[1], /writable again/);
  t.same(
    readdirSync(folder).filter((name) => name.endsWith('.part')),
    [],
    'nothing is left of what failed',
  );
});
