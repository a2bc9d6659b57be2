/**
 * How long some part of all paths takes: `points` are [milliseconds, probability] in rising order, and
 * their probabilities sum to `mass`. Doubles: latency is measured, so it is not exact anyway.
 */
export interface Times {
  readonly points: readonly (readonly [ms: number, probability: number])[];
  readonly mass: number;
  readonly best: number;
  readonly worst: number;
}

/** Up to this number of points a distribution is kept as it is; beyond, neighbours are put together. */
const KEPT_POINTS = 2_048;
const BINS = 512;

/** Certainly this long, with this much of the probability. */
export function exactly(ms: number, mass: number): Times {
  return { points: [[ms, mass]], mass, best: ms, worst: ms };
}

/** The same paths, less probable. */
export function scaled(times: Times, weight: number): Times {
  const points = times.points.map(([ms, probability]) => [ms, probability * weight] as const);
  return { ...times, points, mass: times.mass * weight };
}

/** Parts of all paths put together. At least one is needed. */
export function mixture(parts: readonly Times[]): Times {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return compact({
    points: parts.flatMap(({ points }) => points),
    mass: parts.reduce((sum, { mass }) => sum + mass, 0),
    best: Math.min(...parts.map(({ best }) => best)),
    worst: Math.max(...parts.map(({ worst }) => worst)),
  });
}

/** One after the other, the second independent of the first. */
export function inSequence(first: Times, second: Times): Times {
  const [only] = first.points;
  if (only !== undefined && first.points.length === 1) return shifted(second, only[0], only[1]);
  const [a, b] =
    first.points.length * second.points.length > 65_536 ? [binned(first), binned(second)] : [first, second];
  return compact({
    points: a.points.flatMap(([ms, p]) => b.points.map(([more, q]) => [ms + more, p * q] as const)),
    mass: first.mass * second.mass,
    best: first.best + second.best,
    worst: first.worst + second.worst,
  });
}

function shifted(times: Times, by: number, weight: number): Times {
  const points = times.points.map(([ms, probability]) => [ms + by, probability * weight] as const);
  return { points, mass: times.mass * weight, best: times.best + by, worst: times.worst + by };
}

/** Side by side and independent: the longer one counts. */
export function sideBySide(a: Times, b: Times): Times {
  const moments = [...new Set([...a.points, ...b.points].map(([ms]) => ms))].sort((x, y) => x - y);
  const [upToA, upToB] = [cumulative(a), cumulative(b)];
  let before = 0;
  const points = moments.map((ms) => {
    const both = upToA(ms) * upToB(ms);
    const probability = both - before;
    before = both;
    return [ms, probability] as const;
  });
  return compact({
    points,
    mass: a.mass * b.mass,
    best: Math.max(a.best, b.best),
    worst: Math.max(a.worst, b.worst),
  });
}

/** The sum of time × probability: the mean, times the mass. */
export function weightedMean(times: Times): number {
  return times.points.reduce((sum, [ms, probability]) => sum + ms * probability, 0);
}

/** Reads the probability of at most `ms`, for rising `ms`. */
function cumulative(times: Times): (ms: number) => number {
  let [next, sum] = [0, 0];
  return (ms) => {
    for (let point = times.points[next]; point !== undefined && point[0] <= ms; point = times.points[next]) {
      sum += point[1];
      next += 1;
    }
    return sum;
  };
}

function compact(times: Times): Times {
  const sums = new Map<number, number>();
  for (const [ms, probability] of times.points) sums.set(ms, (sums.get(ms) ?? 0) + probability);
  if (sums.size > KEPT_POINTS) return binned(times);
  return { ...times, points: [...sums].sort(([a], [b]) => a - b) };
}

/** At most `BINS` points: neighbours are put together at their common mean, which keeps the mean. */
function binned(times: Times): Times {
  if (times.points.length <= BINS) return times;
  const width = (times.worst - times.best) / BINS || 1;
  const bins = new Map<number, [sum: number, probability: number]>();
  for (const [ms, probability] of times.points) {
    const index = Math.min(BINS - 1, Math.floor((ms - times.best) / width));
    const bin = bins.get(index) ?? [0, 0];
    bins.set(index, [bin[0] + ms * probability, bin[1] + probability]);
  }
  const points = [...bins.values()].filter(([, p]) => p > 0).map(([sum, p]) => [sum / p, p] as const);
  return { ...times, points: points.sort(([a], [b]) => a - b) };
}
