import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createLog } from '../../src/service/log.ts';
import { ask, start } from './http-client.ts';
import { type Entry, startServe } from './spawned.ts';
import { startTestService } from './test-service.ts';

t.test('the log is one line an entry, whatever it holds', async (t) => {
  const now = () => new Date(0);
  const written = (format: 'json' | 'text') => {
    const lines: string[] = [];
    const log = createLog((line) => lines.push(line), format, now);
    log.info('listening', { url: 'http://[::1]:80', region: undefined, limit: '30 requests', jobs: 3 });
    log.warn('odd \u001b[2J', { name: 'a\nb"\u2028\ud83d' });
    log.error('broken');
    return lines;
  };
  t.same(written('text'), [
    '1970-01-01T00:00:00.000Z listening url="http://[::1]:80" limit="30 requests" jobs=3\n',
    '1970-01-01T00:00:00.000Z warning: odd \\u001b[2J name="a\\nb\\"\\u2028\\ud83d"\n',
    '1970-01-01T00:00:00.000Z error: broken\n',
  ]);
  const [info, warn, error] = written('json');
  const time = '1970-01-01T00:00:00.000Z';
  t.same(JSON.parse(`${info}`), {
    time,
    level: 'info',
    message: 'listening',
    url: 'http://[::1]:80',
    limit: '30 requests',
    jobs: 3,
  });
  t.same(JSON.parse(`${warn}`), {
    time,
    level: 'warning',
    message: 'odd \u001b[2J',
    name: 'a\nb"\u2028\ud83d',
  });
  t.match(warn, /^[ -~]+\n$/);
  t.same(JSON.parse(`${error}`), { time, level: 'error', message: 'broken' });
});

/** What turns a line into two, moves the cursor, colours, or changes the order of what follows. */
const HOSTILE = [
  ...Array.from({ length: 33 }, (_, code) => String.fromCharCode(code)),
  '\x7f',
  ...Array.from({ length: 33 }, (_, code) => String.fromCharCode(0x80 + code)),
  '\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff',
  '\u001b[2J\u001b]0;title\u0007\r\n',
  '\ud800',
  '\u{e0001}',
  '"} {"level":"info","message":"forged"',
  ' level=info message=forged',
];

t.test('nothing that is logged can pass for anything else', async (t) => {
  for (const format of ['json', 'text'] as const) {
    const lines: string[] = [];
    const log = createLog(
      (line) => lines.push(line),
      format,
      () => new Date(0),
    );
    for (const text of [...HOSTILE, HOSTILE.join('')]) {
      log.info('job started', { name: text });
      log.error('job failed', { error: new Error(text).stack });
    }
    for (const line of lines) t.match(line, /^[ -~]+\n$/, `${format}: one line of printable ASCII`);
    if (format === 'text') t.notMatch(lines.join(''), /^[^"]* (?:level|message)=/m, 'values are quoted');
    else t.same(JSON.parse(lines.at(-2) ?? '').name, HOSTILE.join(''), 'nothing is lost');
  }
});

t.test('whatever clients send stays on its line', async (t) => {
  const { service, lines } = await startTestService(t, {}, 'prompt');
  const hostile = 'x\t\x80\x9b2J\xff';
  const headers = { 'X-Forwarded-For': hostile, 'User-Agent': hostile, 'Last-Event-ID': hostile };
  for (const name of ['a\\010\\013\\027[2J.example', 'b\u202egpj.example', '\u001b[2J.example', 'c\nd']) {
    await start(service, { name }, headers);
    await start(service, { name: 'www.example', [name]: name }, headers);
  }
  for (const path of ['/%0a%0d%1b[2J', '/%e2%80%ae', '/api/traverse/%0aforged', '/%ff%zz']) {
    await ask(service, 'GET', path, { headers });
  }
  t.ok(lines.length > 0);
  for (const line of lines) t.match(line, /^[ -~]+\n$/);
});

t.test('whatever the operator gives stays on its line', async (t) => {
  const hostile = 'x\n{"message":"forged"}\u001b[2J\u202e';
  const list = join(t.testdir(), hostile.replaceAll('/', ''));
  writeFileSync(list, '192.0.2.0/24\n');
  const env = { EDGE_REGION: hostile, SERVICE_RATE_LIMIT: hostile, SERVICE_WEBHOOK_URL: hostile };
  const service = await startServe(t, ['--demo', '--deny', list], env);
  writeFileSync(list, `${hostile}\n`);
  service.kill('SIGHUP');
  const isReread = ({ message }: Entry) => /^deny list not reloaded/.test(`${message}`);
  while (!service.entries().some(isReread)) await new Promise((resolve) => setTimeout(resolve, 10));
  await start(service, { name: 'www.shop.example' });
  service.kill('SIGTERM');
  t.same(await service.exit, { code: 0, signal: null });
  for (const line of service.lines) t.match(line, /^[ -~]+$/);
  t.equal(service.entries().find(({ message }) => message === 'listening')?.region, hostile);
  t.notOk(service.entries().some(({ message }) => message === 'forged'));
});
