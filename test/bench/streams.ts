/**
 * How late events come where many streams are open, while other jobs are posted and deleted: an engine that
 * only says the time, in this process, and readers in another. Both read the same monotonic clock.
 */
import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DEFAULT_OPTIONS } from '../../src/base/options.ts';
import { type Name, parseName, ROOT } from '../../src/dns/name.ts';
import type { Engine } from '../../src/service/jobs/job.ts';
import { createLog } from '../../src/service/log.ts';
import { startService } from '../../src/service/service.ts';
import { DEFAULT_SETTINGS } from '../../src/service/settings.ts';
import { serialisedEvent } from '../../src/traversal/threads/messages.ts';
import { followEvents } from './event-reader.ts';
import { tell } from './figure.ts';
import { eachOf, quantile, spread } from './figures.ts';
import { NOW } from './program.ts';

const JOBS = 100;
const STREAMS_EACH = 10;
const EVENTS = 40;
const BETWEEN_MS = 200;
/** Jobs that are posted and deleted meanwhile: each begins so long after the one before. */
const PASSING_EVERY_MS = 20;
const PASSING: Name = parseName('passing.');
const ROOM = { maxJobs: 2 * JOBS, maxConnections: 10_000 };
/** Says that this process is the reader. */
const READER = 'reader';

const EXCHANGE = {
  server: { address: '192.0.2.1', names: [] },
  question: { name: ROOT, type: 'NS' },
  transport: 'udp',
  attempts: 1,
  elapsedMs: 1,
  failure: 'timeout',
  zone: ROOT,
  class: 'timeout',
} as const;

const [role, url, ...ids] = process.argv.slice(2);
if (role === READER && url !== undefined) await read(url, ids);
else await serve();

/** Jobs whose every event carries the moment it was told. */
async function serve(): Promise<void> {
  const readers = new EventEmitter();
  const open = once(readers, 'open').then(() => {});
  const settings = { ...DEFAULT_SETTINGS, version: '0', options: DEFAULT_OPTIONS, port: 0, ...ROOM };
  const log = createLog((line) => process.stderr.write(line), 'text');
  const quiet = { ...log, info: () => {} };
  const service = await startService(settings, { engine: tellingTheTime(open), log: quiet });
  const base = `http://${service.host}:${service.port}`;
  const ids: string[] = [];
  for (let job = 0; job < JOBS; job += 1) {
    const response = await fetch(`${base}/api/traverse`, { method: 'POST', body: '{"name":"."}' });
    ids.push(JSON.parse(await response.text()).id);
  }
  const child = fork(fileURLToPath(import.meta.url), [READER, base, ...ids]);
  child.on('exit', (code) => code === 0 || process.exit(1));
  await once(child, 'message');
  readers.emit('open');
  const [{ late, passed }] = await once(child, 'message');
  const streams = `${JOBS * STREAMS_EACH} streams of ${1_000 / BETWEEN_MS} events a second each`;
  const passing = `${passed} jobs posted and deleted meanwhile`;
  tell('service-streams', NOW, quantile(late, 0.99), `${streams}, late by ${spread(late)}; ${passing}`);
  await service.close(1_000);
}

function tellingTheTime(go: Promise<void>): Engine {
  return {
    traverse: async ({ question }, { emit, signal }) => {
      if (question.name === PASSING) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return { kind: 'dropped' };
      }
      await go;
      // Jobs do not keep step with each other.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * BETWEEN_MS));
      for (let count = 0; count < EVENTS; count += 1) {
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
        const failureDetail = `${process.hrtime.bigint()}`;
        emit(serialisedEvent({ event: 'exchange', ...EXCHANGE, id: `x${count + 1}`, failureDetail }));
      }
      return { kind: 'dropped' };
    },
    fingerprint: async () => ({ fingerprint: { versionBind: { status: 'timeout' } }, packets: 0 }),
    fingerprintPackets: 0,
    close: async () => {},
  };
}

/** Opens all streams, says so, and tells how late each event came. */
async function read(base: string, ids: readonly string[]): Promise<void> {
  const lateMs: number[] = [];
  const streams = ids.flatMap((id) => Array.from({ length: STREAMS_EACH }, () => id));
  await waitFor(base, ids.length);
  const reading = eachOf(streams, streams.length, async (id) => {
    await followEvents(`${base}/api/traverse/${id}/events`, ({ event, data }) => {
      if (event !== 'exchange') return;
      lateMs.push(Number(process.hrtime.bigint() - BigInt(JSON.parse(data).failureDetail)) / 1e6);
    });
  });
  await waitFor(base, streams.length, 'traversal_event_streams');
  process.send?.('open');
  const over = new AbortController();
  const passing = passJobs(base, over.signal);
  await reading;
  over.abort();
  process.send?.({ late: lateMs, passed: await passing }, () => process.disconnect());
}

/** Posts a job and deletes the one before, again and again. How many it was. */
async function passJobs(base: string, over: AbortSignal): Promise<number> {
  const body = JSON.stringify({ name: PASSING });
  let passed = 0;
  for (let last: string | undefined; !over.aborted; passed += 1) {
    const [begun] = await Promise.all([
      fetch(`${base}/api/traverse`, { method: 'POST', body }),
      last === undefined ? undefined : fetch(`${base}${last}`, { method: 'DELETE' }),
    ]);
    if (begun.status !== 202) throw new Error(`${begun.status} ${await begun.text()}`);
    last = JSON.parse(await begun.text()).links.self;
    await new Promise((resolve) => setTimeout(resolve, PASSING_EVERY_MS));
  }
  return passed;
}

async function waitFor(
  base: string,
  count: number,
  metric = 'traversal_jobs{state="running"}',
): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${base}/metrics`)).text();
    if (text.includes(`${metric} ${count}\n`)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
