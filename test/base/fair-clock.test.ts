import t from 'tap';
import { type Clock, createFairClock, startHeartbeat } from '../../src/base/clock.ts';

/** Resolves when that time has passed on the clock. */
const passed = (clock: Clock, ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

function holdUp(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

t.test('it never runs ahead of the time', async (t) => {
  const clock = createFairClock();
  const [began, start] = [performance.now(), clock.now()];
  await passed(clock, 100);
  t.ok(clock.now() - start >= 100);
  t.ok(performance.now() - began >= 100);
});

t.test('it stands still while this thread is held up, so that replies come first', async (t) => {
  const clock = createFairClock();
  const order: string[] = [];
  const over = passed(clock, 300).then(() => order.push('time-out'));
  // A query and its reply: several turns of the event loop, each of which comes late.
  for (let turn = 1; turn <= 4; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    holdUp(100);
  }
  order.push('reply');
  await over;
  t.same(order, ['reply', 'time-out']);
});

t.test('it stands still while the thread of the servers does not beat', async (t) => {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const clock = createFairClock(beats);
  let isOver = false;
  const over = passed(clock, 100).then(() => {
    isOver = true;
  });
  await passed(createFairClock(), 200);
  t.equal(isOver, false, 'while a clock without such servers has gone on');
  const beat = setInterval(() => Atomics.add(beats, 0, 1), 1);
  await over;
  clearInterval(beat);
  t.ok(isOver);
});

t.test('what is called off does not come, and leaves no timer', async (t) => {
  const clock = createFairClock();
  const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
  const before = timers();
  const callOff = [1, 50].map((ms) => clock.after(ms, () => t.fail('it came')));
  t.equal(timers(), before + 1);
  for (const one of callOff) one();
  t.equal(timers(), before);
  await passed(clock, 60);
});

t.test('a heart beats until it is stopped', async (t) => {
  const { beats, stop } = startHeartbeat();
  while (Atomics.load(beats, 0) < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  stop();
  const last = Atomics.load(beats, 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.equal(Atomics.load(beats, 0), last);
});
