import t from 'tap';
import { drawingFrom } from '../src/chance.ts';

t.test('draws depend on the seed alone, and are spread evenly', async (t) => {
  const draws = (seed: number, below: bigint, count: number) => {
    const draw = drawingFrom(seed);
    return Array.from({ length: count }, () => draw(below));
  };
  t.same(draws(7, 1_000n, 5), draws(7, 1_000n, 5));
  t.notSame(draws(7, 1_000n, 5), draws(8, 1_000n, 5));
  t.same(draws(7, 1n, 3), [0n, 0n, 0n]);
  const six = draws(1, 6n, 6_000);
  for (const face of [0n, 1n, 2n, 3n, 4n, 5n]) {
    const rolled = six.filter((one) => one === face).length;
    t.ok(rolled > 900 && rolled < 1_100, `${face}: ${rolled} of 6,000`);
  }
  const large = draws(1, 3n * 2n ** 100n, 300);
  t.ok(large.every((one) => one >= 0n && one < 3n * 2n ** 100n));
  const thirds = [0n, 1n, 2n].map((third) => large.filter((one) => one >> 100n === third).length);
  t.ok(
    thirds.every((count) => count > 75 && count < 125),
    `numbers of more than one word: ${thirds}`,
  );
});
