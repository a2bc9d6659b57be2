/**
 * What the views of the first answer cost: the wall time of a traversal with all of them, over that with `--quick`, paired
 * in the same worlds. Each question is asked again once all is known, to see whether its answer varies: that round trip is
 * set aside. The arguments may name the worlds.
 */
import { tell } from './figure.ts';
import { quantile, shown } from './figures.ts';
import { type LeanLab, spawnLab } from './lab/spawn-lab.ts';
import { knows, labFlags, PROGRAMS, type Program, runNode } from './program.ts';
import type { BenchWorld } from './worlds/world.ts';
import { WORLDS, type WorldName } from './worlds/worlds.ts';

const DELAY_MS = 20;
const RUNS = 5;

const NAMES = [
  'small',
  'classic',
  'classic-signed',
  'wide-3-6',
  'wide-6-6',
  'wide-8-8',
  'wide-13-4',
] as const satisfies readonly WorldName[];

const programs = PROGRAMS.filter((program) => knows(program, '--quick'));
const ratios = new Map(programs.map((program) => [program, Array.of<number>()]));
const measured = new Map(programs.map((program) => [program, Array.of<string>()]));
const named = NAMES.filter((world) => process.argv.includes(world));
for (const world of named.length > 0 ? named : NAMES) {
  const lab = await spawnLab(world, DELAY_MS);
  try {
    for (const program of programs) measure(program, world, lab);
  } finally {
    lab.close();
  }
}
for (const program of programs) {
  const each = ratios.get(program) ?? [];
  tell('views', program, quantile(each, 0.5), (measured.get(program) ?? []).join('; '));
}

function measure(program: Program, world: WorldName, lab: LeanLab): void {
  const asking = [program.svc, 'traverse', WORLDS[world].ask, ...labFlags(program, lab)];
  const { isSigned }: BenchWorld = WORLDS[world];
  const all = isSigned ? [...asking, '--trust-anchor', lab.anchorFile] : asking;
  const [quick, whole] = [Array.of<number>(), Array.of<number>()];
  // The first run, which does not count, has the lab make its replies.
  for (let count = 0; count <= RUNS; count += 1) {
    const without = runNode([...asking, '--quick']).tookMs;
    const withAll = runNode(all).tookMs - DELAY_MS;
    if (count === 0) continue;
    quick.push(without);
    whole.push(withAll);
  }
  const [without, withAll] = [quantile(quick, 0.5), quantile(whole, 0.5)];
  ratios.get(program)?.push(withAll / without);
  measured.get(program)?.push(`${world} ${shown(withAll)} of ${shown(without)}`);
}
