/**
 * How long some part of all paths takes, as points: at `ms[i]` milliseconds, in rising order, lies
 * `probability[i]`. Doubles: latency is measured, so it is not exact anyway.
 */
export interface Times {
  readonly ms: Float64Array;
  readonly probability: Float64Array;
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
  const [ms, probability] = pointsFor(parts.reduce((sum, part) => sum + part.ms.length, 0));
  let at = 0;
  for (const part of parts) {
    ms.set(part.ms, at);
    probability.set(part.probability, at);
    at += part.ms.length;
  }
  return compact({
    ms,
    probability,
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
  const [ms, probability] = pointsFor(pointsInSequence(first, second));
  let at = 0;
  for (let i = 0; i < first.ms.length; i += 1) {
    const start = first.ms[i] ?? 0;
    const weight = first.probability[i] ?? 0;
    for (let j = 0; j < second.ms.length; j += 1) {
      ms[at] = start + (second.ms[j] ?? 0);
      probability[at] = weight * (second.probability[j] ?? 0);
      at += 1;
    }
  }
  const mass = first.mass * second.mass;
  return compact({
    ms,
    probability,
    mass,
    best: first.best + second.best,
    worst: first.worst + second.worst,
  });
}

/** Side by side and independent: the longer one counts. */
export function sideBySide(a: Times, b: Times): Times {
  const [ms, probability] = pointsFor(a.ms.length + b.ms.length);
  let [i, j, points] = [0, 0, 0];
  let [upToA, upToB, before] = [0, 0, 0];
  while (i < a.ms.length || j < b.ms.length) {
    const moment = Math.min(a.ms[i] ?? Infinity, b.ms[j] ?? Infinity);
    if (a.ms[i] === moment) upToA += a.probability[i++] ?? 0;
    if (b.ms[j] === moment) upToB += b.probability[j++] ?? 0;
    const upTo = upToA * upToB;
    if (upTo === before) continue;
    ms[points] = moment;
    probability[points++] = upTo - before;
    before = upTo;
  }
  const [best, worst] = [Math.max(a.best, b.best), Math.max(a.worst, b.worst)];
  const rising = {
    ms: ms.subarray(0, points),
    probability: probability.subarray(0, points),
    mass: a.mass * b.mass,
    best,
    worst,
  };
  return points > KEPT ? binned(rising) : rising;
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

function pointsFor(count: number): readonly [ms: Float64Array, probability: Float64Array] {
  return [new Float64Array(count), new Float64Array(count)];
}

/** Brings points into rising order, merges those of one moment, and bins them if there are too many. */
function compact(times: Times): Times {
  return times.ms.length > KEPT ? binned(times) : sorted(times);
}

function sorted(times: Times): Times {
  // To sort numbers takes a fraction of what it takes to sort their places by them.
  const ms = times.ms.slice().sort();
  let points = 0;
  for (let i = 0; i < ms.length; i += 1) {
    const moment = ms[i] ?? 0;
    if (points === 0 || ms[points - 1] !== moment) ms[points++] = moment;
  }
  const moments = ms.subarray(0, points);
  const probability = new Float64Array(points);
  for (let i = 0; i < times.ms.length; i += 1) {
    const place = placeOf(times.ms[i] ?? 0, moments);
    probability[place] = (probability[place] ?? 0) + (times.probability[i] ?? 0);
  }
  return { ...times, ms: moments, probability };
}

/** Where a moment is among moments in rising order. */
function placeOf(moment: number, moments: Float64Array): number {
  let [from, to] = [0, moments.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((moments[middle] ?? 0) < moment) from = middle + 1;
    else to = middle;
  }
  return from;
}

function binned(times: Times): Times {
  const width = (times.worst - times.best) / BINS || 1;
  const [sums, masses] = pointsFor(BINS);
  for (let i = 0; i < times.ms.length; i += 1) {
    const ms = times.ms[i] ?? 0;
    const probability = times.probability[i] ?? 0;
    const bin = Math.min(BINS - 1, Math.floor((ms - times.best) / width));
    sums[bin] = (sums[bin] ?? 0) + ms * probability;
    masses[bin] = (masses[bin] ?? 0) + probability;
  }
  const filled = [...masses.keys()].filter((bin) => (masses[bin] ?? 0) > 0);
  return {
    ...times,
    ms: Float64Array.from(filled, (bin) => (sums[bin] ?? 0) / (masses[bin] ?? 1)),
    probability: Float64Array.from(filled, (bin) => masses[bin] ?? 0),
  };
}
