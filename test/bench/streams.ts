/**
 * How late events come where many streams are open: an engine that only says the time, in this
 * process, and readers in another. Both read the same monotonic clock.
 */
import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DEFAULT_OPTIONS } from '../../src/options.ts';
import type { Engine } from '../../src/service/engine/engine.ts';
import { createLog } from '../../src/service/log.ts';
import { startService } from '../../src/service/service.ts';
import { DEFAULT_SETTINGS } from '../../src/service/settings.ts';
import { ROOT } from '../../src/wire/name.ts';
import { serialisedEvent } from '../../src/work/messages.ts';
import { followEvents } from './event-reader.ts';
import { eachOf, say, spread } from './figures.ts';

const JOBS = 50;
const STREAMS_EACH = 20;
const EVENTS = 40;
const BETWEEN_MS = 200;
const ROOM = { maxJobs: JOBS, maxConnections: 10_000 };

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

const [url, ...ids] = process.argv.slice(2);
if (url === undefined) await serve();
else await read(url, ids);

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
  const child = fork(fileURLToPath(import.meta.url), [base, ...ids], { execArgv: process.execArgv });
  child.on('exit', (code) => code === 0 || process.exit(1));
  await once(child, 'message');
  readers.emit('open');
  const [late] = await once(child, 'message');
  say(
    'events',
    `${JOBS * STREAMS_EACH} streams of ${1_000 / BETWEEN_MS} events a second each: late by ${late}`,
  );
  await service.close(1_000);
}

function tellingTheTime(go: Promise<void>): Engine {
  return {
    traverse: async (_request, { emit }) => {
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
  await reading;
  process.send?.(spread(lateMs), () => process.disconnect());
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
