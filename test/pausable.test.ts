import t from 'tap';
import { letOthersRun, type Pausable, Pauses, runInSlices, runThrough } from '../src/pausable.ts';

function* counting(to: number): Pausable<number> {
  const pauses = new Pauses();
  let sum = 0;
  for (let i = 1; i <= to; i += 1) {
    sum += i;
    if (pauses.due(1)) yield;
  }
  return sum;
}

t.test('work that can pause comes to the same in any driver', async (t) => {
  t.equal(runThrough(counting(100)), 5_050);
  t.equal(await runInSlices(counting(100)), 5_050);
});

t.test('pauses are counted by work alone', async (t) => {
  t.equal([...counting(7)].length, 0);
  t.equal([...counting(8)].length, 1);
  t.equal([...counting(800)].length, 100);
  t.equal(
    [
      ...(function* () {
        const pauses = new Pauses();
        if (pauses.due(1_000)) yield;
      })(),
    ].length,
    1,
    'one large piece of work is one pause',
  );
});

t.test('no pause is due in work that is done without one, and in that alone', async (t) => {
  const due: boolean[] = [];
  const noting = function* (): Pausable<void> {
    const isDue = new Pauses().due(1_000);
    due.push(isDue);
    if (isDue) yield;
  };
  runThrough(noting());
  const mixed = function* (): Pausable<void> {
    runThrough(noting());
    yield* noting();
  };
  t.equal([...mixed()].length, 1);
  const failing = function* (): Pausable<void> {
    yield* noting();
    throw new Error('what the work throws');
  };
  t.throws(() => runThrough(failing()), /what the work throws/);
  t.equal([...noting()].length, 1);
  t.same(due, [false, false, true, false, true]);
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
