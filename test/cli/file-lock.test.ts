import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { lockFile, thisProcess } from '../../src/cli/process/file-lock.ts';
import { ended, start } from './svc.ts';

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
  const command = ['traverse', '--demo', '-f', '-', '--brief', '--resume', results];
  const lines = () => (existsSync(results) ? readFileSync(results, 'utf8').split('\n').slice(0, -1) : []);
  const lineIn = async (count: number) => {
    while (lines().length < count) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const first = start(command);
  first.stdin.write('www.shop.example\n');
  await lineIn(1);
  const second = start(command);
  second.stdin.end('www.shop.example\nwww.blog.test\n');
  const refused = await ended(second);
  t.equal(refused.status, 3);
  t.equal(
    refused.stderr,
    `svc: cannot write ${results}: another run is at work on it (process ${first.pid} on ${hostname()})\n`,
  );
  first.kill('SIGKILL');
  await ended(first);
  const third = start(command);
  third.stdin.end('www.shop.example\nwww.blog.test\n');
  t.equal((await ended(third)).status, 0, "a run that was killed is in nobody's way");
  t.same(
    lines().map((line) => JSON.parse(line).query.name),
    ['www.shop.example.', 'www.blog.test.'],
    'each name is there once',
  );
  t.same(readdirSync(dir), ['results.jsonl']);
});
