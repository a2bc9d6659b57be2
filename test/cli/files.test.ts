import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { readBeginning, readOctets } from '../../src/base/octets.ts';
import { lockFile, thisProcess } from '../../src/cli/process/file-lock.ts';
import { linesOf, writeTextFile } from '../../src/cli/process/files.ts';
import { inside } from './inside.ts';
import { ended, type Ran, start, startOnFullDisk } from './svc.ts';

const MIB = 1_024 * 1_024;

const NO_PIPES = { skip: process.platform === 'win32' && 'no named pipes here' };

/** One line on stderr, nothing on stdout, status 3. */
function refused(t: Test, { status, stdout, stderr }: Ran, words: RegExp): void {
  t.equal(status, 3, stderr.slice(0, 300));
  t.equal(stdout, '');
  t.match(stderr, /^svc: [^\n]{1,400}\n$/);
  t.match(stderr, words);
}

t.test('a file that is not what it should be', async (t) => {
  const dir = t.testdir();
  const file = (name: string) => join(dir, name);
  mkdirSync(file('folder'));
  writeFileSync(file('huge'), '');
  truncateSync(file('huge'), 600 * MIB);
  writeFileSync(file('torn.json'), '{"schema": 2, "query": {"na');
  writeFileSync(file('deep.json'), '{"a":'.repeat(1_000_000));
  writeFileSync(file('nested.json'), `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`);
  writeFileSync(file('many.json'), `[${'[],'.repeat(17_000_000)}0]`);
  writeFileSync(file('wrong.json'), '{"schema": [], "query": 7, "exchanges": {}}');
  writeFileSync(file('long.hints'), `. NS ${'x'.repeat(MIB / 2)}.`);
  writeFileSync(file('long.txt'), `www.shop.example\n${'x'.repeat(2 * MIB)}`);
  writeFileSync(file('names'), 'www.shop.example\n');
  const rows: readonly (readonly [command: string, words: RegExp])[] = [
    [`--replay ${file('huge')}`, /cannot read \S+huge: it is larger than 256 MiB\n$/],
    ['--replay /dev/zero', /cannot read \/dev\/zero: it is larger than 256 MiB\n$/],
    [`--replay ${file('folder')}`, /cannot read \S+folder: is a directory\n$/],
    [`--replay ${file('none')}`, /cannot read \S+none: no such file or directory\n$/],
    [`--replay ${file('torn.json')}`, /torn\.json is not JSON: Unterminated string/],
    [`--replay ${file('deep.json')}`, /deep\.json is nested deeper than 1000 levels\n$/],
    [`--replay ${file('nested.json')}`, /is nested deeper than 1000 levels\n$/],
    [`--replay ${file('many.json')}`, /many\.json holds more than 16777216 values\n$/],
    [`--replay ${file('wrong.json')}`, /is not a saved result: \/schema: must be one of 1, 2, 3\n$/],
    ['--demo -f /dev/zero', /\/dev\/zero line 1 is longer than 1 MiB: is it the right file\?\n$/],
    [`--demo -f ${file('huge')}`, /huge line 1 is longer than 1 MiB/],
    [`--demo -f ${file('long.txt')} -q`, /long\.txt line 2 is longer than 1 MiB/],
    [`--demo -f ${file('folder')}`, /cannot read \S+folder: is a directory\n$/],
    ['a.test -4 --root-hints /dev/zero', /cannot read \/dev\/zero: it is larger than 1 MiB\n$/],
    [`a.test -4 --root-hints ${file('folder')}`, /cannot read \S+folder: is a directory\n$/],
    [`a.test -4 --root-hints ${file('long.hints')}`, /root hints \S+: line 1: a label is longer/],
    [`a.test -4 --root-hints ${file('many.json')}`, /larger than 1 MiB/],
    [`--demo -f ${file('names')} --resume ${file('huge')}`, /huge line 1 is not a result/],
    [`--demo -f ${file('names')} --resume ${file('folder')}`, /folder: is a directory\n$/],
  ];
  for (const [command, words] of rows) refused(t, await inside(['traverse', ...command.split(' ')]), words);

  t.test('named pipes', NO_PIPES, async (t) => {
    const pipe = file('pipe');
    spawnSync('mkfifo', [pipe]);
    const end = openSync(pipe, 'r+');
    const writer = spawn('yes', ['{'], { stdio: ['ignore', end, 'ignore'] });
    closeSync(end);
    t.teardown(() => writer.kill('SIGKILL'));
    refused(t, await inside(['traverse', '--replay', pipe]), /it is larger than 256 MiB\n$/);
    writer.kill('SIGKILL');
    await once(writer, 'close');
  });
});

