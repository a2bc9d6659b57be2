import t from 'tap';
import { watchFrame } from '../../src/cli/view/watch-frame.ts';
import { eventLine } from '../../src/cli/view/watch-lines.ts';
import { Picture } from '../../src/cli/view/watch-picture.ts';
import type { JobEvent } from '../../src/document/events.ts';
import { DEFAULT_OPTIONS } from '../../src/options.ts';
import { painter } from '../../src/report/table/paint.ts';
import { parseName } from '../../src/wire/name.ts';
import { startDemoService, startProxy } from './demo-service.ts';
import { inside } from './inside.ts';
import { eachEvent, ended, start } from './svc.ts';

const ESC = '\u001b';
const COLOURS = new RegExp(`${ESC}\\[\\d*m`, 'g');

t.test('here', async (t) => {
  t.test('events as lines, for people and for programs', async (t) => {
    const text = await inside(['watch', 'www.stale.example', '--demo']);
    t.same([text.status, text.stderr], [1, '']);
    const lines = text.stdout.trimEnd().split('\n');
    t.equal(lines[0], 'started    www.stale.example. A');
    t.match(
      text.stdout,
      /^exchange {3}example\. {2}192\.0\.2\.11 {2}www\.stale\.example\. A {2}referral {2}[\d.]+ ms$/m,
    );
    t.match(lines.at(-2), /^complete {3}in \d+ ms: 50 % [\d.]+ and 50 % [\d.]+$/);
    t.match(lines.at(-1), /^servers {4}14 addresses: 4 BIND 9\.18\.49, 4 NSD 4\.8\.0, /);
    const json = await inside(['watch', 'www.shop.example', '--demo', '--format', 'jsonl']);
    t.equal(json.status, 0);
    const events: readonly JobEvent[] = json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    t.equal(events[0]?.event, 'started');
    t.match(events.at(-2), { event: 'complete', status: 'complete', summary: [{ fraction: '1' }] });
    t.match(events.at(-1), { event: 'servers', status: 'ready', servers: { length: 14 } });
  });

  t.test('a live view where there is a terminal', async (t) => {
    const { status, stdout, stderr } = await inside(['watch', 'www.forgotten.example', '--demo'], {
      terminals: ['stdout'],
    });
    t.same([status, stderr], [1, '']);
    const [, last = ''] = stdout.split(`${ESC}[J`).slice(-2);
    t.match(stripped(last), /^www\.forgotten\.example\. A {2}14 replies, \d+ servers identified, /);
    t.match(stripped(last), /^ {2}forgotten\.example\. {2}✓✓✗✗ {4}2 × answer, 2 × error$/m);
    t.ok(last.includes(`${ESC}[32m✓✓`), 'working servers are green');
    t.ok(last.includes(`${ESC}[31m✗✗`), 'others red');
    t.match(stripped(last), /^ends in {3}50 % 198\.51\.100\.102 and 50 % error$/m);
    t.match(stripped(last), /^software {2}\d /m);
    t.ok(last.endsWith('\n'), 'what it came to stays on the screen');
    const plain = await inside(['watch', 'www.shop.example', '--demo'], {
      terminals: ['stdout'],
      env: { NO_COLOR: '1' },
    });
    t.equal(stripped(plain.stdout), plain.stdout, 'without colour');
    const dumb = await inside(['watch', 'www.shop.example', '--demo'], {
      terminals: ['stdout'],
      env: { TERM: 'dumb' },
    });
    t.match(dumb.stdout, /^started {4}/, 'lines on a terminal that cannot');
    t.notOk(dumb.stdout.includes(ESC));
  });

  t.test('exit status', async (t) => {
    const rows: readonly (readonly [command: string, status: number, words: RegExp])[] = [
      ['www.shop.example --demo', 0, /^$/],
      ['nowhere.shop.example --demo', 0, /^$/],
      ['www.left.example --demo', 1, /^$/],
      [
        'www.shop.example --demo --max-queries 4',
        3,
        /^svc: a limit was reached: not everything was asked\n$/,
      ],
      [
        'www.moved.example --demo -4 --max-queries 9',
        3,
        /^svc: a limit was reached: not everything was asked\n$/,
      ],
      ['www.shop.example --demo --max-depth 1', 1, /^$/],
      ['--demo -x 192.0.2.1', 0, /^$/],
      ['--demo', 0, /^$/],
      ['0f8fad5b-d9cb-469f-a165-70867728950e', 2, /is a job's identifier: say whose job with --server URL/],
      ['', 2, /NAME is missing/],
      ['www.shop.example --demo --format json', 2, /Allowed choices are text, jsonl/],
      ['www.shop.example -x 192.0.2.1 --demo', 2, /-x ADDRESS takes the place of NAME and TYPE/],
    ];
    for (const [command, status, words] of rows) {
      const ran = await inside(['watch', ...command.split(' ').filter(Boolean)]);
      t.equal(ran.status, status, `${command}: ${status}`);
      t.match(ran.stderr, words);
    }
  });

  t.test('interrupted, and left by its reader', async (t) => {
    const child = start(['watch', 'www.dead.example', '--demo', '--timeout', '60s', '--format', 'jsonl']);
    eachEvent(child, ({ event }) => {
      if (event === 'progress') child.kill('SIGINT');
    });
    const interrupted = await ended(child);
    t.same([interrupted.status, interrupted.stderr], [130, '']);
    t.match(JSON.parse(lastLine(interrupted.stdout)), { event: 'complete', status: 'cancelled' });
    const unread = start(['watch', 'www.dead.example', '--demo', '--timeout', '60s']);
    unread.stdout.destroy();
    const left = await ended(unread);
    t.same([left.status, left.stderr], [3, '']);
  });
});

t.test('at a running service', async (t) => {
  const service = await startDemoService();
  t.teardown(service.stop);

  t.test('no event is lost or told twice, however often the connection breaks', async (t) => {
    const sizes = [900, 2_000, 5_000, 12_000];
    let id = '';
    const resumed: (string | undefined)[] = [];
    const proxy = await startProxy(service.url, {
      prefix: 'retry: 20\n\n',
      cutAfter: ({ url = '', headers }) => {
        if (!url.endsWith('/events')) return Number.POSITIVE_INFINITY;
        id = url.split('/')[3] ?? '';
        resumed.push(headers['last-event-id']?.toString());
        return sizes.shift() ?? Number.POSITIVE_INFINITY;
      },
    });
    t.teardown(proxy.stop);
    const ran = await inside(['watch', 'www.mixed.example', '--format', 'jsonl', '--server', proxy.url]);
    t.equal(ran.status, 1);
    t.equal(
      ran.stderr,
      'svc: connection lost, trying again\nsvc: connected again\n'.repeat(resumed.length - 1),
    );
    t.ok(resumed.length > 3, `${resumed.length} connections`);
    t.equal(resumed[0], undefined);
    const told: readonly unknown[] = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    t.same(
      told,
      await eventsOf(service.url, id),
      'what is told is what the server has, in full and in order',
    );
  });

  t.test('a limit that is only the cause of an end', async (t) => {
    const ran = await inside([
      ...['watch', 'www.moved.example', '-4', '--max-queries', '9', '--format', 'jsonl'],
      ...['--server', service.url],
    ]);
    const events: readonly JobEvent[] = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const complete = events.find(({ event }) => event === 'complete');
    t.match(complete, { limits: ['query-limit'], exitStatus: 3 });
    t.match(complete, { summary: [{ kind: 'answer' }, { kind: 'query-limit' }] });
    t.equal(ran.status, 3, 'the same status as here');
  });

  t.test('a job that runs, and one that has ended', async (t) => {
    const id = await startJob(service.url, 'www.stale.example');
    const while_ = await inside(['watch', id, '--server', service.url]);
    t.same([while_.status, while_.stderr], [1, '']);
    t.match(lastLine(while_.stdout), /^servers {4}14 addresses/);
    const after = await inside(['watch', id, '--server', service.url]);
    t.equal(after.stdout, while_.stdout, 'is shown the same');
    const live = await inside(['watch', id, '--server', service.url], { terminals: ['stdout'] });
    t.match(stripped(live.stdout), /^ends in {3}50 % /m);
    for (const [words, expected] of [
      [[id, 'MX'], /leave TYPE and its options out/],
      [[id, '--tcp'], /leave TYPE and its options out/],
    ] as const) {
      const ran = await inside(['watch', ...words, '--server', service.url]);
      t.equal(ran.status, 2);
      t.match(ran.stderr, expected);
    }
    const unknown = await inside([
      'watch',
      id.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      '--server',
      service.url,
    ]);
    t.same([unknown.status, unknown.stdout], [3, '']);
    t.match(unknown.stderr, /^svc: \S+ knows no such job: [^\n]+\n$/);
  });

  t.test('interrupted, a job of somebody else goes on, an own one is cancelled', async (t) => {
    const id = await startJob(service.url, 'www.dead.example');
    for (const [target, expected] of [
      [id, 'complete'],
      ['www.dead.example', 'cancelled'],
    ] as const) {
      const child = start(['watch', target, '--format', 'jsonl', '--server', service.url]);
      eachEvent(child, ({ event, id }) => {
        if (event === 'exchange' && id === 'x1') child.kill('SIGINT');
      });
      const { status, stdout } = await ended(child);
      t.equal(status, 130);
      const last: { readonly event: string; readonly status?: string } = JSON.parse(lastLine(stdout));
      if (expected === 'cancelled') t.equal(last.status, expected);
      else t.match((await eventsOf(service.url, id)).at(-2), { event: 'complete', status: 'complete' });
    }
  });

  t.test('a job that was cancelled', async (t) => {
    const id = await startJob(service.url, 'www.dead.example');
    await fetch(`${service.url}/api/traverse/${id}`, { method: 'DELETE' });
    const ran = await inside(['watch', id, '--server', service.url]);
    t.equal(ran.status, 3);
    t.equal(ran.stderr, 'svc: the job was cancelled: the rest is unknown\n');
  });

  t.test('a server that forgets the job while it is watched', async (t) => {
    const proxy = await startProxy(service.url, {
      prefix: 'retry: 20\n\n',
      cutAfter: ({ url = '' }) => (url.endsWith('/events') ? 700 : Number.POSITIVE_INFINITY),
      handle: ({ headers }, response) => {
        const isBack = headers['last-event-id'] !== undefined;
        if (isBack) response.writeHead(404, { 'Content-Type': 'application/problem+json' }).end('{}');
        return isBack;
      },
    });
    t.teardown(proxy.stop);
    const ran = await inside(['watch', 'www.shop.example', '--server', proxy.url]);
    t.equal(ran.status, 3);
    t.match(ran.stderr, /connection lost, trying again\nsvc: \S+ knows no such job: [^\n]+\n$/);
  });

  t.test('events that are none', async (t) => {
    const rows: readonly (readonly [stream: string, expected: RegExp])[] = [
      ['id: 1\nevent: started\ndata: {"query"\n\n', /event "started": /],
      ['id: 1\nevent: progress\ndata: {}\n\n', /event "progress": \/exchanges: is missing/],
      [
        'id: 1\nevent: servers\ndata: {"status":"ready","servers":[{}]}\n\n',
        /event "servers": \/servers\/0\/address/,
      ],
    ];
    for (const [stream, expected] of rows) {
      const proxy = await startProxy(service.url, {
        handle: ({ url = '' }, response) => {
          const isStream = url.endsWith('/events');
          if (isStream) response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(stream);
          return isStream;
        },
      });
      const ran = await inside(['watch', 'www.shop.example', '--server', proxy.url]);
      t.equal(ran.status, 3);
      t.match(ran.stderr, /^svc: \S+ is not a traversal service: is the URL right\? [^\n]+\n$/);
      t.match(ran.stderr, expected);
      await proxy.stop();
    }
  });
});

t.test('the picture in little room', async (t) => {
  const picture = new Picture();
  t.same(watchFrame(picture, 1_234, { columns: 40, rows: 12 }, painter('off')), [
    'waiting for its turn, 1.2 s',
  ]);
  const name = parseName('www.example.com');
  picture.note({
    event: 'started',
    query: { name, type: 'A', class: 'IN' },
    options: DEFAULT_OPTIONS,
    startedAt: '2026-01-01T00:00:00.000Z',
  });
  const hear = (zone: string, address: string, kind: 'referral' | 'timeout', question = name) =>
    picture.note({
      event: 'exchange',
      id: 'x1',
      server: { address, names: [] },
      question: { name: question, type: 'A' },
      transport: 'udp',
      attempts: 1,
      elapsedMs: 1,
      zone: parseName(zone),
      class: kind,
    });
  for (let host = 1; host <= 40; host += 1) hear('.', `192.0.2.${host}`, host < 38 ? 'referral' : 'timeout');
  for (let zone = 1; zone <= 30; zone += 1)
    hear(`z${zone}.test`, '198.51.100.1', 'referral', parseName('ns.test'));
  const lines = watchFrame(picture, 1_234, { columns: 40, rows: 12 }, painter('off'));
  t.equal(lines.length, 12);
  t.ok(lines.every((line) => line.length <= 40));
  t.equal(lines[0], 'www.example.com. A  70 replies, 0 awa...');
  t.match(lines[1], /^ {2}\. +✓ 37 {2}✗ 3 {2}/, 'many servers are counted');
  t.equal(lines[2]?.trim(), '✗ 192.0.2.38  timeout', 'those that fail are named');
  t.match(lines.at(-1), /\.\.\. and \d+ lines more/);
  picture.note({
    event: 'progress',
    exchanges: 70,
    pending: 3,
    elapsedMs: 1_234,
    summary: [{ probability: 1, fraction: '1', kind: 'answer', answer: ['"\u001b[2J"'] }],
  });
  const [head = '', ...rest] = watchFrame(picture, 1_234, { columns: 99, rows: 99 }, painter('off'));
  t.equal(head, 'www.example.com. A  70 replies, 3 awaited, 1.2 s');
  t.equal(rest.at(-1), 'so far    100 % "\\u{1b}[2J"', 'what servers say is harmless');
  const event: JobEvent = {
    event: 'complete',
    status: 'complete',
    summary: picture.summary,
    limits: [],
    findings: { critical: 0, error: 0, warning: 0, notice: 0, info: 0 },
    exitStatus: 0,
    durationMs: 1,
  };
  t.equal(eventLine(event), 'complete   in 1.0 ms: 100 % "\\u{1b}[2J"');
  picture.connection = 'lost';
  t.match(
    watchFrame(picture, 1, { columns: 99, rows: 99 }, painter('off'))[0],
    /connection lost, trying again$/,
  );
});

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

function stripped(text: string): string {
  return text.replace(COLOURS, '');
}

async function startJob(service: string, name: string): Promise<string> {
  const reply = await fetch(`${service}/api/traverse`, { method: 'POST', body: JSON.stringify({ name }) });
  const { id }: { readonly id: string } = JSON.parse(await reply.text());
  return id;
}

/** The events of a job, as the service sends them. */
async function eventsOf(service: string, id: string): Promise<readonly unknown[]> {
  const reply = await fetch(`${service}/api/traverse/${id}/events`);
  const frames = (await reply.text()).split('\n\n').filter((frame) => frame.includes('data: '));
  return frames.map((frame) => {
    const [, event, data = ''] = /^event: (.*)\ndata: (.*)$/m.exec(frame) ?? [];
    return { event, ...JSON.parse(data) };
  });
}
