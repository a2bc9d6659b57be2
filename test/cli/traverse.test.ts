import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { summaryOf } from '../../src/document/ends.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { startLab } from '../../src/lab/lab.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { inside } from './inside.ts';
import { type EventLine, eachEvent, ended, forEach, type Ran, start, startInto } from './svc.ts';

const demo = (...words: readonly string[]) => inside(['traverse', '--demo', ...words]);

function resultOf({ stdout }: Ran): TraversalResult {
  return JSON.parse(stdout);
}

function fractions({ views }: TraversalResult): readonly string[] {
  return summaryOf(views['first-tries']).map(
    ({ fraction, kind, answer }) => `${fraction} ${answer?.join() ?? kind}`,
  );
}

t.test('exit status', async (t) => {
  const rows: readonly (readonly [command: string, status: number, why: string, hint?: RegExp])[] = [
    ['www.shop.example', 0, 'the same answer on every path'],
    ['nowhere.shop.example', 0, 'the same NXDOMAIN on every path'],
    ['www.shop.example SRV', 0, 'the same NODATA on every path'],
    ['www.stale.example', 1, 'answers that differ'],
    ['spring.sale.example', 1, 'an answer here, NXDOMAIN there'],
    ['www.forgotten.example', 1, 'a path that fails'],
    ['www.circle.example', 1, 'only paths that fail'],
    ['www.shop.example --max-depth 1', 3, 'the depth limit', /--max-depth allows more\n$/],
    ['www.shop.example --max-queries 4', 3, 'a query limit', /--max-queries allows more\n$/],
    ['www.moved.example -4 --max-queries 9', 3, 'a query limit in a lookup', /--max-queries allows more\n$/],
    ['www.dead.example --timeout 60s --max-time 3s', 3, 'a time limit', /--max-time allows more\n$/],
  ];
  await forEach(rows, async ([command, expected, why, hint = /^$/]) => {
    const { status, stdout, stderr } = await demo('--quick', ...command.split(' '));
    t.equal(status, expected, `${expected}: ${why}`);
    t.match(stdout, /^Users get/m, `${command}: the result is printed`);
    t.match(stderr, hint, 'what would have told more is said');
    t.ok(stderr.split('\n').length <= 2, 'in one line at most');
  });
});

t.test('wrong usage is told in one line', async (t) => {
  const rows: readonly (readonly [command: readonly string[], expected: string])[] = [
    [[], 'no command given: write svc traverse NAME, or svc help'],
    [['bogus'], 'svc has no command bogus: see svc help'],
    [['traverse'], 'NAME is missing: write svc traverse www.example.com (--demo lists names to try)'],
    [['traverse', 'a', '--timeout', '2'], '--timeout 2: must be a duration such as 2s, 10ms to 1m'],
  ];
  await forEach(rows, async ([command, expected]) => {
    t.same(await inside(command), { status: 2, stdout: '', stderr: `svc: ${expected}\n` });
  });
});

t.test('the demo lists what it has to show', async (t) => {
  const { status, stdout, stderr } = await demo();
  t.same([status, stderr], [0, '']);
  t.same(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
    showcases.map(({ name, type, option, line }) => [[name, type, option].join(' ').trim(), line]),
  );
});

t.test('help and version', async (t) => {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const [help, ofTraverse, byOption, ...versions] = await Promise.all([
    inside(['help']),
    inside(['help', 'traverse']),
    inside(['traverse', '--help']),
    inside(['--version']),
    inside(['-V']),
  ]);
  t.match(help.stdout, /^ {2}traverse {2,}follow every path/m);
  t.equal(ofTraverse.stdout, byOption.stdout);
  t.match(ofTraverse.stdout, /\n\nsvc help options has the options that all commands share\.\n$/);
  for (const ran of [help, ofTraverse, byOption]) t.same([ran.status, ran.stderr], [0, '']);
  for (const ran of versions) t.same(ran, { status: 0, stdout: `${version}\n`, stderr: '' });
});

t.test('root hints, a port and special targets', async (t) => {
  const server = {
    name: 'a.root.',
    addresses: ['127.0.0.1'],
    zones: [zoneText('.', '@ NS a.root.\na.root. A 127.0.0.1\nwww.test. A 192.0.2.80')],
  };
  const lab = await startLab({ servers: [server] });
  const dir = t.testdir({ 'named.root': lab.hints });
  const hints = ['--quick', '--root-hints', join(dir, 'named.root'), '--port', `${lab.port}`];
  const allowed = await inside([
    'traverse',
    'www.test',
    '--json',
    '--full',
    ...hints,
    '--allow-special-targets',
  ]);
  t.same(fractions(resultOf(allowed)), ['1 192.0.2.80']);
  t.same([allowed.status, allowed.stderr], [0, '']);
  const blocked = await inside(['traverse', 'www.test', ...hints]);
  t.equal(blocked.status, 3, 'without leave they are not asked');
  t.match(blocked.stderr, /--allow-special-targets asks them/);
  t.equal(lab.asked(), 1);
  await lab.close();
  const gone = await inside(['traverse', 'www.test', ...hints, '--allow-special-targets', '--retries', '0']);
  t.equal(gone.status, 3, 'nobody there');
  t.match(gone.stdout, /no root server replied: [\s\S]*\nRun this again from a network/);
});