t.test('an interruption ends the wait for a pipe that nobody writes to any more', NO_PIPES, async (t) => {
  const pipe = join(t.testdir(), 'pipe');
  spawnSync('mkfifo', [pipe]);
  const writer = openSync(pipe, 'r+');
  t.teardown(() => closeSync(writer));
  writeSync(writer, 'www.shop.example\n');
  const child = start(['traverse', '--demo', '--quick', '-f', pipe]);
  child.stdout.once('data', () => child.kill('SIGINT'));
  const { status, stdout, stderr } = await ended(child);
  t.equal(status, 130);
  t.match(stdout, /^\{"line":1,[^\n]+\n$/, 'what was known is there');
  t.match(stderr, /^svc: 1 name: [^\n]+\nsvc: interrupted; [^\n]+\n$/);
});

t.test('a run that is over does not wait for a pipe that nobody writes to any more', NO_PIPES, async (t) => {
  const pipe = join(t.testdir(), 'pipe');
  spawnSync('mkfifo', [pipe]);
  const writer = openSync(pipe, 'r+');
  t.teardown(() => closeSync(writer));
  const names = 'www.shop.example\nwww.mixed.example\nwww.stale.example\n';
  const dead = ['traverse', '-f', pipe, '--server', 'http://127.0.0.1:2'];
  writeSync(writer, names);
  const unreachable = await inside(dead);
  t.equal(unreachable.status, 3);
  t.match(unreachable.stderr, /^svc: cannot reach /);
  const unread = start(['traverse', '--demo', '--quick', '-f', pipe, '--jobs', '1']);
  unread.stdout.once('data', () => {
    unread.stdout.destroy();
    writeSync(writer, names.repeat(2));
  });
  writeSync(writer, names);
  const [status, killer] = await once(unread, 'close');
  t.same([status, killer], [1, null], 'nor once its reader has gone');
});

t.test('a disk that fills up in mid-write', NO_PIPES, async (t) => {
  const dir = t.testdir({ 'saved.json': 'what was there', 'names.txt': NAMES.join('\n') });
  const [saved, results] = [join(dir, 'saved.json'), join(dir, 'results.jsonl')];
  const saving = await ended(
    startOnFullDisk(8, ['traverse', '--demo', '--quick', 'www.mixed.example', '--save', saved]),
  );
  t.equal(saving.status, 3);
  t.equal(saving.stderr, `svc: cannot write ${saved}: file too large\n`);
  t.equal(readFileSync(saved, 'utf8'), 'what was there', 'a file is replaced whole or not at all');
  const command = ['traverse', '--demo', '--quick', '-f', join(dir, 'names.txt'), '--resume', results];
  const resuming = await ended(startOnFullDisk(2, command));
  t.equal(resuming.status, 3);
  t.equal(resuming.stderr, `svc: cannot write ${results}: file too large\n`);
  t.equal(readFileSync(results).length, 1_024, 'a line is torn');
  t.equal((await inside(command)).status, 1);
  const lines = readFileSync(results, 'utf8').split('\n').slice(0, -1);
  t.same(
    lines.map((line) => JSON.parse(line).query.name).sort(),
    NAMES.map((name) => `${name}.`).sort(),
    'the next run mends it',
  );
  t.same(readdirSync(dir).sort(), ['names.txt', 'results.jsonl', 'saved.json'], 'nothing is left behind');
});

const NAMES = ['www.shop.example', 'www.blog.test', 'www.old.example'];

t.test('of two runs that save to one file, one has saved', async (t) => {
  const path = join(t.testdir(), 'saved');
  const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(4 * MIB));
  await Promise.all(texts.map((text) => writeTextFile(path, [text])));
  t.ok(texts.includes(readFileSync(path, 'utf8')), 'it is whole');
  t.same(readdirSync(join(path, '..')), ['saved']);
});

t.test('lines', async (t) => {
  const most = 5;
  const rows: readonly (readonly [pieces: readonly string[], expected: readonly string[]])[] = [
    [[], []],
    [
      ['a\n', 'b'],
      ['whole a', 'torn b'],
    ],
    [
      ['a\nb', 'c\n\n'],
      ['whole a', 'whole bc', 'whole '],
    ],
    [['a', 'b', 'c'], ['torn abc']],
    [
      ['12345\n', '123', '45\n'],
      ['whole 12345', 'whole 12345'],
    ],
    [['a\n123456\nb\n'], ['whole a', 'too-long']],
    [['123', '456'], ['too-long']],
    [['123', '456\n'], ['too-long']],
  ];
  for (const [pieces, expected] of rows) {
    const read: string[] = [];
    for await (const line of linesOf(Readable.from(pieces), most))
      read.push(line.kind === 'too-long' ? line.kind : `${line.kind} ${line.octets}`);
    t.same(read, expected, JSON.stringify(pieces));
  }
});

