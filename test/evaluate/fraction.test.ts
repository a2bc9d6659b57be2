import t from 'tap';
import { lowestTerms, toNumber } from '../../src/evaluate/fraction.ts';

t.test('the nearest number to a fraction, also where its parts are too large for numbers', async (t) => {
  const huge = 10n ** 400n;
  const rows: readonly (readonly [numerator: bigint, denominator: bigint, number: number])[] = [
    [0n, 1n, 0],
    [1n, 3n, 1 / 3],
    [huge + 1n, 3n * huge, 1 / 3],
    [huge - 1n, huge, 1],
    [1n, huge, 0],
    [3n * huge + 1n, 4n * huge + 3n, 0.75],
  ];
  for (const [numerator, denominator, number] of rows) {
    t.equal(toNumber(lowestTerms({ numerator, denominator })), number, `${number}`);
  }
});
