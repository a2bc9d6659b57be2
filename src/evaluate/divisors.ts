/** Of two whole numbers, not both 0. */
export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** Of two positive whole numbers. */
export function leastCommonMultiple(a: bigint, b: bigint): bigint {
  if (a % b === 0n) return a;
  if (b % a === 0n) return b;
  return (a / greatestCommonDivisor(a, b)) * b;
}
