/** Of two whole numbers, not both 0. */
export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let x = a;
  let y = b;
  while (y !== 0n) {
    const rest = x % y;
    x = y;
    y = rest;
  }
  return x;
}

/** Of two positive whole numbers. */
export function leastCommonMultiple(a: bigint, b: bigint): bigint {
  if (a % b === 0n) return a;
  if (b % a === 0n) return b;
  return (a / greatestCommonDivisor(a, b)) * b;
}
