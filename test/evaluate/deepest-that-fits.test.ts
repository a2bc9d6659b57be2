import t from 'tap';
import { deepestThatFits, type TryDepth } from '../../src/evaluate/deepest-that-fits.ts';
import { type Pausable, runThrough } from '../../src/pausable.ts';

interface Search {
  readonly depth: number;
  readonly found: string;
  /** In this order; `!` where that is too much. */
  readonly tried: string;
}

/** Searches where each depth takes so much work, and those that are not listed more than any. */
function searched(works: readonly number[], tooDeep: number, mostWork: number): Search {
  const tried: string[] = [];
  const attempt: TryDepth<string> = function* (depth): Pausable<{ found: string; work: number } | undefined> {
    const work = works[depth] ?? Number.POSITIVE_INFINITY;
    const fits = depth === 0 || work <= mostWork;
    yield;
    tried.push(fits ? `${depth}` : `${depth}!`);
    return fits ? { found: `down to ${depth}`, work } : undefined;
  };
  const { found, depth } = runThrough(deepestThatFits(tooDeep, mostWork, attempt));
  return { depth, found, tried: tried.join(' ') };
}

// Two levels go once round: a referral, and a lookup.
const RING = [3, 19, 49, 220, 258, 2_248, 2_302, 15_088, 15_245, 69_917, 70_421, 256_351, 257_544, 715_840];
const DOUBLING = Array.from({ length: 30 }, (_, depth) => 2 ** depth);
const STEADY = Array.from({ length: 30 }, (_, depth) => 100 * (depth + 1));
const LATE = [...Array.from({ length: 20 }, () => 5), 1_000_000];

for (const [works, named, tooDeep, mostWork, depth, tried] of [
  [RING, 'a ring', 30, 200_000, 10, '0 4 9 10 11!'],
  [RING, 'a ring', 30, 5_000, 6, '0 4 6 7!'],
  [RING, 'a ring', 30, 240, 3, '0 4! 2 3'],
  [RING, 'a ring', 30, 2, 0, '0 4! 2! 1!'],
  [RING, 'a ring', 6, 200_000, 5, '0 3 4 5'],
  [DOUBLING, 'work that doubles', 30, 100_000, 16, '0 4 16 17!'],
  [DOUBLING, 'work that doubles', 30, 1_048_576, 20, '0 4 17 20 21!'],
  [STEADY, 'work that grows steadily', 30, 1_234, 11, '0 4 6 7 8 9 10 11 12!'],
  [LATE, 'work that grows late', 30, 100, 19, '0 4 17 23! 20! 18 19'],
  [[7], 'depths that all take too much', 30, 100, 0, '0 4! 2! 1!'],
  [[7], 'no depth between', 1, 100, 0, '0'],
] as const) {
  t.test(`${named}: ${mostWork} steps fit to depth ${depth} of ${tooDeep}`, async (t) => {
    t.same(searched(works, tooDeep, mostWork), { depth, found: `down to ${depth}`, tried });
  });
}

t.test('the first step fits whatever it takes, and may take as much as others', async (t) => {
  t.match(searched([500, 90, 90, 95, 200], 30, 100), { depth: 3, tried: '0 4! 2 3' });
  t.match(searched([100, 100, 100, 100, 100], 30, 100), { depth: 4, tried: '0 4 17! 10! 7! 5!' });
});

t.test('however work grows, the next depth does not fit', async (t) => {
  for (let factor = 1.05; factor < 10; factor *= 1.1) {
    const works = Array.from({ length: 40 }, (_, depth) => factor ** depth);
    const fitting = [10, 100, 1_000, 10_000, 100_000].map((most) => searched(works, 30, most).depth);
    const expected = [10, 100, 1_000, 10_000, 100_000].map((most) =>
      Math.min(
        29,
        works.findLastIndex((work) => work <= most),
      ),
    );
    t.same(fitting, expected, `by ${factor.toFixed(2)} each level`);
  }
});
