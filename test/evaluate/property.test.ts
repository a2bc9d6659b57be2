import t from 'tap';
import { causeOf, type End } from '../../src/evaluate/end.ts';
import { outcomesIn } from '../../src/evaluate/evaluate.ts';
import { lowestTerms, toNumber } from '../../src/evaluate/fraction.ts';
import { BruteForce, TooMany } from './brute-force.ts';
import type { Leaf } from './leaf.ts';
import { randomWarmWorld } from './random-warm-world.ts';
import { limitedTo, randomWorld, type World } from './random-world.ts';
import { compareLines, compareView, type Run, runWorld, spelledView } from './run-world.ts';

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

const WORLDS = 160;
const MOST_PATHS = 60_000;

t.test(`evaluation equals brute force on ${WORLDS} random worlds`, async (t) => {
  const seen = new Map<string, number>();
  let compared = 0;
  for (let seed = 1; compared < WORLDS; seed += 1) {
    const world = randomWorld(seed);
    const expected = enumerate(world);
    if (expected === undefined) continue;
    compared += 1;
    const found = await runWorld(world, 100_000, 'off');
    for (const kind of outcomesIn(found.evaluation, 'first-tries').flatMap(({ end }) => kindsIn(end))) {
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
    const differences = compareAll(expected, found);
    if (differences.length > 0) t.fail(`world ${seed}`, { differences });
    const limited = await runLimited(world, Math.ceil(found.asked.length / 2));
    if (limited.length > 0) t.fail(`world ${seed}, half of its questions`, { differences: limited });
  }
  t.equal(compared, WORLDS);
  const kinds = ['answer', 'nxdomain', 'nodata', 'timeout', 'error', 'lame', 'loop', 'no-glue', 'alias-loop'];
  for (const kind of [...kinds, 'unresolvable-ns', 'depth-limit', 'malformed', 'unreachable', 'blocked']) {
    t.ok((seen.get(kind) ?? 0) >= WORLDS / 16, `worlds end in ${kind} often enough`, {
      seen: seen.get(kind),
    });
  }
});

function kindsIn(end: End): string[] {
  return [...new Set([end.kind, causeOf(end).kind])];
}

interface Expected {
  readonly paths: readonly Leaf[];
  readonly resolver: readonly Leaf[];
  readonly asked: ReadonlySet<string>;
  readonly mayBeAsked: ReadonlySet<string>;
}

function enumerate(world: World): Expected | undefined {
  try {
    const kept = new BruteForce(world, 'kept', MOST_PATHS);
    const paths = kept.paths();
    const resolver = new BruteForce(world, 'kept', MOST_PATHS).resolver();
    const ignored = new BruteForce(world, 'ignored', MOST_PATHS * 4);
    ignored.paths();
    return { paths, resolver, asked: kept.asked, mayBeAsked: ignored.asked };
  } catch (error) {
    if (error instanceof TooMany) return undefined;
    throw error;
  }
}

/** With half the query budget: what counts is all that the brute force may know. */
async function runLimited(world: World, maxQueries: number): Promise<string[]> {
  const found = await runWorld(world, maxQueries, 'off');
  if (found.counted.size > maxQueries) return [`${found.counted.size} of ${maxQueries} count`];
  if (found.asked.length > 2 * maxQueries) return [`asked ${found.asked.length}, ${maxQueries} count`];
  const expected = enumerate(limitedTo(world, found.counted));
  if (expected === undefined) return [];
  // What is asked breadth first may lie on paths that only the unasked part would have led to.
  return compareAll({ ...expected, mayBeAsked: new Set(found.asked) }, found);
}

function compareAll(expected: Expected, found: Run): string[] {
  const { evaluation, asked } = found;
  const differences = [
    ...compareView('path view', expected.paths, outcomesIn(evaluation, 'first-tries')),
    ...compareView('resolver view', expected.resolver, outcomesIn(evaluation, 'resolver')),
  ];
  const paths = evaluation.countPaths();
  if (paths !== BigInt(expected.paths.length)) {
    differences.push(`paths: ${paths}, expected ${expected.paths.length}`);
  }
  if (new Set(asked).size !== asked.length) differences.push('something was asked twice');
  for (const one of expected.asked) if (!asked.includes(one)) differences.push(`not asked: ${one}`);
  for (const one of asked) if (!expected.mayBeAsked.has(one)) differences.push(`needlessly asked: ${one}`);
  const { best, mean, worst } = evaluation.latency;
  const times = expected.paths.map(({ ms }) => ms);
  const weighted = expected.paths.reduce((sum, { ms, p }) => sum + (ms * Number(p[0])) / Number(p[1]), 0);
  if (best !== Math.min(...times) || worst !== Math.max(...times) || Math.abs(mean - weighted) > 1e-6) {
    differences.push(
      `latency ${best} ${mean} ${worst}, expected ${Math.min(...times)} ${weighted} ${Math.max(...times)}`,
    );
  }
  return differences;
}

const WORLDS_WARM_PROPERTY = 120;
const MOST_PATHS_WARM_PROPERTY = 20_000;
const UNLIMITED = 100_000;

t.test(`the warm walk equals brute force on ${WORLDS_WARM_PROPERTY} random worlds`, async (t) => {
  let compared = 0;
  let different = 0;
  for (let seed = 1; compared < WORLDS_WARM_PROPERTY; seed += 1) {
    const world = randomWarmWorld(seed);
    const expected = enumerateWarmProperty(world);
    if (expected === undefined) continue;
    compared += 1;
    const found = await runBoth(world, UNLIMITED);
    if (differsWarm(found.checked)) different += 1;
    const differences = [...compareViews(expected, found), ...compareAsked(expected, found.checked)];
    if (differences.length > 0) t.fail(`world ${seed}`, { differences });
    for (const maxQueries of [found.cold.asked.length, found.checked.asked.length].map(half)) {
      const limited = await compareLimited(world, maxQueries, expected);
      if (limited.length > 0) t.fail(`world ${seed}, ${maxQueries} questions`, { differences: limited });
    }
  }
  t.equal(compared, WORLDS_WARM_PROPERTY);
  t.ok(different >= WORLDS_WARM_PROPERTY / 4, 'cold and warm differ often enough', { different });
});

function half(count: number): number {
  return Math.ceil(count / 2);
}

function differsWarm({ evaluation }: Run): boolean {
  const warm = spelledView(outcomesIn(evaluation, 'first-tries/warm'));
  return compareLines('', spelledView(outcomesIn(evaluation, 'first-tries')), warm).length > 0;
}

interface WarmPropertyExpected {
  readonly paths: readonly Leaf[];
  readonly resolver: readonly Leaf[];
  readonly warmPaths: readonly Leaf[];
  readonly warmResolver: readonly Leaf[];
  readonly walked: ReadonlySet<string>;
  readonly asked: ReadonlySet<string>;
  readonly mayBeWalked: ReadonlySet<string>;
  readonly mayBeAsked: ReadonlySet<string>;
}

function enumerateWarmProperty(world: World): WarmPropertyExpected | undefined {
  try {
    const kept = new BruteForce(world, 'kept', MOST_PATHS_WARM_PROPERTY);
    const views = { paths: kept.paths(), warmPaths: kept.warmPaths() };
    const resolver = new BruteForce(world, 'kept', MOST_PATHS_WARM_PROPERTY).resolver();
    const warmResolver = new BruteForce(world, 'kept', MOST_PATHS_WARM_PROPERTY).warmResolver();
    const ignored = new BruteForce(world, 'ignored', MOST_PATHS_WARM_PROPERTY * 4);
    ignored.paths();
    ignored.warmPaths();
    return {
      ...views,
      resolver,
      warmResolver,
      walked: kept.asked,
      asked: new Set([...kept.asked, ...kept.zoneQuestions()]),
      mayBeWalked: ignored.asked,
      mayBeAsked: new Set([...ignored.asked, ...ignored.zoneQuestions()]),
    };
  } catch (error) {
    if (error instanceof TooMany) return undefined;
    throw error;
  }
}

/** A world walked without and with `--check`. */
interface Both {
  readonly cold: Run;
  readonly checked: Run;
}

async function runBoth(world: World, maxQueries: number): Promise<Both> {
  const cold = await runWorld(world, maxQueries, 'off');
  return { cold, checked: await runWorld(world, maxQueries, 'on') };
}

function compareViews(expected: WarmPropertyExpected, { cold, checked }: Both): string[] {
  return [
    ...compareView('cold path view', expected.paths, outcomesIn(checked.evaluation, 'first-tries')),
    ...compareView('cold resolver view', expected.resolver, outcomesIn(checked.evaluation, 'resolver')),
    ...compareView('warm path view', expected.warmPaths, outcomesIn(checked.evaluation, 'first-tries/warm')),
    ...compareView('warm resolver view', expected.warmResolver, outcomesIn(checked.evaluation, 'warm')),
    ...compareLines('cold with the check', coldText(cold), coldText(checked)),
  ];
}

/** All that the cold walk comes to. */
function coldText({ evaluation }: Run): string[] {
  const { countPaths, latency } = evaluation;
  const views = [
    ...spelledView(outcomesIn(evaluation, 'first-tries')),
    ...spelledView(outcomesIn(evaluation, 'resolver')).map((line) => `resolver ${line}`),
  ];
  return [...views, `${countPaths()} paths`, JSON.stringify(latency)];
}

function compareAsked(expected: WarmPropertyExpected, { asked }: Run): string[] {
  return [
    ...(new Set(asked).size === asked.length ? [] : ['something was asked twice']),
    ...[...expected.asked].filter((one) => !asked.includes(one)).map((one) => `not asked: ${one}`),
    ...asked.filter((one) => !expected.mayBeAsked.has(one)).map((one) => `needlessly asked: ${one}`),
  ];
}

/** With part of the questions: what counts is all that the brute force may know; the cold walk's count first. */
async function compareLimited(
  world: World,
  maxQueries: number,
  whole: WarmPropertyExpected,
): Promise<string[]> {
  const both = await runBoth(world, maxQueries);
  const { cold, checked } = both;
  const again = await runWorld(otherwiseTimed(world), maxQueries, 'on');
  const expected = enumerateWarmProperty(limitedTo(world, checked.counted));
  const reached = cold.limited ? cold.counted : warmIsLimited(checked) ? whole.mayBeWalked : checked.counted;
  return [
    ...(checked.counted.size > maxQueries ? [`${checked.counted.size} of ${maxQueries} count`] : []),
    ...(checked.asked.length > 2 * maxQueries ? [`asked ${checked.asked.length}, ${maxQueries} count`] : []),
    ...compareLines('repeated, with other times', [...checked.counted], [...again.counted]),
    ...[...cold.counted].filter((one) => !checked.counted.has(one)).map((one) => `does not count: ${one}`),
    ...[...checked.counted].filter((one) => !reached.has(one)).map((one) => `counts too early: ${one}`),
    ...(expected === undefined ? [] : compareViews(expected, both)),
  ];
}

function warmIsLimited({ evaluation }: Run): boolean {
  return outcomesIn(evaluation, 'first-tries/warm').some(({ end }) => end.kind === 'query-limit');
}

/** The world in which what was quickest is slowest. */
function otherwiseTimed(world: World): World {
  return { ...world, takes: (address, name, type) => 41 - world.takes(address, name, type) };
}
