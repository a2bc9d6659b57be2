import t from 'tap';
import { RecentlyUsed } from '../../src/base/memo.ts';

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
