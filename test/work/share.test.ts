import t from 'tap';
import type { Pausable } from '../../src/pausable.ts';
import { withinShare } from '../../src/work/share.ts';

/** A thread in which time passes only while somebody works. */
function thread() {
  let now = 0;
  let holder = 'nobody';
  const holders: string[] = [];
  /** Work in as many slices, each of which takes so many milliseconds. */
  function* slices(all: readonly number[]): Pausable<'done'> {
    for (const ms of all) {
      now += ms;
      holders.push(holder);
      yield;
    }
    return 'done';
  }
  const run = (who: string, mostMs: number, all: readonly number[]) =>
    withinShare(slices(all), {
      mostMs,
      threadTime: () => now,
      now: () => now,
      tell: (state) => {
        holder = state === 'held' ? who : 'nobody';
      },
    });
  return { run, holders, holder: () => holder };
}

t.test('a task fails by the time that it has had itself, not by what others take meanwhile', async (t) => {
  const { run } = thread();
  const modest = ['a', 'b', 'c'].map((who) => run(who, 50, [10, 10, 10, 10]));
  t.same(await Promise.all(modest), ['done', 'done', 'done']);
  const [long, short] = await Promise.all([run('long', 50, [10, 20, 30, 10]), run('short', 50, [45])]);
  t.same(long, {
    kind: 'failed',
    error: {
      title: 'Too much work',
      detail: 'The traversal was too much for one thread: its evaluation took longer than 50 ms.',
    },
  });
  t.equal(short, 'done');
});

t.test('a task that may have nothing does not begin', async (t) => {
  const { run, holders } = thread();
  t.match(await run('a', 0, [10]), { kind: 'failed' });
  t.same(holders, []);
});

t.test('it is told who holds the thread', async (t) => {
  const { run, holders, holder } = thread();
  await Promise.all([run('a', 50, [10, 10]), run('b', 50, [10, 10])]);
  t.same(holders, ['a', 'b', 'a', 'b']);
  t.equal(holder(), 'nobody');
});
