import t from 'tap';
import { BruteForce, TooMany } from './brute-force.ts';
import type { Leaf } from './leaf.ts';
import { randomWarmWorld } from './random-warm-world.ts';
import { limitedTo, type World } from './random-world.ts';
import { compareLines, compareView, type Run, runWorld, spelledView } from './run-world.ts';

const WORLDS = 400;
const MOST_PATHS = 20_000;
const UNLIMITED = 100_000;

t.test(`the warm walk equals brute force on ${WORLDS} random worlds`, async (t) => {
  let compared = 0;
  let different = 0;
  for (let seed = 1; compared < WORLDS; seed += 1) {
    const world = randomWarmWorld(seed);
    const expected = enumerate(world);
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
  t.equal(compared, WORLDS);
  t.ok(different >= WORLDS / 4, 'cold and warm differ often enough', { different });
});

function half(count: number): number {
  return Math.ceil(count / 2);
}

function differsWarm({ evaluation }: Run): boolean {
  const warm = spelledView(evaluation.warm?.outcomes ?? []);
  return compareLines('', spelledView(evaluation.outcomes), warm).length > 0;
}

interface Expected {
  readonly paths: readonly Leaf[];
  readonly resolver: readonly Leaf[];
  readonly warmPaths: readonly Leaf[];
  readonly warmResolver: readonly Leaf[];
  readonly walked: ReadonlySet<string>;
  readonly asked: ReadonlySet<string>;
  readonly mayBeWalked: ReadonlySet<string>;
  readonly mayBeAsked: ReadonlySet<string>;
}

function enumerate(world: World): Expected | undefined {
  try {
    const kept = new BruteForce(world, 'kept', MOST_PATHS);
    const views = { paths: kept.paths(), warmPaths: kept.warmPaths() };
    const resolver = new BruteForce(world, 'kept', MOST_PATHS).resolver();
    const warmResolver = new BruteForce(world, 'kept', MOST_PATHS).warmResolver();
    const ignored = new BruteForce(world, 'ignored', MOST_PATHS * 4);
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

function compareViews(expected: Expected, { cold, checked }: Both): string[] {
  const { warm } = checked.evaluation;
  return [
    ...compareView('cold path view', expected.paths, checked.evaluation.outcomes),
    ...compareView('cold resolver view', expected.resolver, checked.evaluation.resolverOutcomes),
    ...compareView('warm path view', expected.warmPaths, warm?.outcomes ?? []),
    ...compareView('warm resolver view', expected.warmResolver, warm?.resolverOutcomes ?? []),
    ...compareLines('cold with the check', coldText(cold), coldText(checked)),
  ];
}

/** All that the cold walk comes to. */
function coldText({ evaluation }: Run): string[] {
  const { outcomes, resolverOutcomes, paths, latency } = evaluation;
  const views = [
    ...spelledView(outcomes),
    ...spelledView(resolverOutcomes).map((line) => `resolver ${line}`),
  ];
  return [...views, `${paths} paths`, JSON.stringify(latency)];
}

function compareAsked(expected: Expected, { asked }: Run): string[] {
  return [
    ...(new Set(asked).size === asked.length ? [] : ['something was asked twice']),
    ...[...expected.asked].filter((one) => !asked.includes(one)).map((one) => `not asked: ${one}`),
    ...asked.filter((one) => !expected.mayBeAsked.has(one)).map((one) => `needlessly asked: ${one}`),
  ];
}

/** With part of the questions: what counts is all that the brute force may know; the cold walk's count first. */
async function compareLimited(world: World, maxQueries: number, whole: Expected): Promise<string[]> {
  const both = await runBoth(world, maxQueries);
  const { cold, checked } = both;
  const again = await runWorld(otherwiseTimed(world), maxQueries, 'on');
  const expected = enumerate(limitedTo(world, checked.counted));
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
  return (evaluation.warm?.outcomes ?? []).some(({ end }) => end.kind === 'query-limit');
}

/** The world in which what was quickest is slowest. */
function otherwiseTimed(world: World): World {
  return { ...world, takes: (address, name, type) => 41 - world.takes(address, name, type) };
}
