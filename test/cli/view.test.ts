import t from 'tap';
import { SUBCOMMANDS } from '../../src/cli/program.ts';
import { eventLine } from '../../src/cli/view/event-output.ts';
import { cutLine, foldLine } from '../../src/cli/view/live.ts';
import { summaryFrame } from '../../src/cli/view/summary-frame.ts';
import { lastFrame, zonesFrame } from '../../src/cli/view/zones-frame.ts';
import { parseName } from '../../src/dns/name.ts';
import type { JobEvent } from '../../src/document/events.ts';
import { DEFAULT_OPTIONS } from '../../src/document/options.ts';
import type { ListedServer, SelfDescription } from '../../src/document/servers.ts';
import { serverRows } from '../../src/report/text/server-rows.ts';
import { painter } from '../../src/report/text/table.ts';
import { Progress } from '../../src/report/views/progress.ts';
import { inside } from './inside.ts';

const PLAIN = painter('off');
const NAME = parseName('www.example.com');
const WIDE = { columns: 99, rows: 99 };
const TERSE = { paint: PLAIN, detail: 'terse' } as const;

const STARTED: JobEvent = {
  event: 'started',
  query: { name: NAME, type: 'A', class: 'IN' },
  options: DEFAULT_OPTIONS,
  startedAt: '2026-01-01T00:00:00.000Z',
};

const PROGRESS = {
  event: 'progress',
  exchanges: 1,
  pending: 3,
  elapsedMs: 1_234,
} as const satisfies JobEvent;

const COMPLETE = {
  event: 'complete',
  status: 'complete',
  verdict: { status: 'ok', text: 'all users get "\u001b[2J"', severity: 'info', exitStatus: 0 },
  limits: [],
  findings: { critical: 0, error: 0, warning: 0, notice: 0, info: 0 },
  durationMs: 1,
} as const satisfies JobEvent;

function heard(zone: string, address: string, kind: 'referral' | 'timeout', name = NAME): JobEvent {
  return {
    event: 'exchange',
    id: 'x1',
    server: { address, names: [] },
    question: { name, type: 'A' },
    transport: 'udp',
    attempts: 1,
    elapsedMs: 1,
    zone: parseName(zone),
    class: kind,
  };
}

function server(address: string, versionBind: SelfDescription): ListedServer {
  return { address, names: [], zones: [], versionBind };
}

function progressOf(...events: readonly Parameters<Progress['note']>[0][]): Progress {
  const progress = new Progress();
  for (const event of events) progress.note(event);
  return progress;
}

t.test('a traversal in a few lines', async (t) => {
  const frame = (progress: Progress, columns = 80) =>
    summaryFrame(progress, 1_234, { columns, rows: 24 }, PLAIN);
  t.same(frame(progressOf()), ['waiting for its turn, 1.2 s']);
  t.same(frame(progressOf(STARTED)), ['www.example.com. A  0 replies, 0 awaited, 1.2 s']);
  const running = progressOf(STARTED, PROGRESS);
  t.same(frame(running), ['www.example.com. A  1 reply, 3 awaited, 1.2 s']);
  t.same(frame(running, 20), ['www.example.com. ...']);
  running.note({ event: 'connection', state: 'lost' });
  t.match(frame(running)[0], /1\.2 s {2}connection lost, trying again$/);
  running.note({ event: 'connection', state: 'back' });
  t.match(frame(running)[0], /1\.2 s$/);
  running.note(COMPLETE);
  t.match(frame(running)[0], /A {2}1 reply, asking the servers who they are, 1\.2 s$/);
  const identified = server('192.0.2.1', { status: 'answer', text: 'NSD 4.8.0' });
  running.note({ event: 'identified', server: identified });
  t.match(frame(running)[0], /A {2}1 reply, 1 server identified so far, 1\.2 s$/);
  running.note({ event: 'servers', status: 'ready', servers: [identified] });
  t.match(frame(running)[0], /A {2}1 reply, 1 server identified, 1\.2 s$/);
});

t.test('the server that a traversal waits for, and the try', async (t) => {
  const question = { name: NAME, type: 'A' };
  const ask = (address: string, number: number) => ({ event: 'try', address, question, number }) as const;
  const waiting = (progress: Progress) =>
    summaryFrame(progress, 1, WIDE, PLAIN).find((line) => line.startsWith('waiting for '));
  const progress = progressOf(STARTED, ask('192.0.2.1', 1));
  t.equal(waiting(progress), 'waiting for 192.0.2.1, try 1');
  for (const address of ['192.0.2.2', '192.0.2.3']) progress.note(ask(address, 1));
  progress.note(ask('192.0.2.2', 2));
  t.equal(waiting(progress), 'waiting for 192.0.2.2, try 2, and 2 others');
  const server = { address: '192.0.2.2', names: [parseName('ns.test')] };
  progress.note({ ...PROGRESS, awaited: [{ server, question }] });
  t.equal(
    waiting(progress),
    'waiting for ns.test. 192.0.2.2, try 2, and 2 others',
    'its name, once it is known',
  );
  progress.note(heard('.', '192.0.2.2', 'timeout'));
  t.equal(waiting(progress), 'waiting for 192.0.2.1, try 1, and 1 other');
  progress.note(COMPLETE);
  t.equal(waiting(progress), undefined);
  const remote = progressOf(STARTED, {
    ...PROGRESS,
    awaited: [{ server, question: { name: parseName('ns.example'), type: 'AAAA' } }],
  });
  t.equal(waiting(remote), 'waiting for ns.test. 192.0.2.2, ns.example. AAAA', 'a service tells no tries');
});

