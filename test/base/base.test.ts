import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { onAbort } from '../../src/base/abort.ts';
import { drawingFrom } from '../../src/base/chance.ts';
import { letOthersRun } from '../../src/base/event-loop.ts';
import { makeFolder } from '../../src/base/files.ts';
import { RecentlyUsed } from '../../src/base/memo.ts';
import { packed, unpacked } from '../../src/base/packing.ts';

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

t.test('however many let others run, one goes on at each turn of the event loop', async (t) => {
  const gone: number[] = [];
  const goOn = async (number: number) => {
    await letOthersRun();
    gone.push(number);
    await letOthersRun();
    gone.push(number);
  };
  const all = Promise.all([1, 2, 3].map(goOn));
  for (const expected of [[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 1]]) {
    await new Promise((resolve) => setImmediate(resolve));
    t.same(gone, expected);
  }
  await all;
  t.same(gone, [1, 2, 3, 1, 2, 3]);
});

const RECORD = '{"name":"www.example.","type":"A","ttl":60,"data":"192.0.2.1"},';

for (const [what, octets, form] of [
  ['nothing', Buffer.alloc(0), 'plain'],
  ['what is small', Buffer.from(RECORD), 'plain'],
  ['an ordinary result', Buffer.from(RECORD.repeat(200)), 'deflated'],
  ['what is large', Buffer.from(RECORD.repeat(10_000)), 'deflated'],
] as const)
  t.test(`${what} is kept ${form} and comes back whole`, async (t) => {
    const kept = packed(octets);
    t.equal(kept.form, form);
    t.equal(kept.length, octets.length);
    t.equal(kept.octets.buffer.byteLength, kept.octets.length, 'and nothing beside it');
    t.ok(octets.equals(await unpacked(kept)));
  });

t.test('what repeats itself takes a tenth of its room at most', async (t) => {
  const text = Buffer.from(RECORD.repeat(10_000));
  t.ok(packed(text).octets.length < text.length / 10);
});

t.test('what was used last is kept, up to so many octets', async (t) => {
  const kept = new RecentlyUsed<string, string>(10, ({ length }) => length);
  const there = () => ['a', 'b', 'c', 'd'].filter((key) => kept.get(key) !== undefined).join('');
  kept.set('a', '12345');
  kept.set('b', '12345');
  t.equal(kept.octets, 10);
  kept.get('a');
  kept.set('c', '1');
  t.same([there(), kept.octets], ['ac', 6], 'what was not used for longest makes room');
  kept.set('a', '1');
  t.same([there(), kept.octets], ['ac', 2], 'another value takes the place of the first');
  kept.set('d', 'x'.repeat(100));
  t.same([there(), kept.octets], ['d', 100], 'what came last stays, however large it is');
  kept.set('b', '');
  t.same([there(), kept.octets], ['b', 0]);
});
