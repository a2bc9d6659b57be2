/** What whole processes take over starting Node: runs of both in turn. */
import { tell } from './figure.ts';
import { quantile, shown } from './figures.ts';
import { type LeanLab, spawnLab } from './lab/spawn-lab.ts';
import { labFlags, PROGRAMS, type Program, runNode } from './program.ts';
import { WORLDS } from './worlds/worlds.ts';

const RUNS = 15;

const lab = await spawnLab('small', 0);
try {
  measure(lab);
} finally {
  lab.close();
}

function measure(lab: LeanLab): void {
  const runs = PROGRAMS.flatMap((program) => [
    timing(program, 'version', ['--version']),
    timing(program, 'start', ['traverse', WORLDS.small.ask, ...labFlags(program, lab)]),
  ]);
  const node: number[] = [];
  for (let count = 0; count < RUNS; count += 1) {
    node.push(runNode(['-e', '0']).tookMs);
    for (const { args, took } of runs) took.push(runNode(args).tookMs);
  }
  const limit = quantile(node, 0.5);
  for (const { program, row, took } of runs) {
    const ms = quantile(took, 0.5);
    tell(row, program, ms / limit, `${shown(ms)}, node -e 0 ${shown(limit)}`);
  }
}

function timing(program: Program, row: 'version' | 'start', args: readonly string[]) {
  return { program, row, args: [program.svc, ...args], took: Array.of<number>() };
}