t.test('zones in little room', async (t) => {
  const progress = progressOf(STARTED);
  for (let host = 1; host <= 40; host += 1)
    progress.note(heard('.', `192.0.2.${host}`, host < 38 ? 'referral' : 'timeout'));
  for (let zone = 1; zone <= 30; zone += 1)
    progress.note(heard(`z${zone}.test`, '198.51.100.1', 'referral', parseName('ns.test')));
  const lines = zonesFrame(progress, 1_234, { columns: 40, rows: 12 }, TERSE);
  t.equal(lines.length, 12);
  t.ok(lines.every((line) => line.length <= 40));
  t.equal(lines[0], 'www.example.com. A  70 replies, 0 awa...');
  t.match(lines[1], /^ {2}\. +✓ 37 {2}✗ 3 {2}/, 'many servers are counted');
  t.equal(lines[2]?.trim(), '✗ 192.0.2.38  timeout', 'those that fail are named');
  t.match(lines.at(-1), /\.\.\. and \d+ more lines/);
  const full = zonesFrame(progress, 1_234, { columns: 99, rows: 999 }, { ...TERSE, detail: 'full' });
  t.ok(
    full.some((line) => line.trim() === '✓ 192.0.2.1  referral'),
    'in full detail all are named',
  );
});

t.test('the last picture is whole: long lines are folded', async (t) => {
  const progress = progressOf(STARTED, heard('.', '192.0.2.1', 'timeout'), {
    ...COMPLETE,
    verdict: { ...COMPLETE.verdict, text: 'all users get 192.0.2.1 + 192.0.2.2' },
  });
  const text = lastFrame(progress, 1_234, 30, TERSE).join('\n');
  t.ok(text.split('\n').every((line) => line.length <= 30));
  t.match(text.replace(/\s+/g, ' '), 'www.example.com. A 1 reply');
  t.match(text.replace(/\s+/g, ' '), 'verdict all users get 192.0.2.1 + 192.0.2.2');
});

t.test('a line that is too long', async (t) => {
  const line = [{ text: 'one two' }, { text: '  three four', style: 'bad' }] as const;
  t.equal(cutLine(line, 19, PLAIN), 'one two  three four');
  t.equal(cutLine(line, 12, PLAIN), 'one two  ...');
  t.equal(cutLine(line, 9, PLAIN), 'one tw...');
  t.equal(cutLine(line, 2, PLAIN), 'on');
  t.equal(foldLine(line, 19, PLAIN), 'one two  three four');
  t.equal(foldLine(line, 15, PLAIN), 'one two  three\n        four');
  const painted = foldLine(line, 15, painter('on'));
  t.equal(painted, 'one two\u001b[31m  three\u001b[39m\n        \u001b[31mfour\u001b[39m');
});

t.test('what servers say of themselves, where it is no text', async (t) => {
  const rows = serverRows(
    [
      server('192.0.2.1', { status: 'error', rcode: 'NOTIMP' }),
      server('192.0.2.2', { status: 'error', failure: 'unreachable' }),
      server('192.0.2.3', { status: 'error' }),
      server('192.0.2.4', { status: 'refused', rcode: 'REFUSED' }),
      server('192.0.2.5', { status: 'empty' }),
      server('192.0.2.6', { status: 'timeout' }),
    ],
    'terse',
    100,
  );
  const texts = rows.slice(1).map((cells) => cells.at(-1)?.text);
  t.same(texts, ['NOTIMP', 'unreachable', 'error', 'refused', 'nothing', 'no reply']);
});

t.test('an event as a line', async (t) => {
  t.equal(
    eventLine(COMPLETE, 'terse'),
    'complete   in 1.0 ms: all users get "\\u{1b}[2J"',
    'what servers say is harmless',
  );
  const exchange = heard('.', '192.0.2.1', 'timeout');
  t.equal(eventLine(exchange, 'terse'), 'exchange   .  192.0.2.1  www.example.com. A  timeout  1.0 ms');
  t.equal(
    eventLine(exchange, 'full'),
    'exchange   .  192.0.2.1  www.example.com. A  timeout  1.0 ms  over UDP  1 query',
  );
});