t.test('json, and a saved result that gives the same again', async (t) => {
  const file = join(t.testdir(), 'saved.json');
  const ran = await demo('www.mixed.example', '--json', '--full', '--save', file);
  t.same([ran.status, ran.stderr], [1, '']);
  const result = resultOf(ran);
  t.same(fractions(result), ['3/4 198.51.100.110', '1/8 192.0.2.110', '1/8 timeout']);
  t.same(JSON.parse(readFileSync(file, 'utf8')), result, 'what is saved is what is printed');
  const [again, short, text, events] = await Promise.all([
    inside(['traverse', '--replay', file, '--format', 'json', '--full']),
    inside(['traverse', '--replay', file, '--json', '--full']),
    inside(['traverse', '--replay', file]),
    inside(['traverse', '--replay', file, '--format', 'jsonl']),
  ]);
  t.same([again.status, again.stdout], [1, ran.stdout], 'to the last digit');
  t.equal(short.stdout, again.stdout, '--json is --format json');
  t.match(text.stdout, /^ {2}192\.0\.2\.110 +100 % /m);
  const lines = events.stdout.trimEnd().split('\n');
  t.equal(lines.length, result.exchanges.length + 2);
  const cut = { ...result, options: { ...result.options, maxWork: 1 } };
  writeFileSync(file, JSON.stringify(cut));
  const piped = await inside(['traverse', '--replay', '-', '--json', '--full'], { stdin: ran.stdout });
  t.equal(piped.stdout, ran.stdout, '"-" is stdin');
  const unfinished = await inside(['traverse', '--replay', file]);
  t.equal(unfinished.status, 3, 'with too little work allowed it is not known');
  t.match(unfinished.stderr, /too many different steps/);
});

t.test('jsonl: started, exchanges in order, complete', async (t) => {
  const { status, stdout, stderr } = await demo('www.dead.example', '--quick', '--format', 'jsonl');
  t.same([status, stderr], [1, '']);
  const events: readonly EventLine[] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.match(events[0], { event: 'started', query: { name: 'www.dead.example.', type: 'A' } });
  t.match(events.at(-1), {
    event: 'complete',
    status: 'complete',
    verdict: { exitStatus: 1 },
    users: [{ kind: 'answer' }],
  });
  const middle = events.slice(1, -1);
  const exchanges = middle.filter(({ event }) => event === 'exchange');
  t.same(
    exchanges.map(({ id }) => id),
    exchanges.map((_, at) => `x${at + 1}`),
  );
  t.equal(exchanges.length, 14);
  t.ok(middle.every(({ event }) => event === 'exchange' || event === 'progress'));
});

t.test(
  'a result saved when no target of an alias was asked for anew lacks these questions, and says so',
  async (t) => {
    const file = join(t.testdir(), 'saved.json');
    const { exchanges, ...result } = resultOf(
      await demo('www.harbour.example', '-4', '--quick', '--json', '--full'),
    );
    const kept = exchanges.filter(({ question: { name } }) => name !== 'harbour.example.');
    t.equal(exchanges.length - kept.length, 2);
    writeFileSync(file, JSON.stringify({ ...result, exchanges: kept }));
    const ran = await inside(['traverse', '--replay', file, '--json', '--full']);
    const replayed = resultOf(ran);
    t.equal(ran.status, 3);
    t.match(ran.stderr, /some questions that this takes were never asked/);
    t.match(replayed, {
      complete: false,
      views: { 'first-tries': { outcomes: [{ kind: 'query-limit', fraction: '1' }] } },
    });
    t.same(
      replayed.unasked.map(({ question: { name } }) => name),
      ['harbour.example.', 'harbour.example.'],
    );
  },
);

t.test('a saved result tells the events that it had, all but those of its progress', async (t) => {
  const file = join(t.testdir(), 'saved.json');
  const live = await demo('www.dead.example', '--quick', '--format', 'jsonl', '--save', file);
  const replayed = await inside(['traverse', '--replay', file, '--format', 'jsonl']);
  const lasting = live.stdout.split('\n').filter((line) => !line.startsWith('{"event":"progress"'));
  t.same(replayed.stdout.split('\n'), lasting);
});

t.test('a place that cannot be written to is told before anything is asked', async (t) => {
  const dir = t.testdir();
  for (const [path, expected] of [
    [join(dir, 'none', 'f.json'), 'no such file or directory'],
    [dir, 'is a directory'],
  ] as const) {
    const ran = await demo('www.dead.example', '--timeout', '60s', '--save', path);
    t.same(ran, { status: 3, stdout: '', stderr: `svc: cannot write ${path}: ${expected}\n` });
  }
});