t.test('no more is read than wanted', async (t) => {
  const endless = () => {
    let taken = 0;
    const source = (async function* () {
      for (;;) {
        taken += 1;
        yield 'abc';
      }
    })();
    return { source, taken: () => taken };
  };
  const [whole, beginning] = [endless(), endless()];
  t.equal(await readOctets(whole.source, 6), undefined);
  t.equal(whole.taken(), 3);
  t.equal(String(await readBeginning(beginning.source, 7)), 'abcabca');
  t.equal(beginning.taken(), 3);
  t.equal(String(await readOctets(Readable.from(['abc', 'def']), 6)), 'abcdef');
});

t.test('files that cannot be read, understood or written', async (t) => {
  const dir = t.testdir({
    'hints.txt': '; mine\n. 3600 IN NS a.root.\na.root. A 1.2.3\n',
    'other.txt': 'example. NS a.root.\n',
    'empty.txt': '',
    'text.json': 'no JSON',
    'other.json': '{"schema": 4}',
  });
  const at = (file: string) => join(dir, file);
  const rows: readonly (readonly [command: readonly string[], expected: string])[] = [
    [['a', '--root-hints', at('none')], `cannot read ${at('none')}: no such file or directory`],
    [
      ['a', '--root-hints', at('hints.txt')],
      `root hints ${at('hints.txt')}: line 3: "1.2.3" is not an address`,
    ],
    [
      ['a', '--root-hints', at('other.txt')],
      `${at('other.txt')}: line 1: NS record of example., expected "."`,
    ],
    [['a', '--root-hints', at('empty.txt')], `${at('empty.txt')}: no NS record of the root zone (".") in it`],
    [['--replay', at('none')], `cannot read ${at('none')}: no such file or directory`],
    [['--replay', dir], `cannot read ${dir}: is a directory`],
    [['--replay', at('text.json')], `${at('text.json')} is not JSON: `],
    [['--replay', at('other.json')], `${at('other.json')} is not a saved result: /schema`],
    [['www.shop.example', '--demo', '--save', at('none/f')], `cannot write ${at('none/f')}: no such file`],
  ];
  for (const [command, expected] of rows) {
    const { status, stderr } = await inside(['traverse', ...command]);
    t.equal(status, 3, command.join(' '));
    t.match(stderr, /^svc: [^\n]+\n$/, 'one line');
    t.ok(stderr.includes(expected), `${stderr.trim()}: says ${expected}`);
  }
});

t.test('a result is saved where the path leads', async (t) => {
  const dir = t.testdir({ 'private.json': 'old', link: t.fixture('symlink', 'private.json') });
  const at = (file: string) => join(dir, file);
  chmodSync(at('private.json'), 0o600);
  const save = (file: string) =>
    inside(['traverse', 'www.shop.example', '--demo', '--quick', '--json', '--full', '--save', file]);
  const { stdout } = await save(at('link'));
  t.ok(lstatSync(at('link')).isSymbolicLink(), 'a link stays one');
  t.equal(readFileSync(at('private.json'), 'utf8'), stdout, 'and what it leads to is written');
  t.equal(statSync(at('private.json')).mode & 0o777, 0o600, 'for the same eyes as before');
  t.equal(spawnSync('mkfifo', [at('pipe')]).status, 0);
  // Opened for both, a pipe holds what comes until it is read, and makes nobody wait.
  const pipe = openSync(at('pipe'), 'r+');
  const ran = await save(at('pipe'));
  const held = Buffer.alloc(ran.stdout.length);
  if (lstatSync(at('pipe')).isFIFO()) readSync(pipe, held);
  closeSync(pipe);
  t.equal(held.toString(), ran.stdout, 'a pipe is written to');
  t.ok(lstatSync(at('pipe')).isFIFO(), 'not replaced by a file');
  t.same(readdirSync(dir).sort(), ['link', 'pipe', 'private.json'], 'nothing else is left');
});

t.test('a file has one holder', async (t) => {
  const path = join(t.testdir(), 'results');
  const first = await lockFile(path);
  t.equal(first.kind, 'locked');
  t.same(await lockFile(path), { kind: 'held', holder: await thisProcess() });
  if (first.kind === 'locked') await first.release();
  t.notOk(existsSync(`${path}.lock`), 'nothing is left behind');
});

