import t from 'tap';
import { inside } from './inside.ts';

const DEAD = ['traverse', 'www.dead.example', '-4', '--quick', '--demo', '--timeout', '60s'];
const LIVE = 'www.dead.example. A  6 replies, 1 awaited, ';
/** Up two lines, and everything from there away. */
const ERASURE = '\r\u001b[2A\u001b[J';

t.test('a terminal shows how far things are, and is left clean', async (t) => {
  const live: string[] = [];
  const { status, stdout, stderr } = await inside(DEAD, {
    terminals: ['stdout', 'stderr'],
    onStderr: (written, interrupt) => {
      live.push(written);
      if (/6 replies, 1 awaited[^\r]*\nso far 50 % [^\r]*$/.test(stripped(written))) interrupt();
    },
  });
  t.equal(status, 130);
  t.ok(live.some((written) => stripped(written).includes(LIVE)));
  t.match(stderr, /\nso far 50 % 198\.51\.100\.107 and 50 % pending/);
  t.match(stripped(stderr), '\nwaiting for ns.dead.example. 198.51.100.66, try 1\n');
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
  for (const command of ['', 'traverse', 'servers', 'watch', 'serve', 'completion']) {
    for (const columns of [40, 60, 80, 200]) {
      const { stdout } = await inside(['help', ...command.split(' ')].filter(Boolean), {
        terminals: ['stdout'],
        columns,
      });
      // The identifier of a job is one word.
      const long = stdout.split('\n').filter((line) => line.length > columns && !/ [\da-f-]{36}/.test(line));
      t.same(long, [], `${command} in ${columns} columns`);
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
