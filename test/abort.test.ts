import t from 'tap';
import { onAbort } from '../src/abort.ts';

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
