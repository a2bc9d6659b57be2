import t from 'tap';
import { Loop } from '../../../src/service/store/repeating.ts';
import { createFakeClock } from '../../base/fake-clock.ts';

/** A loop whose rounds end when they are told to. */
function loopOf(everyMs = 100) {
  const clock = createFakeClock();
  const ends: (() => void)[] = [];
  const round = () => new Promise<void>((resolve) => ends.push(resolve));
  const failed = () => {};
  return { loop: new Loop(round, { everyMs: () => everyMs, clock, failed }), clock, ends };
}

t.test('whoever waits for a loop waits for no round that somebody asks for later', async (t) => {
  const { loop, clock, ends } = loopOf();
  const seen: string[] = [];
  loop.wake();
  await clock.advance(0);
  loop.wake();
  void loop.idle.then(() => seen.push('idle'));
  ends[0]?.();
  await clock.advance(0);
  t.same([ends.length, seen], [2, []], 'but for the one that is asked for already');
  loop.wake();
  ends[1]?.();
  await clock.advance(0);
  t.same([ends.length, seen], [3, ['idle']]);
});

t.test('a loop begins a round so long after the last, and none once it is stopped', async (t) => {
  const { loop, clock, ends } = loopOf();
  loop.begin();
  await clock.advance(99);
  t.equal(ends.length, 0);
  await clock.advance(1);
  t.equal(ends.length, 1);
  await clock.advance(1_000);
  t.equal(ends.length, 1, 'one at a time');
  ends[0]?.();
  await clock.advance(100);
  t.equal(ends.length, 2);
  loop.wake();
  const stopped = loop.stop();
  ends[1]?.();
  await stopped;
  await clock.advance(1_000);
  t.same([ends.length, clock.timers], [2, 0]);
});
