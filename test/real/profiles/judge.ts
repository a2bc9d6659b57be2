import { chanceOf } from '../../../src/base/chance.ts';

/** What a profile says that users get: the share of each outcome, and the share of those who get an answer or a denial at the second try only. */
export interface Said {
  readonly shares: ReadonlyMap<string, number>;
  readonly late: number;
  /** The sentences of the profile that say where the product may do otherwise here. */
  readonly deviations: readonly string[];
}

/** What users got of a world, from one product. */
export interface Got {
  /** By what it was: "answer fresh", "nxdomain", "nodata", "servfail", "timeout". */
  readonly counts: ReadonlyMap<string, number>;
  /** How many of them got an answer or a denial only when they asked again. */
  readonly late: number;
}

/** What is wrong with a profile for one world. */
interface Verdict {
  /** What was seen, more often than rare branches explain, although the profile says that it cannot happen. */
  readonly impossible: ReadonlyMap<string, number>;
  /** How likely counts as far off as these are, if the profile is right. */
  readonly p: number;
}

/** svc-model(7), PROFILES: branches that are rarer may be left out. */
const RARE = 0.02;
const LEVEL = 0.01;

/** Compares what users got with what the profile says. */
export function judge({ shares }: Said, { counts }: Got): Verdict {
  const isSaid = ([outcome]: readonly [string, number]) => (shares.get(outcome) ?? 0) > 0;
  const total = sumOf(counts);
  const unsaid = [...counts].filter((one) => one[1] > 0 && !isSaid(one));
  const impossible = unsaid.filter(([, count]) => atLeast(count, total, RARE) < LEVEL);
  const p = impossible.length > 0 ? 0 : pValue(shares, new Map([...counts].filter(isSaid)));
  return { impossible: new Map(impossible), p };
}

/** The same for those who got it at the second try only; a share that is rare may be left out here, too. */
export function judgeLate({ late }: Said, got: Got): number {
  const total = sumOf(got.counts);
  const said = Math.min(1 - RARE, Math.max(RARE, late));
  const both = new Map([
    ['late', said],
    ['in time', 1 - said],
  ]);
  return pValue(
    both,
    new Map([
      ['late', got.late],
      ['in time', total - got.late],
    ]),
  );
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** How likely so many or more of so many tries are, each with this probability. */
function atLeast(count: number, total: number, probability: number): number {
  let term = (1 - probability) ** total;
  let less = 0;
  for (let k = 0; k < count; k += 1) {
    less += term;
    term *= ((total - k) / (k + 1)) * (probability / (1 - probability));
  }
  return 1 - less;
}

/**
 * The p-value of the chi-square statistic. Cells are small, where its distribution is not that of the tables: so it is
 * compared with that of counts drawn by these shares.
 */
export function pValue(shares: ReadonlyMap<string, number>, counts: ReadonlyMap<string, number>): number {
  const expected = [...shares].filter(([, share]) => share > 0);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const statistic = (seen: readonly number[]) =>
    expected.reduce((sum, [, share], i) => sum + ((seen[i] ?? 0) - total * share) ** 2 / (total * share), 0);
  const actual = statistic(expected.map(([outcome]) => counts.get(outcome) ?? 0));
  let atLeast = 0;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const seen = expected.map(() => 0);
    for (let i = 0; i < total; i += 1) {
      const at = drawn(expected, chanceOf(`${draw} ${i}`));
      seen[at] = (seen[at] ?? 0) + 1;
    }
    if (statistic(seen) >= actual - ROUNDING) atLeast += 1;
  }
  return (atLeast + 1) / (DRAWS + 1);
}

const DRAWS = 3000;
const ROUNDING = 1e-9;

function drawn(shares: readonly (readonly [string, number])[], chance: number): number {
  let sum = 0;
  for (const [i, [, share]] of shares.entries()) {
    sum += share;
    if (chance < sum) return i;
  }
  return shares.length - 1;
}
