import t from 'tap';
import { causeOf, type End } from '../../src/evaluate/end.ts';
import { BruteForce, TooMany } from './brute-force.ts';
import type { Leaf } from './leaf.ts';
import { limitedTo, randomWorld, type World } from './random-world.ts';
import { compareView, type Run, runWorld } from './run-world.ts';

const WORLDS = 600;
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
    for (const kind of found.evaluation.outcomes.flatMap(({ end }) => kindsIn(end))) {
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
    t.ok((seen.get(kind) ?? 0) >= 20, `worlds end in ${kind} often enough`, { seen: seen.get(kind) });
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
    ...compareView('path view', expected.paths, evaluation.outcomes),
    ...compareView('resolver view', expected.resolver, evaluation.resolverOutcomes),
  ];
  if (evaluation.paths !== BigInt(expected.paths.length)) {
    differences.push(`paths: ${evaluation.paths}, expected ${expected.paths.length}`);
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
