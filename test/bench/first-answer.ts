/**
 * The first answer, all views: how long after the first query the last word stands on the screen, over the longest chain
 * of exchanges of which each can begin only when the one before has ended, repeats included. Each server is 30 ms away.
 */
import { tell } from './figure.ts';
import { quantile, shown } from './figures.ts';
import { type LeanLab, spawnLab } from './lab/spawn-lab.ts';
import { labFlags, PROGRAMS, type Program, runOnTerminal } from './program.ts';
import { WORLDS, type WorldName } from './worlds/worlds.ts';

const DELAY_MS = 30;
const RUNS = 7;
const NAMES = ['small', 'classic'] as const satisfies readonly WorldName[];
/** Once all is known the question is asked again, to see whether the answer varies. */
const REPEATS = 1;

for (const world of NAMES) {
  const lab = await spawnLab(world, DELAY_MS);
  try {
    for (const program of PROGRAMS) await measure(program, world, lab);
  } finally {
    lab.close();
  }
}

async function measure(program: Program, world: (typeof NAMES)[number], lab: LeanLab): Promise<void> {
  const { ask, chain } = WORLDS[world];
  const took: number[] = [];
  const last: number[] = [];
  // The first run, which does not count, has the lab make its replies.
  for (let count = 0; count <= RUNS; count += 1) {
    const endMs = await runOnTerminal([program.svc, 'traverse', ask, ...labFlags(program, lab)]);
    const { firstMs, lastMs } = await lab.seen();
    if (count === 0) continue;
    took.push(endMs - firstMs);
    last.push(lastMs - firstMs);
  }
  const limit = (chain + REPEATS) * DELAY_MS;
  const whole = quantile(took, 0.5);
  tell(
    `answer-${world}`,
    program,
    whole / limit,
    `${shown(whole)}, the last reply after ${shown(quantile(last, 0.5))}, the chain ${shown(limit)}`,
  );
}
