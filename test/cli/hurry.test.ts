import t from 'tap';
import { graceAfter, runUnlessStopped, runUntil } from '../../src/cli/runner/hurry.ts';
import type { Pausable } from '../../src/pausable.ts';

function* endless(): Pausable<never> {
  for (;;) yield;
}

function* short(): Pausable<string> {
  yield;
  return 'done';
}

t.test('work is given up once it was told to stop, unless it ends soon', async (t) => {
  const stopped = AbortSignal.abort();
  t.match(await runUnlessStopped(endless(), stopped, 1), { kind: 'failed', failure: { kind: 'stopped' } });
  t.match(await runUnlessStopped(short(), stopped), { kind: 'ok', value: 'done' });
  const later = new AbortController();
  setTimeout(() => later.abort(), 1);
  t.match(await runUnlessStopped(endless(), later.signal, 1), { kind: 'failed' });
});

t.test('fetching and evaluating share what is left', async (t) => {
  const grace = graceAfter(AbortSignal.abort(), 1_000_000);
  t.match(await runUntil(short(), grace.signal), { kind: 'ok', value: 'done' });
  grace.end();
  t.match(await runUntil(endless(), grace.signal), { kind: 'failed', failure: { kind: 'stopped' } });
  grace.stop();
});

t.test('time in which the thread cannot run does not count', async (t) => {
  const looks = [0, 0, 0, 20];
  const asked: number[] = [];
  const threadTime = () => {
    const time = looks[asked.length] ?? 20;
    asked.push(time);
    return time;
  };
  const grace = graceAfter(AbortSignal.abort(), 20, threadTime);
  t.match(await runUntil(endless(), grace.signal), { kind: 'failed', failure: { kind: 'stopped' } });
  t.same(asked, looks, 'it was held up twice');
  grace.stop();
});

t.test('what goes wrong in the work is no wish to stop', async (t) => {
  const broken = function* (): Pausable<never> {
    yield;
    throw new Error('a bug');
  };
  await t.rejects(runUnlessStopped(broken(), new AbortController().signal), { message: 'a bug' });
});
