/**
 * Hole: a client that opens many event streams of one large job at once might hold the event loop until each has its
 * first part. The loop may never compute for long without a pause; health answers meanwhile.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../src/dns/name.ts';
import { DEFAULT_OPTIONS } from '../../src/document/options.ts';
import type { Engine } from '../../src/service/jobs/job.ts';
import { createLog } from '../../src/service/log.ts';
import { type Service, startService } from '../../src/service/service.ts';
import { DEFAULT_SETTINGS } from '../../src/service/settings.ts';
import { serialisedEvent } from '../../src/traversal/threads/messages.ts';
import { eachOf, say, size, spread } from '../bench/figures.ts';
import { judgeTime } from './measured.ts';

const STREAMS = 400;
const EVENTS = 10_000;
const DETAIL = 'no reply in time, asked once more, and again '.repeat(8);
const MOST_TURN_MS = 250;
const HEALTH_EVERY_MS = 20;
/** One large event, such as the list of servers of a large job. */
const LARGE_EVENT_OCTETS = 2 * 1_024 * 1_024;

const EXCHANGE = {
  event: 'exchange',
  server: { address: '192.0.2.1', names: [] },
  question: { name: ROOT, type: 'NS' },
  transport: 'udp',
  attempts: 3,
  elapsedMs: 1,
  failure: 'timeout',
  zone: ROOT,
  class: 'timeout',
} as const;

/** What the readers found. */
interface Readings {
  readonly healthMs: readonly number[];
  readonly octets: number;
}

const [, , url, events] = process.argv;
if (url !== undefined && events !== undefined) await beReaders(url, events);
else {
  const readers = fileURLToPath(import.meta.url);
  await siege('a large job', EVENTS, DETAIL, readers);
  await siege('a job with a large event', 1, 'x'.repeat(LARGE_EVENT_OCTETS), readers);
  process.exit();
}

async function siege(what: string, count: number, detail: string, readers: string): Promise<void> {
  const service = await startLargeJobs(count, detail);
  const base = `http://${service.host}:${service.port}`;
  const posted = await fetch(`${base}/api/traverse`, { method: 'POST', body: '{"name":"."}' });
  const { links } = JSON.parse(await posted.text());
  const child = fork(readers, [base, `${base}${links.events}`], { serialization: 'advanced' });
  await once(child, 'message');
  const turns = measureTurns();
  child.send('go');
  const { healthMs, octets } = await readingsOf(child);
  const longest = turns.longestMs();
  const streams = `${STREAMS} streams of ${what}, ${size(octets / STREAMS)} each`;
  judgeTime(`${streams}: processor time in one turn of the loop`, longest, MOST_TURN_MS);
  say('health meanwhile', `${healthMs.length} times, ${spread(healthMs)}`);
  await service.close(0);
}

/** The most processor time between two turns of the event loop. Other processes do not count, as they would in a delay. */
function measureTurns() {
  let longest = 0;
  let before = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.cpuUsage();
  }, 1);
  const longestMs = () => {
    clearInterval(timer);
    return longest;
  };
  return { longestMs };
}

async function readingsOf(child: ChildProcess): Promise<Readings> {
  const [readings]: Readings[] = await once(child, 'message');
  if (readings === undefined) throw new Error('the readers say nothing');
  return readings;
}

/** A service whose jobs have so many events at once, and end. */
async function startLargeJobs(count: number, failureDetail: string): Promise<Service> {
  const engine: Engine = {
    traverse: async (_task, { emit }) => {
      for (let id = 1; id <= count; id += 1)
        emit(serialisedEvent({ ...EXCHANGE, id: `x${id}`, failureDetail }));
      return { kind: 'dropped' };
    },
    fingerprint: async () => ({ fingerprint: { versionBind: { status: 'timeout' } }, packets: 0 }),
    fingerprintPackets: 0,
    close: async () => {},
  };
  const log = createLog((line) => process.stderr.write(line), 'text');
  const settings = { ...DEFAULT_SETTINGS, version: '0', options: DEFAULT_OPTIONS, port: 0 };
  return await startService(settings, { engine, log: { ...log, info: () => {} } });
}

/** Reads all streams to their ends, and health meanwhile. */
async function beReaders(base: string, path: string): Promise<void> {
  process.send?.('ready');
  await once(process, 'message');
  const healthMs: number[] = [];
  const over = new AbortController();
  const health = askHealth(base, healthMs, over.signal);
  let octets = 0;
  const all = Array.from({ length: STREAMS }, () => path);
  await eachOf(all, STREAMS, async (one) => {
    const read = await octetsOf(one);
    octets += read;
  });
  over.abort();
  await health;
  process.send?.({ healthMs, octets }, () => process.disconnect());
}

function octetsOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
      let octets = 0;
      response.on('data', (chunk: Buffer) => {
        octets += chunk.length;
      });
      response.on('end', () => resolve(octets)).on('error', reject);
    });
    request.on('error', reject);
  });
}

async function askHealth(base: string, took: number[], over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const start = performance.now();
    await (await fetch(`${base}/api/health`)).text();
    took.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, HEALTH_EVERY_MS));
  }
}
