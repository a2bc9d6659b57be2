/**
 * Hole: a hostile `--server`, whose lines, events or JSON have no end. The program ends with one line and status 3,
 * in bounded time and memory, and obeys the first Ctrl-C meanwhile.
 */
import type { IncomingMessage } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { withoutResult } from '../../src/report/views/conclusion.ts';
import { shown, size } from '../bench/figures.ts';
import { type Handler, pour, startServer } from '../cli/demo-service.ts';
import { judge, judgeTime, runMeasured } from './measured.ts';

const MIB = 1_024 * 1_024;
/** A result may have 128 MiB, and is held twice for a moment; the program itself takes some 60. */
const MOST_PEAK = 400 * MIB;
/** Where events are printed as they come, nothing is held. */
const MOST_PEAK_OF_EVENTS = 300 * MIB;
const MOST_MS = 30_000;
const CTRL_C_AFTER_MS = 1_000;
const OBEYED_MS = 2_000;

const JOB = '{"id":"0f8fad5b-d9cb-469f-a165-70867728950e"}';
const STREAM = { 'Content-Type': 'text/event-stream' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const COMPLETE = `id: 1\nevent: complete\ndata: ${JSON.stringify(withoutResult('failed', 1))}\n\n`;
const EVENTS = 500;

/** What a hostile service sends without end, and where. */
interface Way {
  readonly what: string;
  readonly at: 'accepting' | 'events' | 'result';
  readonly piece: (number: number) => string;
}

const WAYS: readonly Way[] = [
  { what: 'an endless line', at: 'events', piece: () => 'x'.repeat(65_536) },
  { what: 'endless events', at: 'events', piece: manyEvents },
  { what: 'endless comments', at: 'events', piece: () => `:${'x'.repeat(65_536)}\n\n` },
  { what: 'endless JSON for a job', at: 'accepting', piece: () => '['.repeat(65_536) },
  { what: 'endless JSON for a result', at: 'result', piece: () => '['.repeat(65_536) },
];

/** A service that ends a cancelled job late, and then sends its result in drops. It has to be interrupted. */
const LATE = 'a late end, and a result that drips';
const LATE_MS = 1_200;

if (isMainThread) await siege();
else parentPort?.postMessage((await startServer(workerData === LATE ? late() : endless(workerData))).url);

async function siege(): Promise<void> {
  for (const what of [...WAYS.map(({ what }) => what), LATE]) {
    // On a thread of its own, so that its work does not pass for the program's.
    const worker = new Worker(new URL(import.meta.url), { workerData: what });
    const url = await new Promise<string>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
    });
    const args = ['traverse', 'www.shop.example', '--server', url];
    if (what !== LATE) await toTheEnd(what, args, MOST_PEAK);
    if (what === LATE || what === 'endless events') await interrupted(what, args);
    if (WAYS.some((way) => way.what === what && way.at === 'events')) await printed(what, url);
    await worker.terminate();
  }
  process.exit();
}

function endless(wanted: unknown): Handler {
  const way = WAYS.find(({ what }) => what === wanted);
  if (way === undefined) throw new Error('no such way');
  return (message, response) => {
    const at = placeOf(message);
    const headers = at === 'events' ? STREAM : JSON_TYPE;
    if (at === 'cancelling') response.writeHead(204).end();
    else if (at === way.at) pour(response.writeHead(at === 'accepting' ? 202 : 200, headers), way.piece);
    else if (at === 'accepting') response.writeHead(202, JSON_TYPE).end(JOB);
    else response.writeHead(200, headers).end(COMPLETE);
  };
}

function late(): Handler {
  let cancelled = () => {};
  return (message, response) => {
    const at = placeOf(message);
    if (at === 'accepting') response.writeHead(202, JSON_TYPE).end(JOB);
    else if (at === 'cancelling') {
      response.writeHead(204).end();
      setTimeout(cancelled, LATE_MS);
    } else if (at === 'events') {
      response.writeHead(200, STREAM).write(': soon\n\n');
      cancelled = () => response.end(COMPLETE);
    } else {
      response.writeHead(200, JSON_TYPE);
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    }
  };
}

function placeOf({ method, url = '' }: IncomingMessage): Way['at'] | 'cancelling' {
  if (method === 'DELETE') return 'cancelling';
  if (method === 'POST') return 'accepting';
  return url.endsWith('/events') ? 'events' : 'result';
}

/** The same where every event is printed. */
async function printed(what: string, url: string): Promise<void> {
  const asked = ['www.shop.example', '--server', url];
  for (const command of [
    ['traverse', ...asked, '--format', 'jsonl'],
    ['watch', ...asked, '--format', 'jsonl'],
    ['watch', ...asked],
  ]) {
    const words = `${what}, ${command.filter((word) => !asked.includes(word)).join(' ')}`;
    await toTheEnd(words, command, MOST_PEAK_OF_EVENTS);
    await interrupted(words, command);
  }
}

async function toTheEnd(what: string, args: readonly string[], mostPeak: number): Promise<void> {
  const { status, stderr, tookMs, peak } = await runMeasured(args);
  const isOneLine = /^svc: [^\n]{1,400}\n$/.test(stderr);
  judge(
    what,
    `status ${status}, ${isOneLine ? stderr.trim() : size(stderr.length)}, after ${shown(tookMs)}, ${size(peak)} at most`,
    status === 3 && isOneLine && tookMs < MOST_MS && peak < mostPeak,
  );
}

async function interrupted(what: string, args: readonly string[]): Promise<void> {
  const { status, signal, tookMs } = await runMeasured(args, { interruptAfterMs: CTRL_C_AFTER_MS });
  const isObeyed = signal === 'SIGINT' || status === 130;
  // A bound may be reached before.
  judge(`${what}: Ctrl-C`, `${signal ?? `status ${status}`}`, isObeyed || status === 3);
  judgeTime(`${what}: Ctrl-C, ended after`, Math.max(0, tookMs - CTRL_C_AFTER_MS), OBEYED_MS);
}

function manyEvents(number: number): string {
  const from = (number - 1) * EVENTS;
  return Array.from(
    { length: EVENTS },
    (_, at) =>
      `id: ${from + at + 1}\nevent: progress\ndata: {"exchanges":1,"pending":0,"elapsedMs":1,"summary":[]}\n\n`,
  ).join('');
}
