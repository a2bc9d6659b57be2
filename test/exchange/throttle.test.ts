import t from 'tap';
import { EventLoopThrottle } from '../../src/exchange/pacing/throttle.ts';
import { RisingUrgency } from '../../src/exchange/pacing/urgency.ts';

const NEVER = new AbortController().signal;

/** Resolves once as many as these have gone. */
async function gone(left: readonly number[], count: number): Promise<void> {
  while (left.length < count) await new Promise(setImmediate);
}

t.test('a few go out in each turn of the event loop, what has become more urgent first', async (t) => {
  const left: number[] = [];
  const throttle = new EventLoopThrottle<number>((item) => left.push(item), NEVER);
  const all = Array.from({ length: 10 }, () => new RisingUrgency({ rank: 'check' }));
  for (const [item, rising] of all.entries()) throttle.add(item, { rising });
  const before = [...left];
  all[0]?.raise({ rank: 'cold' });
  all[9]?.raise({ rank: 'cold' });
  await gone(left, all.length);
  const [next] = left.slice(before.length);
  t.ok(before.length < 5);
  t.equal(next, 9);
  t.same(
    left.filter((item) => item !== 9),
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
    'each goes once',
  );
});

t.test('every question goes to the first server of its zone before any goes to another', async (t) => {
  const left: number[] = [];
  const throttle = new EventLoopThrottle<number>((item) => left.push(item), NEVER);
  for (const [item, place] of [0, 1, 2, 0, 1, 2, 0, 1, 2].entries()) throttle.add(item, { place });
  await gone(left, 9);
  const atOnce = [0, 1];
  t.same(left, [...atOnce, 3, 6, 4, 7, 2, 5, 8]);
});
