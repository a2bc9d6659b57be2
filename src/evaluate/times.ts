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

/**
 * A distribution of more points than `KEPT` is put into `BINS`, each at the mean of its points. That
 * keeps means as they are; only the longer of two lookups side by side comes out up to a bin's width
 * off.
 */
const KEPT = 1_024;
const BINS = 256;

/** Certainly this long, with this much of the probability. */
export function exactly(ms: number, mass: number): Times {
  return { ms: Float64Array.of(ms), probability: Float64Array.of(mass), mass, best: ms, worst: ms };
}

/** The same paths later by `by` milliseconds, and less probable by the factor `weight`. */
export function shifted(times: Times, by: number, weight: number): Times {
  return {
    ms: times.ms.map((ms) => ms + by),
    probability: times.probability.map((probability) => probability * weight),
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
    best: Math.min(...parts.map(({ best }) => best)),
    worst: Math.max(...parts.map(({ worst }) => worst)),
  });
}

/** One after the other, the second independent of the first. */
export function inSequence(first: Times, second: Times): Times {
  if (first.ms.length === 1) return shifted(second, first.best, first.mass);
  const [ms, probability] = pointsFor(first.ms.length * second.ms.length);
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
  const ms = Float64Array.from(new Set([...a.ms, ...b.ms])).sort();
  const [upToA, upToB] = [cumulative(a), cumulative(b)];
  let before = 0;
  const probability = ms.map((moment) => {
    const both = upToA(moment) * upToB(moment);
    const here = both - before;
    before = both;
    return here;
  });
  const [best, worst] = [Math.max(a.best, b.best), Math.max(a.worst, b.worst)];
  return compact({ ms, probability, mass: a.mass * b.mass, best, worst });
}

/** The sum of time × probability: the mean, times the mass. */
export function weightedMean({ ms, probability }: Times): number {
  return ms.reduce((sum, moment, i) => sum + moment * (probability[i] ?? 0), 0);
}

function pointsFor(count: number): readonly [ms: Float64Array, probability: Float64Array] {
  return [new Float64Array(count), new Float64Array(count)];
}

/** Reads the probability of at most `moment`, for rising moments. */
function cumulative({ ms, probability }: Times): (moment: number) => number {
  let [next, sum] = [0, 0];
  return (moment) => {
    while (next < ms.length && (ms[next] ?? 0) <= moment) {
      sum += probability[next] ?? 0;
      next += 1;
    }
    return sum;
  };
}

/** Brings points into rising order, those of one moment together, and not too many of them. */
function compact(times: Times): Times {
  return times.ms.length > KEPT ? binned(times) : sorted(times);
}

function sorted(times: Times): Times {
  const sums = new Map<number, number>();
  times.ms.forEach((ms, i) => {
    sums.set(ms, (sums.get(ms) ?? 0) + (times.probability[i] ?? 0));
  });
  const ms = Float64Array.from(sums.keys()).sort();
  return { ...times, ms, probability: ms.map((moment) => sums.get(moment) ?? 0) };
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
