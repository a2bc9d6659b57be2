import t from 'tap';
import type { JobEvent } from '../../src/document/events.ts';
import { startDemoService, startPatientService, startProxy } from './demo-service.ts';
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
      /^exchange {3}example\. {2}a\.nic\.example\. 192\.0\.2\.11 {2}www\.stale\.example\. A {2}referral {2}[\d.]+ ms$/m,
    );
    t.match(
      lines.at(-2),
      /^complete {3}in [\d.]+ m?s: 50 % of users get [\d.]+ from \S+ and 50 % [\d.]+ from \S+ an older version$/,
    );
    t.match(lines.at(-1), /^servers {4}14 addresses: 4 BIND 9\.18\.49, 4 NSD 4\.8\.0, /);
    const moved = await inside(['watch', 'www.moved.example', '--demo', '--check']);
    t.match(
      moved.stdout,
      /^complete {3}in [\d.]+ m?s: users get 198\.51\.100\.103 once .* else 203\.0\.113\.103: /m,
    );
    const full = await inside(['watch', 'www.shop.example', '--demo', '--quick', '-v']);
    t.match(full.stdout, /^exchange {3}.* answer .* ms {2}over UDP {2}1 query {2}\d+ octets {2}qr aa$/m);
    const json = await inside(['watch', 'www.shop.example', '--demo', '--quick', '--json']);
    t.equal(json.status, 0);
    const events: readonly JobEvent[] = json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    t.equal(events[0]?.event, 'started');
    t.match(events.at(-2), { event: 'complete', status: 'complete', users: [{ share: { fraction: '1' } }] });
    t.match(events.at(-1), { event: 'servers', status: 'ready', servers: { length: 14 } });
  });

  t.test('a live view where there is a terminal', async (t) => {
    const { status, stdout, stderr } = await inside(['watch', 'www.forgotten.example', '--quick', '--demo'], {
      terminals: ['stdout'],
    });
    t.same([status, stderr], [1, '']);
    const last = stdout.split(`${ESC}[J`).at(-1) ?? '';
    t.match(stripped(last), /^www\.forgotten\.example\. A {2}14 replies, \d+ servers identified, /);
    t.match(stripped(last), /^ {2}forgotten\.example\. {2}✓✓✗✗ {4}2 × answer, 2 × error$/m);
    t.ok(last.includes(`${ESC}[32m✓✓`), 'working servers are green');
    t.ok(last.includes(`${ESC}[31m✗✗`), 'others red');
    t.match(
      stripped(last),
      /^verdict {3}all users get the answer, but ns2\.harbour\.example refuses queries /m,
    );
    t.match(stripped(last), /^software {2}\d /m);
    t.ok(last.endsWith('\n'), 'what it came to stays on the screen');
    const moved = await inside(['watch', 'www.moved.example', '--demo', '--check'], {
      terminals: ['stdout'],
    });
    t.match(stripped(moved.stdout), /^verdict {3}users get 198\.51\.100\.103 once resolvers know /m);
    const plain = await inside(['watch', 'www.shop.example', '--demo', '--quick'], {
      terminals: ['stdout'],
      env: { NO_COLOR: '1' },
    });
    t.equal(stripped(plain.stdout), plain.stdout, 'without colour');
    const dumb = await inside(['watch', 'www.shop.example', '--demo', '--quick'], {
      terminals: ['stdout'],
      env: { TERM: 'dumb' },
    });
    t.match(dumb.stdout, /^started {4}/, 'lines on a terminal that cannot');
    t.notOk(dumb.stdout.includes(ESC));
  });

  t.test('exit status', async (t) => {
    const rows: readonly (readonly [command: string, status: number, words: RegExp])[] = [
      ['www.shop.example --demo --quick', 0, /^$/],
      ['nowhere.shop.example --demo --quick', 0, /^$/],
      ['www.left.example --demo --quick', 1, /^$/],
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
      ['www.shop.example --demo --max-depth 1', 3, /^svc: a limit was reached/],
      ['--demo --quick -x 192.0.2.1', 0, /^$/],
      ['--demo', 0, /^$/],
      [
        '0f8fad5b-d9cb-469f-a165-70867728950e',
        2,
        /is the identifier of a job: name its server with --server URL/,
      ],
      ['', 2, /NAME is missing: write svc watch www/],
      ['www.shop.example --demo --format json', 2, /must be one of text, jsonl/],
      [
        'www.shop.example --demo --json --format text',
        2,
        /--json means --format jsonl: leave out --format text/,
      ],
      ['www.shop.example -x 192.0.2.1 --demo', 2, /-x ADDRESS takes the place of NAME and TYPE/],
    ];
    for (const [command, status, words] of rows) {
      const ran = await inside(['watch', ...command.split(' ').filter(Boolean)]);
      t.equal(ran.status, status, `${command}: ${status}`);
      t.match(ran.stderr, words);
    }
  });

  t.test('interrupted, and left by its reader', async (t) => {
    const child = start('watch www.dead.example --demo --quick --timeout 60s --format jsonl'.split(' '));
    eachEvent(child, ({ event }) => {
      // A second signal would end it at once.
      if (event === 'progress' && !child.killed) child.kill('SIGINT');
    });
    const interrupted = await ended(child);
    t.same([interrupted.status, interrupted.stderr], [130, '']);
    t.match(JSON.parse(lastLine(interrupted.stdout)), { event: 'complete', status: 'cancelled' });
    const unread = start(['watch', 'www.stale.example', '--demo', '--quick']);
    unread.stdout.destroy();
    const left = await ended(unread);
    t.same([left.status, left.stderr], [1, ''], 'the status is that of the result');
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
    const ran = await inside(
      `watch www.mixed.example --quick --format jsonl --server ${proxy.url}`.split(' '),
    );
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
      ...['watch', 'www.mixed.example', '-4', '--max-queries', '9', '--format', 'jsonl'],
      ...['--server', service.url],
    ]);
    const events: readonly JobEvent[] = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const complete = events.find(({ event }) => event === 'complete');
    t.match(complete, { limits: ['query-limit'], verdict: { status: 'unknown', exitStatus: 3 } });
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
    t.match(stripped(live.stdout), /^verdict {3}50 % of users/m);
    for (const [words, expected] of [
      [[id, 'MX'], /leave out TYPE and options of the traversal/],
      [[id, '--tcp'], /leave out TYPE and options of the traversal/],
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
    t.match(unknown.stderr, /^svc: \S+ has no such job [^\n]+\n$/);
  });

  t.test('interrupted, an own job is cancelled', async (t) => {
    const patient = await startPatientService(t);
    const child = start(`watch www.dead.example --quick --format jsonl --server ${patient.url}`.split(' '));
    eachEvent(child, ({ event, id }) => {
      if (event === 'exchange' && id === 'x1') child.kill('SIGINT');
    });
    const { status } = await ended(child);
    // Where a busy service takes longer than the time that is left, the program ends without its reply.
    t.ok(status === 130 || child.signalCode === 'SIGINT');
    const metrics = async () => await (await fetch(`${patient.url}/metrics`)).text();
    while (!/_jobs_ended_total\{status="cancelled"\} 1$/m.test(await metrics()))
      await new Promise((resolve) => setTimeout(resolve, 20));
  });

  t.test('interrupted, a job of somebody else goes on', async (t) => {
    const id = await startJob(service.url, 'www.shop.example');
    const events = await (await fetch(`${service.url}/api/traverse/${id}/events`)).text();
    const firstTwo = events
      .split(/(?<=\n\n)/)
      .filter((frame) => frame.includes('data: '))
      .slice(0, 2);
    const seen: string[] = [];
    const proxy = await startProxy(service.url, {
      handle: ({ method, url = '' }, response) => {
        seen.push(`${method} ${url.replace(id, 'ID')}`);
        // A job that has begun and does not end.
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(firstTwo.join(''));
        return true;
      },
    });
    t.teardown(proxy.stop);
    const child = start(['watch', id, '--format', 'jsonl', '--server', proxy.url]);
    eachEvent(child, ({ event }) => {
      if (event === 'exchange') child.kill('SIGINT');
    });
    const { status, stderr } = await ended(child);
    t.same([status, stderr], [130, '']);
    t.same(seen, ['GET /api/traverse/ID/events'], 'nobody cancels it');
  });

  t.test('a job that was cancelled', async (t) => {
    const patient = await startPatientService(t);
    const id = await startJob(patient.url, 'www.dead.example');
    await fetch(`${patient.url}/api/traverse/${id}`, { method: 'DELETE' });
    const ran = await inside(['watch', id, '--server', patient.url]);
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
    const ran = await inside(['watch', 'www.shop.example', '--quick', '--server', proxy.url]);
    t.equal(ran.status, 3);
    t.match(ran.stderr, /connection lost, trying again\nsvc: \S+ has no such job [^\n]+\n$/);
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
      const ran = await inside(['watch', 'www.shop.example', '--quick', '--server', proxy.url]);
      t.equal(ran.status, 3);
      t.match(ran.stderr, /^svc: \S+ is not a traversal service: check the URL [^\n]+\n$/);
      t.match(ran.stderr, expected);
      await proxy.stop();
    }
  });
});

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

function stripped(text: string): string {
  return text.replace(COLOURS, '');
}

async function startJob(service: string, name: string): Promise<string> {
  const reply = await fetch(`${service}/api/traverse`, {
    method: 'POST',
    body: JSON.stringify({ name, options: { views: ['resolver'] } }),
  });
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