t.test('graphs and explanations', async (t) => {
  const rows: readonly (readonly [words: string, begins: RegExp, ends: RegExp])[] = [
    ['--format dot', /^digraph traversal \{\n/, /\n\}\n$/],
    [
      '--format mermaid',
      /^---\ntitle: "www\.stale\.example\. A: 50 % of users get [^"]+"\n/,
      /\n {2}classDef notes [^\n]+\n$/,
    ],
    ['--explain', /^www\.stale\.example\. A {2}\S/, /\nDo\n.*\n {2}- The owner of /s],
  ];
  await forEach(rows, async ([words, begins, ends]) => {
    const { status, stdout, stderr } = await demo('www.stale.example', '--quick', ...words.split(' '));
    t.same([status, stderr], [1, ''], words);
    t.match(stdout, begins, words);
    t.match(stdout, ends, words);
  });
  const { status, stderr } = await demo('www.stale.example', '--explain', '--format', 'dot');
  t.same([status, stderr], [2, 'svc: --explain goes with text, not with dot\n']);
});

t.test('interrupted: what was known is printed', async (t) => {
  const command = 'traverse www.dead.example -4 --quick --demo --timeout 60s --format jsonl'.split(' ');
  await forEach(['SIGINT', 'SIGTERM'] as const, async (signal) => {
    const child = start(command);
    let last: EventLine | undefined;
    eachEvent(child, (event) => {
      last = event;
      if (event.event === 'progress' && event.pending === 1 && !child.killed) child.kill(signal);
    });
    const { status, stderr } = await ended(child);
    t.equal(status, 130, signal);
    t.equal(stderr, 'svc: interrupted: 50 % of paths are unknown\n');
    t.match(last, { event: 'complete', status: 'cancelled' });
    t.match(last, { verdict: { status: 'unknown' }, users: [{ kind: 'answer' }] });
  });
});

t.test('a reader that goes away ends it quietly, with the status of the result', async (t) => {
  const rows: readonly (readonly [command: string, status: number])[] = [
    ['www.shop.example --json', 0],
    ['www.stale.example --format jsonl', 1],
    ['www.stale.example', 1],
  ];
  await forEach(rows, async ([command, status]) => {
    const child = start(['traverse', '--demo', '--quick', ...command.split(' ')]);
    child.stdout.destroy();
    const ran = await ended(child);
    t.same([ran.status, ran.stderr], [status, ''], command);
  });
});

t.test('answers only, or the exit status only', async (t) => {
  const rows: readonly (readonly [command: string, stdout: string, status: number])[] = [
    ['www.mixed.example --short', ' up to 81 %  198.51.100.110\n19 to 100 %  192.0.2.110\n', 1],
    ['www.shop.example +short', '198.51.100.80\n', 0],
    ['www.stale.example --short', '50 %  198.51.100.104\n50 %  192.0.2.104\n', 1],
    ['www.shop.example --short --check', '198.51.100.80\n', 0],
    ['nowhere.shop.example --short', '100 %  NXDOMAIN\n', 0],
    ['www.mixed.example --quiet', '', 1],
    ['www.shop.example -q', '', 0],
    ['www.shop.example -q --max-queries 4', '', 3],
  ];
  await forEach(rows, async ([command, stdout, status]) => {
    const ran = await demo(...command.split(' '));
    t.same(ran, { status, stdout, stderr: '' }, command);
  });
});

t.test('a full disk is told', { skip: !existsSync('/dev/full') && 'no /dev/full here' }, async (t) => {
  const names = join(t.testdir({ names: 'www.shop.example\nwww.old.example\n' }), 'names');
  const full = openSync('/dev/full', 'w');
  t.teardown(() => closeSync(full));
  const one = 'traverse www.shop.example --demo --quick';
  await forEach(['help', one, `${one} --json`, `traverse -f ${names} --demo --quick`], async (command) => {
    const { status, stderr } = await ended(startInto(full, command.split(' ')));
    t.same([status, stderr], [3, 'svc: cannot write: no space left on device\n'], command);
  });
  const { status, stderr } = await inside([...one.split(' '), '-q', '--save', '/dev/full']);
  t.same([status, stderr], [3, 'svc: cannot write /dev/full: no space left on device\n']);
});

t.test('colour only where it is wanted', async (t) => {
  const rows: readonly (readonly [
    env: Readonly<Record<string, string>>,
    flags: string[],
    coloured: boolean,
  ])[] = [
    [{}, [], false],
    [{ FORCE_COLOR: '1' }, [], true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, [], true],
    [{ FORCE_COLOR: '0' }, [], false],
    [{ FORCE_COLOR: '1' }, ['--no-color'], false],
    [{ FORCE_COLOR: '1' }, ['--json'], false],
  ];
  await forEach(rows, async ([env, flags, coloured]) => {
    const { stdout, stderr } = await inside(['traverse', 'www.shop.example', '--demo', '--quick', ...flags], {
      env,
    });
    t.equal(stdout.includes('\u001b['), coloured, JSON.stringify([env, flags]));
    t.equal(stderr, '', 'no display where there is no terminal');
  });
});
