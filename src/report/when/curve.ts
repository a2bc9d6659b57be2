/* Computes the share of users who still get an old answer, over time: svc-model(7), UNTIL WHEN. */

/** A mixture of uniform distributions from 0 to `most` seconds; the weights sum to 1. */
export type Uniforms = readonly Uniform[];

interface Uniform {
  readonly weight: number;
  readonly most: number;
}

/** A TTL in seconds, and the share of picks of the servers that give it, up to a common factor. */
export interface SharedTtl {
  readonly ttl: number;
  readonly share: number;
}

/**
 * The time for which busy resolvers will keep the copy of an RRset that they hold now: the age of a copy is uniform, and it
 * came from a server with a probability in proportion to share times TTL. Nobody holds a copy whose TTL is 0.
 */
export function timeLeft(ttls: readonly SharedTtl[]): Uniforms {
  const shares = new Map<number, number>();
  for (const { ttl, share } of fewer(ttls)) shares.set(ttl, (shares.get(ttl) ?? 0) + share * ttl);
  const all = [...shares.values()].reduce((sum, share) => sum + share, 0);
  if (all === 0) return [{ weight: 1, most: 0 }];
  return [...shares].map(([most, share]) => ({ weight: share / all, most }));
}

/** The most different TTLs that are told apart, to bound the work. */
const MOST_TTLS = 8;

/** Merges neighbours among many TTLs: the longest of them counts for all. */
function fewer(ttls: readonly SharedTtl[]): readonly SharedTtl[] {
  const different = [...new Set(ttls.map(({ ttl }) => ttl))].sort((a, b) => a - b);
  if (different.length <= MOST_TTLS) return ttls;
  const size = Math.ceil(different.length / MOST_TTLS);
  const standsFor = new Map(
    different.map((ttl, at) => {
      const last = Math.min((Math.floor(at / size) + 1) * size, different.length) - 1;
      return [ttl, different[last] ?? ttl];
    }),
  );
  return ttls.map(({ ttl, share }) => ({ ttl: standsFor.get(ttl) ?? ttl, share }));
}

/** The share of users for whom the sum of these times is longer than `seconds`: those who still get the old answer then. */
export function shareLeft(times: readonly Uniforms[], seconds: number): number {
  return shareLonger(sums(fewTimes(times)), seconds);
}

function shareLonger(all: readonly Sum[], seconds: number): number {
  if (seconds < 0) return 1;
  const share = all.reduce((sum, { weight, mosts }) => sum + weight * tail(mosts, seconds), 0);
  return Math.min(Math.max(share, 0), 1);
}

/** The time in seconds after which at most this share of users is left. */
export function momentOfShare(times: readonly Uniforms[], share: number): number {
  const all = sums(fewTimes(times));
  let [early, late] = [0, longest(times)];
  if (shareLonger(all, early) <= share) return early;
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (early + late) / 2;
    if (shareLonger(all, middle) > share) early = middle;
    else late = middle;
  }
  return late;
}

/** From 68 years, the longest TTL, to less than a millisecond. */
const HALVINGS = 44;

/** The time in seconds until the last user is gone, without the rounding of resolvers: the sum of the longest times. */
export function longest(times: readonly Uniforms[]): number {
  return times.reduce((sum, one) => sum + Math.max(...one.map(({ most }) => most)), 0);
}

/** The most times, and combinations of TTLs, that are summed: only hostile data has more, which would take too long. */
const MOST_TIMES = 6;
const MOST_SUMS = 128;

/** Merges the shortest of many times into one time, at most as long as their sum. */
function fewTimes(times: readonly Uniforms[]): readonly Uniforms[] {
  const descending = times.toSorted((a, b) => longest([b]) - longest([a]));
  const rest = longest(descending.slice(MOST_TIMES));
  let sums = 1;
  const few = descending.slice(0, MOST_TIMES).map((one): Uniforms => {
    sums *= one.length;
    return sums <= MOST_SUMS ? one : [{ weight: 1, most: longest([one]) }];
  });
  return rest === 0 ? few : [...few, [{ weight: 1, most: rest }]];
}

/** A sum of uniform times, each from 0 to one of `mosts` seconds. */
interface Sum {
  readonly weight: number;
  readonly mosts: readonly number[];
}

/** Each combination of one uniform distribution from each mixture, with the product of their weights. */
function sums(times: readonly Uniforms[]): readonly Sum[] {
  let all: readonly Sum[] = [{ weight: 1, mosts: [] }];
  for (const one of times) {
    all = all.flatMap(({ weight, mosts }) =>
      one.map((uniform) => ({
        weight: weight * uniform.weight,
        mosts: uniform.most === 0 ? mosts : [...mosts, uniform.most],
      })),
    );
  }
  return all;
}

/**
 * The probability that the sum of independent uniform times, each from 0 to one of `mosts`, is more than `seconds`: the volume
 * of a box without one corner.
 */
function tail(mosts: readonly number[], seconds: number): number {
  const whole = mosts.reduce((sum, most) => sum + most, 0);
  if (seconds >= whole) return 0;
  // The sum is symmetric about its middle; the smaller corner has the smaller error.
  if (seconds > whole / 2) return corner(mosts, whole - seconds);
  return 1 - corner(mosts, seconds);
}

/** The share of a box with these sides that lies in the corner of this height, by inclusion and exclusion. */
function corner(mosts: readonly number[], height: number): number {
  let volume = 0;
  for (let set = 0; set < 2 ** mosts.length; set += 1) {
    const taken = mosts.filter((_, at) => (set >> at) & 1);
    const left = taken.reduce((rest, most) => rest - most, height);
    if (left <= 0) continue;
    const part = mosts.reduce((product, most, at) => (product * left) / (most * (at + 1)), 1);
    volume += taken.length % 2 === 0 ? part : -part;
  }
  return volume;
}
