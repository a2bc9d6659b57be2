import t from 'tap';
import { type Departure, Departures } from '../../../src/explore/asking/departures.ts';
import { letOthersRun } from '../../../src/pausable.ts';
import { RisingUrgency } from '../../../src/rising-urgency.ts';
import { parseName, ROOT } from '../../../src/wire/name.ts';

function departure(order: number, place = 0): Departure & { readonly rising: RisingUrgency } {
  const question = { name: parseName('www.a'), type: 'A' };
  const wanted = { address: '192.0.2.1', question, key: `${order}`, zone: ROOT, links: 0, place };
  return { order, wanted, rank: 'check', rising: new RisingUrgency({ rank: 'check' }) };
}

t.test('a few go out in each turn of the event loop, what has become more urgent first', async (t) => {
  const left: number[] = [];
  const departures = new Departures(({ order }) => left.push(order), new AbortController().signal);
  const all = Array.from({ length: 10 }, (_, order) => departure(order));
  for (const one of all) departures.add(one);
  const before = [...left];
  all[0]?.rising.raise({ rank: 'cold' });
  all[9]?.rising.raise({ rank: 'cold' });
  while (left.length < all.length) await letOthersRun();
  const [next] = left.slice(before.length);
  t.ok(before.length < 5);
  t.equal(next, 9);
  t.same(
    left.filter((order) => order !== 9),
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
    'each goes once',
  );
});

t.test('every question goes to the first server of its zone before any goes to another', async (t) => {
  const left: number[] = [];
  const departures = new Departures(({ order }) => left.push(order), new AbortController().signal);
  for (const [order, place] of [0, 1, 2, 0, 1, 2, 0, 1, 2].entries()) departures.add(departure(order, place));
  while (left.length < 9) await letOthersRun();
  const atOnce = [0, 1];
  t.same(left, [...atOnce, 3, 6, 4, 7, 2, 5, 8]);
});