t.test('whether a lock that is there counts', async (t) => {
  const dir = t.testdir();
  const { pid: gone } = spawnSync(process.execPath, ['--version']);
  const own = await thisProcess();
  const here = (pid: number, began: string) => JSON.stringify({ pid, host: hostname(), began });
  const elsewhere = JSON.stringify({ pid: 1, host: 'elsewhere.test', began: '' });
  const noProc = { skip: own.began === '' && 'no /proc here' };
  const rows: readonly (readonly [
    what: string,
    text: string,
    ageMinutes: number,
    expected: 'held' | 'locked',
    options?: object,
  ])[] = [
    ['a process that is there', here(own.pid, own.began), 60, 'held'],
    ['one that has ended', here(gone, ''), 0, 'locked'],
    ['a later one with its number', here(own.pid, '7'), 0, 'locked', noProc],
    ['one on another host, heard of just now', elsewhere, 0, 'held'],
    ['one on another host, not heard of for long', elsewhere, 2, 'locked'],
    ['a lock that is being made', '', 0, 'held'],
    ['one that never was finished', '{"pid"', 1, 'locked'],
    ['one that never was finished, before the clock was set back', '', -60, 'locked'],
    ['one of wrong members', '{"pid":"x"}', 1, 'locked'],
  ];
  for (const [at, [what, text, ageMinutes, expected, options = {}]] of rows.entries()) {
    await t.test(what, options, async (t) => {
      const path = join(dir, `${at}`);
      writeFileSync(`${path}.lock`, text);
      const then = new Date(Date.now() - ageMinutes * 60_000);
      utimesSync(`${path}.lock`, then, then);
      const locked = await lockFile(path);
      t.equal(locked.kind, expected);
      if (locked.kind === 'locked') await locked.release();
    });
  }
});

t.test('a lock that is no file keeps nobody waiting', async (t) => {
  const dir = t.testdir();
  const rows: readonly (readonly [what: string, make: (lock: string) => void])[] = [
    ['folder', (lock) => mkdirSync(lock)],
    ['link', (lock) => symlinkSync('nowhere', lock)],
    ['pipe', (lock) => spawnSync('mkfifo', [lock])],
  ];
  for (const [what, make] of rows) {
    const lock = join(dir, `${what}.lock`);
    make(lock);
    t.same(await lockFile(join(dir, what)), { kind: 'no-file', lock }, what);
  }
  const { status, stderr } = await inside(['traverse', '--demo', '-f', '-', '--resume', join(dir, 'pipe')], {
    stdin: 'www.shop.example\n',
  });
  t.same(
    [status, stderr],
    [
      3,
      `svc: cannot write ${join(dir, 'pipe')}: ${join(dir, 'pipe.lock')} is not a regular file: remove it\n`,
    ],
  );
});

t.test('of many that find a lock of nobody, one has it', async (t) => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  for (let round = 0; round < 20; round += 1) {
    const path = join(t.testdir(), 'results');
    writeFileSync(`${path}.lock`, JSON.stringify({ pid, host: hostname(), began: '' }));
    const all = await Promise.all(Array.from({ length: 8 }, () => lockFile(path)));
    const locked = all.flatMap((one) => (one.kind === 'locked' ? [one] : []));
    t.equal(locked.length, 1);
    await locked[0]?.release();
  }
});

t.test('one that was killed while taking a lock away', async (t) => {
  const path = join(t.testdir(), 'results');
  const then = new Date(Date.now() - 60_000);
  for (const file of [`${path}.lock`, `${path}.lock.taking`]) {
    writeFileSync(file, '');
    utimesSync(file, then, then);
  }
  const locked = await lockFile(path);
  t.equal(locked.kind, 'locked');
  if (locked.kind === 'locked') await locked.release();
  t.same(readdirSync(join(path, '..')), []);
});

t.test('two runs on one file of results', async (t) => {
  const dir = t.testdir();
  const results = join(dir, 'results.jsonl');
  const command = ['traverse', '--demo', '--quick', '-f', '-', '--resume', results];
  const lines = () => (existsSync(results) ? readFileSync(results, 'utf8').split('\n').slice(0, -1) : []);
  const lineIn = async (count: number) => {
    while (lines().length < count) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const first = start(command);
  first.stdin.write('www.shop.example\n');
  await lineIn(1);
  const names = 'www.shop.example\nwww.blog.test\n';
  const refused = await inside(command, { stdin: names });
  t.equal(refused.status, 3);
  t.equal(
    refused.stderr,
    `svc: cannot write ${results}: another run is at work on it (process ${first.pid} on ${hostname()})\n`,
  );
  first.kill('SIGKILL');
  await ended(first);
  t.equal((await inside(command, { stdin: names })).status, 0, "a run that was killed is in nobody's way");
  t.same(
    lines().map((line) => JSON.parse(line).query.name),
    ['www.shop.example.', 'www.blog.test.'],
    'each name is there once',
  );
  t.same(readdirSync(dir), ['results.jsonl']);
});
