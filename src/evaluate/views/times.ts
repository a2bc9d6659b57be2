/**
 * How long some part of all paths takes, as points: at `ms[i]` milliseconds, in rising order, lies
 * `probability[i]`. Doubles: latency is measured, so it is not exact anyway.
 */
export interface Times extends Extent {
  readonly ms: Float64Array;
  readonly probability: Float64Array;
}

/** What is known of all points together. */
interface Extent {
  /** The sum of the probabilities. */
  readonly mass: number;
  readonly best: number;
  readonly worst: number;
}

/** The most points that a distribution keeps: one with more of them is put into bins. */
const KEPT = 1_024;

/**
 * How many bins that are, each at the mean of its points. This keeps means as they are; only the longer
 * of two lookups side by side can be off, by up to the width of a bin.
 */
const BINS = 256;

/** Certainly this long, with this much of the probability. */
export function exactly(ms: number, mass: number): Times {
  return { ms: Float64Array.of(ms), probability: Float64Array.of(mass), mass, best: ms, worst: ms };
}

/** The same paths, `by` milliseconds later and with `weight` times the probability. */
export function shifted(times: Times, by: number, weight: number): Times {
  return {
    // Most are either late or unlikely, and what stays as it is need not be copied.
    ms: by === 0 ? times.ms : times.ms.map((ms) => ms + by),
    probability:
      weight === 1 ? times.probability : times.probability.map((probability) => probability * weight),
    mass: times.mass * weight,
    best: times.best + by,
    worst: times.worst + by,
  };
}

/** Parts of all paths put together. At least one is needed. */
export function mixture(parts: readonly Times[]): Times {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return gathered(parts, {
    mass: parts.reduce((sum, { mass }) => sum + mass, 0),
    best: least(parts.map(({ best }) => best)),
    worst: most(parts.map(({ worst }) => worst)),
  });
}

/** How many points it takes to put two distributions one after the other. */
export function pointsInSequence(first: Times, second: Times): number {
  return first.ms.length * second.ms.length;
}

/** One after the other, the second independent of the first. */
export function inSequence(first: Times, second: Times): Times {
  if (first.ms.length === 1) return shifted(second, first.best, first.mass);
  const parts = Array.from(first.ms, (start, i) => shifted(second, start, first.probability[i] ?? 0));
  return gathered(parts, {
    mass: first.mass * second.mass,
    best: first.best + second.best,
    worst: first.worst + second.worst,
  });
}

/** Side by side and independent: the longer one counts. */
export function sideBySide(a: Times, b: Times): Times {
  const ms: number[] = [];
  const probability: number[] = [];
  let [i, j] = [0, 0];
  let [upToA, upToB, before] = [0, 0, 0];
  while (i < a.ms.length || j < b.ms.length) {
    const moment = Math.min(a.ms[i] ?? Infinity, b.ms[j] ?? Infinity);
    if (a.ms[i] === moment) upToA += a.probability[i++] ?? 0;
    if (b.ms[j] === moment) upToB += b.probability[j++] ?? 0;
    const upTo = upToA * upToB;
    if (upTo === before) continue;
    ms.push(moment);
    probability.push(upTo - before);
    before = upTo;
  }
  const rising = {
    ms: Float64Array.from(ms),
    probability: Float64Array.from(probability),
    mass: a.mass * b.mass,
    best: Math.max(a.best, b.best),
    worst: Math.max(a.worst, b.worst),
  };
  return ms.length > KEPT ? binned([rising], rising) : rising;
}

/** The sum of time × probability: the mean, times the mass. */
export function weightedMean({ ms, probability }: Times): number {
  return ms.reduce((sum, moment, i) => sum + moment * (probability[i] ?? 0), 0);
}

/** The least of the numbers, of which there may be more than a call has room for. */
export function least(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

/** The greatest of the numbers. */
export function most(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}

/** The points of all parts in rising order, those of one moment together, or bins of them if there are too many. */
function gathered(parts: readonly Times[], extent: Extent): Times {
  if (parts.reduce((sum, { ms }) => sum + ms.length, 0) > KEPT) return binned(parts, extent);
  const points = new Map<number, number>();
  for (const { ms, probability } of parts)
    for (const [i, moment] of ms.entries())
      points.set(moment, (points.get(moment) ?? 0) + (probability[i] ?? 0));
  const ms = Float64Array.from(points.keys()).sort();
  return { ...extent, ms, probability: ms.map((moment) => points.get(moment) ?? 0) };
}

function binned(parts: readonly Times[], extent: Extent): Times {
  const width = (extent.worst - extent.best) / BINS || 1;
  const [sums, masses] = [new Float64Array(BINS), new Float64Array(BINS)];
  for (const times of parts) {
    for (let i = 0; i < times.ms.length; i += 1) {
      const ms = times.ms[i] ?? 0;
      const probability = times.probability[i] ?? 0;
      const bin = Math.min(BINS - 1, Math.floor((ms - extent.best) / width));
      sums[bin] = (sums[bin] ?? 0) + ms * probability;
      masses[bin] = (masses[bin] ?? 0) + probability;
    }
  }
  const filled = [...masses.keys()].filter((bin) => (masses[bin] ?? 0) > 0);
  return {
    ...extent,
    ms: Float64Array.from(filled, (bin) => (sums[bin] ?? 0) / (masses[bin] ?? 1)),
    probability: Float64Array.from(filled, (bin) => masses[bin] ?? 0),
  };
}