const DEAD = ['traverse', 'www.dead.example', '-4', '--quick', '--demo', '--timeout', '60s'];
const LIVE = 'www.dead.example. A  6 replies, 1 awaited, ';
const AWAITED = '\nwaiting for ns.dead.example. 198.51.100.66, try 1';
/** Up a line, and everything from there away. */
const ERASURE = '\r\u001b[1A\u001b[J';

t.test('a terminal shows how far things are, and is left clean', async (t) => {
  const live: string[] = [];
  const { status, stdout, stderr } = await inside(DEAD, {
    terminals: ['stdout', 'stderr'],
    onStderr: (written, interrupt) => {
      live.push(written);
      // Names come with the first progress event.
      if (stripped(written).includes(AWAITED)) interrupt();
    },
  });
  t.equal(status, 130);
  t.ok(live.some((written) => stripped(written).includes(LIVE)));
  const [display = '', message] = stderr.split('svc: ');
  t.ok(display.endsWith(ERASURE), 'the display is taken away before anything else is written');
  t.equal(message, 'interrupted: 50 % of paths are unknown\n');
  t.ok(stdout.startsWith('\u001b[1mwww.dead.example. A\u001b[22m'), 'the result is in colour');
  t.notMatch(stdout, 'awaited', 'and without the display');
});

t.test('a terminal that does not know how wide it is', async (t) => {
  const live: string[] = [];
  await inside(DEAD, {
    terminals: ['stderr'],
    columns: 0,
    onStderr: (written, interrupt) => {
      live.push(written);
      if (stripped(written).includes(LIVE)) interrupt();
    },
  });
  t.ok(live.some((written) => stripped(written).includes(LIVE)));
  const narrow = await inside(['help'], { terminals: ['stdout'], columns: 0 });
  t.equal(narrow.stdout, (await inside(['help'])).stdout);
});

t.test('where nothing is shown live', async (t) => {
  const both = ['stdout', 'stderr'] as const;
  const rows: readonly (readonly [
    why: string,
    flags: readonly string[],
    around: Parameters<typeof inside>[1],
  ])[] = [
    ['stderr is no terminal', [], { terminals: ['stdout'] }],
    ['a terminal that cannot', [], { terminals: both, env: { TERM: 'dumb' } }],
    ['events on the same terminal', ['--format', 'jsonl'], { terminals: both }],
  ];
  for (const [why, flags, around] of rows) {
    const { stderr, stdout } = await inside(
      ['traverse', 'www.dead.example', '-4', '--demo', ...flags],
      around,
    );
    t.equal(stderr, '', why);
    t.ok(stdout.length > 0);
  }
});

t.test('help fits the terminal', async (t) => {
  for (const command of ['', ...SUBCOMMANDS.map(({ name }) => name)]) {
    for (const columns of [40, 60, 80, 200]) {
      const { stdout } = await inside(['help', ...command.split(' ')].filter(Boolean), {
        terminals: ['stdout'],
        columns,
      });
      // The identifier of a job is one word.
      const long = stdout.split('\n').filter((line) => line.length > columns && !/ [\da-f-]{36}/.test(line));
      t.same(long, [], `${command} in ${columns} columns`);
      if (columns >= 80 && command !== '')
        t.ok(stdout.trimEnd().split('\n').length <= 40, `${command} has at most 40 lines`);
    }
  }
  t.same(await inside(['help', 'help']), await inside(['help']));
});

t.test('NO_COLOR on a terminal', async (t) => {
  const rows: readonly (readonly [
    env: Readonly<Record<string, string>>,
    flags: string[],
    coloured: boolean,
  ])[] = [
    [{}, [], true],
    [{ NO_COLOR: '1' }, [], false],
    [{ NO_COLOR: '' }, [], true],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, [], true],
    [{ TERM: 'dumb' }, [], false],
    [{}, ['--no-color'], false],
  ];
  for (const [env, flags, coloured] of rows) {
    const command = ['traverse', 'www.shop.example', '-4', '--demo', ...flags];
    const { stdout } = await inside(command, { env, terminals: ['stdout'] });
    t.equal(stdout.includes('\u001b['), coloured, JSON.stringify([env, flags]));
  }
});

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[\\d*m`, 'g');

function stripped(text: string): string {
  return text.replace(COLOURS, '');
}

t.test('marks are in the letters of the locale', async (t) => {
  const rows = [
    [{}, true],
    [{ LANG: 'de_DE.UTF-8' }, true],
    [{ LANG: 'de_DE.UTF-8', LC_ALL: 'C' }, false],
    [{ LC_CTYPE: 'POSIX' }, false],
  ] as const;
  for (const [env, hasOthers] of rows) {
    const { stdout } = await inside(['traverse', '--demo', 'www.lame.example', '--verbose'], { env });
    t.equal(/\P{ASCII}/u.test(stdout), hasOthers, JSON.stringify(env));
  }
});
