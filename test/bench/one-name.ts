/**
 * How long asking for one name takes, from the first query to the last reply as the servers see it, over the
 * longest chain of exchanges that have to wait for each other. A bare loop asks that chain in the same lab. The arguments may
 * name the worlds.
 */
import { tell } from './figure.ts';
import { quantile, shown } from './figures.ts';
import { bareTime } from './lab/bare.ts';
import { type LeanLab, spawnLab } from './lab/spawn-lab.ts';
import { knows, labFlags, PROGRAMS, type Program, runNode } from './program.ts';
import { WORLDS, type WorldName } from './worlds/worlds.ts';

const DELAY_MS = 20;
const RUNS = 5;
/** Of worlds whose chain is longer than this. */
const FEW_RUNS = 3;
const LONG_CHAIN = 15;

const NAMES = [
  'small',
  'classic',
  'wide-3-6',
  'wide-8-8',
  'wide-13-8',
] as const satisfies readonly WorldName[];

const named = NAMES.filter((world) => process.argv.includes(world));
for (const world of named.length > 0 ? named : NAMES) {
  const lab = await spawnLab(world, DELAY_MS);
  try {
    await measure(world, lab);
  } finally {
    lab.close();
  }
}

async function measure(world: (typeof NAMES)[number], lab: LeanLab): Promise<void> {
  const { ask, chain } = WORLDS[world];
  const runs = PROGRAMS.map((program) => {
    const quick = knows(program, '--quick') ? ['--quick'] : [];
    const args = [program.svc, 'traverse', ask, ...labFlags(program, lab), ...quick];
    return { program, args, asking: Array.of<number>(), whole: Array.of<number>(), asked: 0 };
  });
  const chains: number[] = [];
  // The first run, which does not count, has the lab make its replies.
  const most = chain > LONG_CHAIN ? FEW_RUNS : RUNS;
  for (let count = 0; count <= most; count += 1) {
    bareTime(lab, ask, { times: chain, atOnce: 1 });
    const bare = await lab.seen();
    if (count > 0) chains.push(bare.tookMs);
    for (const run of runs) {
      const { tookMs } = runNode(run.args);
      const seen = await lab.seen();
      run.asked = seen.asked;
      if (count === 0) continue;
      run.asking.push(seen.tookMs);
      run.whole.push(tookMs);
    }
  }
  const limit = quantile(chains, 0.5);
  for (const run of runs) say(world, run, limit);
}

interface Runs {
  readonly program: Program;
  readonly asking: readonly number[];
  readonly whole: readonly number[];
  readonly asked: number;
}

function say(world: (typeof NAMES)[number], { program, asking, whole, asked }: Runs, limit: number): void {
  const took = quantile(asking, 0.5);
  tell(
    world,
    program,
    took / limit,
    `${asked} exchanges in ${shown(took)}, the chain ${shown(limit)}, the process ${shown(quantile(whole, 0.5))}`,
  );
}
