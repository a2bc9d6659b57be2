import t from 'tap';
import { type Outcome, outcomesOf } from '../../src/evaluate/distribution.ts';
import { unexamined } from '../../src/evaluate/end.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { AS_RECORDED } from '../../src/evaluate/evaluated-world.ts';
import { ResolverView } from '../../src/evaluate/resolver-view.ts';
import { resolvingWithinWork } from '../../src/evaluate/within-work.ts';
import type { Recording } from '../../src/explore/recording.ts';
import { Work } from '../../src/explore/work.ts';
import { forEachInTurn, runThrough } from '../../src/pausable.ts';
import { randomRingWorld } from './random-ring-world.ts';
import { compareLines, runWorld, spelledView } from './run-world.ts';
import { exploreTable, spelledOutcomes, type TableWorld } from './table-world.ts';

/** Zones with a server of their own, and one in each other zone that has to be looked up. */
function ring(size: number, own: string): TableWorld {
  const zones = Array.from({ length: size }, (_, at) => `z${at}.`);
  const servers = (at: number) =>
    zones.map((zone, other) => (other === at ? `own.${zone}=10.0.${at}.1` : `ns.${zone}`)).join(' ');
  return {
    ask: 'www.z0. A',
    roots: 'r.=192.0.2.1',
    says: Object.fromEntries(
      zones.flatMap((zone, at): [string, string][] => [
        [`192.0.2.1 ns.${zone} A`, `referral ${zone} ${servers(at)}`],
        [`192.0.2.1 www.${zone} A`, `referral ${zone} ${servers(at)}`],
        ...zones.flatMap((_, by): [string, string][] => [
          [`10.0.${by}.1 ns.${zone} A`, by === 1 ? own : `answer 10.0.${at}.2`],
          [`10.0.${by}.2 ns.${zone} A`, `answer 10.0.${at}.2`],
          [`10.0.${by}.1 www.${zone} A`, `answer 203.0.113.${by}`],
          [`10.0.${by}.2 www.${zone} A`, `answer 203.0.113.${by}`],
        ]),
      ]),
    ),
  };
}

for (const [what, own] of [
  ['all servers reply', 'answer 10.0.1.2'],
  ['a zone depends on the others', 'timeout'],
] as const) {
  t.test(`where ${what}, a ring is known to resolvers although its paths are too many`, async (t) => {
    const { recording, evaluation } = await exploreTable(ring(6, own));
    t.equal(evaluation.coverage, 'whole');
    const limited = evaluate({ ...recording, scope: { ...recording.scope, maxWork: 1_000 } });
    t.ok(limited.outcomes.some(({ end }) => unexamined(end) !== undefined));
    t.same(spelledOutcomes(limited.resolverOutcomes), spelledOutcomes(evaluation.resolverOutcomes));
  });
}

interface Resolved {
  readonly steps: number;
  readonly outcomes: readonly Outcome[];
}

function resolved(recording: Recording, kind: 'cold' | 'warm'): Resolved {
  return runThrough(
    resolvingWithinWork({ recording, world: AS_RECORDED, kind }, function* ({ start, steps }) {
      const view = new ResolverView(new Work(Number.POSITIVE_INFINITY));
      yield* forEachInTurn(steps, (step) => view.fold(step));
      return { steps: steps.length, outcomes: outcomesOf(view.distribution(start)) };
    }),
  );
}

const WORLDS = 400;

t.test(`${WORLDS} random rings are the same to resolvers in the fewer steps that these need`, async (t) => {
  let fewer = 0;
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const { recording, evaluation } = await runWorld(randomRingWorld(seed), 100_000, 'on');
    if (isBeyondWork(evaluation.outcomes)) continue;
    const [cold, warm] = [resolved(recording, 'cold'), resolved(recording, 'warm')];
    const differences = [
      ...compare('cold', evaluation.resolverOutcomes, cold),
      ...compare('warm', evaluation.warm?.resolverOutcomes ?? [], warm),
    ];
    if (differences.length > 0) t.fail(`world ${seed}`, { differences });
    if (cold.steps < evaluation.passes.size) fewer += 1;
  }
  t.ok(fewer >= WORLDS / 8, `${fewer} worlds in fewer steps`);
});

function isBeyondWork(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ end }) => unexamined(end)?.kind === 'work-limit');
}

function compare(walk: string, expected: readonly Outcome[], { outcomes }: Resolved): string[] {
  return compareLines(walk, spelledView(expected), spelledView(outcomes));
}
