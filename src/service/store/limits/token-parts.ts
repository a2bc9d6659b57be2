import type { RateLimit } from '../../clients/rate-limit-setting.ts';

/**
 * A length of time as scripts reckon with it, who only have doubles: whole microseconds, and a number of
 * parts of one, each `1/denominator`. Both are below 2^53, so sums are exact.
 */
interface Span {
  readonly us: bigint;
  readonly parts: bigint;
}

/** A limit as scripts reckon with it. */
interface TokenParts {
  /** How long one token takes to come back. */
  readonly token: Span;
  /** The most that may be missing from a bucket which still holds a whole token. */
  readonly spare: Span;
  readonly denominator: bigint;
}

/** Sums of two numbers of parts stay exact in a double. */
const MOST_PARTS = 2n ** 52n;

const NS_PER_US = 1_000n;

/**
 * Takes a limit apart. Only for limits of more than about four million million requests is the token
 * rounded, upwards: they allow that much less.
 */
export function tokenParts({ requests, window }: RateLimit): TokenParts {
  const common = greatestCommonDivisor(window, requests * NS_PER_US);
  const exact = { token: window / common, denominator: (requests * NS_PER_US) / common };
  const { token, denominator } = exact.denominator <= MOST_PARTS ? exact : rounded(exact);
  const spare = token * (requests - 1n);
  return { token: spanOf(token, denominator), spare: spanOf(spare, denominator), denominator };
}

function rounded({ token, denominator }: { readonly token: bigint; readonly denominator: bigint }) {
  return { token: (token * MOST_PARTS + denominator - 1n) / denominator, denominator: MOST_PARTS };
}

function spanOf(parts: bigint, denominator: bigint): Span {
  return { us: parts / denominator, parts: parts % denominator };
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other];
  while (b > 0n) [a, b] = [b, a % b];
  return a;
}
