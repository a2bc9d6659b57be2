import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { inside } from './inside.ts';

t.test('files that cannot be read, understood or written', async (t) => {
  const dir = t.testdir({
    'hints.txt': '; mine\n. 3600 IN NS a.root.\na.root. A 1.2.3\n',
    'other.txt': 'example. NS a.root.\n',
    'empty.txt': '',
    'text.json': 'no JSON',
    'other.json': '{"schema": 3}',
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
  const save = (file: string) => inside(['traverse', 'www.shop.example', '--demo', '--json', '--save', file]);
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
