import t from 'tap';
import {
  forEachInTurn,
  letOthersRun,
  type Pausable,
  runInSlices,
  runThrough,
} from '../../src/base/pausable.ts';

function* counting(to: number): Pausable<number> {
  let sum = 0;
  for (let i = 1; i <= to; i += 1) {
    sum += i;
    yield;
  }
  return sum;
}

t.test('work that can pause comes to the same in any driver', async (t) => {
  t.equal(runThrough(counting(100)), 5_050);
  t.equal(await runInSlices(counting(100)), 5_050);
});

t.test('work can pause after each of many things', async (t) => {
  const done: number[] = [];
  const work = forEachInTurn([1, 2, 3], (number) => done.push(number));
  work.next();
  t.same(done, [1]);
  t.equal([...work].length, 2);
  t.same(done, [1, 2, 3]);
});

t.test('others have their turn while long work goes on', async (t) => {
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 1);
  const long = (function* () {
    while (turns < 3) yield;
    return 'done';
  })();
  t.equal(await runInSlices(long), 'done');
  clearInterval(other);
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
  for (const expected of [[1], [1, 2], [1, 2, 3], [1, 2, 3, 1]]) {
    await new Promise((resolve) => setImmediate(resolve));
    t.same(gone, expected);
  }
  await all;
  t.same(gone, [1, 2, 3, 1, 2, 3]);
});

t.test('what long work throws is thrown to who waits for it', async (t) => {
  // biome-ignore lint/correctness/useYield: it fails before its first pause.
  const broken = (function* (): Pausable<never> {
    throw new RangeError('broken');
  })();
  await t.rejects(runInSlices(broken), RangeError);
});
