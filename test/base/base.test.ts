import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { onAbort } from '../../src/base/abort.ts';
import { drawingFrom } from '../../src/base/chance.ts';
import { makeFolder } from '../../src/base/files.ts';

/** What was run of what was to be, when it was. */
function runs(signal: AbortSignal) {
  const run: string[] = [];
  const on = (label: string) => onAbort(signal, () => void run.push(label));
  return { run, on };
}

t.test('all who wait for an abort hear of it, once, except who left', async (t) => {
  const controller = new AbortController();
  const { run, on } = runs(controller.signal);
  on('a');
  const leave = on('b');
  on('c');
  leave();
  t.same(run, []);
  controller.abort();
  controller.abort();
  t.same(run, ['a', 'c']);
});

t.test('who comes too late hears of it soon, unless that is taken back', async (t) => {
  const { run, on } = runs(AbortSignal.abort());
  on('a');
  const leave = on('b');
  leave();
  t.same(run, [], 'not while it is still being set up');
  await Promise.resolve();
  t.same(run, ['a']);
});

t.test('draws depend on the seed alone, and are spread evenly', async (t) => {
  const draws = (seed: number, below: bigint, count: number) => {
    const draw = drawingFrom(seed);
    return Array.from({ length: count }, () => draw(below));
  };
  t.same(draws(7, 1_000n, 5), draws(7, 1_000n, 5));
  t.notSame(draws(7, 1_000n, 5), draws(8, 1_000n, 5));
  t.same(draws(7, 1n, 3), [0n, 0n, 0n]);
  const six = draws(1, 6n, 6_000);
  for (const face of [0n, 1n, 2n, 3n, 4n, 5n]) {
    const rolled = six.filter((one) => one === face).length;
    t.ok(rolled > 900 && rolled < 1_100, `${face}: ${rolled} of 6,000`);
  }
  const large = draws(1, 3n * 2n ** 100n, 300);
  t.ok(large.every((one) => one >= 0n && one < 3n * 2n ** 100n));
  const thirds = [0n, 1n, 2n].map((third) => large.filter((one) => one >> 100n === third).length);
  t.ok(
    thirds.every((count) => count > 75 && count < 125),
    `numbers of more than one word: ${thirds}`,
  );
});

t.test('a folder is made with all that lead to it', async (t) => {
  const dir = t.testdir({});
  const path = join(dir, 'a', 'b', 'c');
  await makeFolder(path, 0o700);
  t.equal(statSync(path).mode & 0o777, 0o700);
  t.equal(statSync(join(dir, 'a')).mode & 0o777, 0o700);
  await makeFolder(path, 0o700);
  await Promise.all([0, 1, 2].map(async () => await makeFolder(join(dir, 'at', 'once'), 0o700)));
  t.ok(statSync(join(dir, 'at', 'once')).isDirectory());
});

t.test('one that is reached by a link is there', async (t) => {
  const dir = t.testdir({});
  mkdirSync(join(dir, 'there'));
  symlinkSync('there', join(dir, 'link'));
  await makeFolder(join(dir, 'link'), 0o700);
  await makeFolder(join(dir, 'link', 'below'), 0o700);
  t.ok(statSync(join(dir, 'there', 'below')).isDirectory());
});

t.test('what cannot be one rejects with the error of the system, and ends', async (t) => {
  const dir = t.testdir({});
  writeFileSync(join(dir, 'file'), '');
  symlinkSync('nowhere', join(dir, 'dangling'));
  await t.rejects(makeFolder(join(dir, 'file'), 0o700), { code: 'EEXIST' });
  await t.rejects(makeFolder(join(dir, 'file', 'below'), 0o700), { code: 'ENOTDIR' });
  await t.rejects(makeFolder(join(dir, 'dangling', 'below'), 0o700), Error);
  // A folder that takes none, where mkdir says that there is nothing.
  await t.rejects(makeFolder('/proc/svc/jobs', 0o700), Error);
});
