/**
 * What proof costs: the wall time of a traversal with `--views validating` where all zones are signed, over that of one without
 * in the same world unsigned. Zones' keys are asked for beside the question, and DS records come with referrals, so
 * the longest chain of exchanges is the same.
 */
import { tell } from './figure.ts';
import { quantile, shown } from './figures.ts';
import { type LeanLab, spawnLab } from './lab/spawn-lab.ts';
import { knows, labFlags, PROGRAMS, type Program, runNode } from './program.ts';
import { CLASSIC } from './worlds/plain.ts';

const DELAY_MS = 20;
const RUNS = 7;

const plain = await spawnLab('classic', DELAY_MS);
const signed = await spawnLab('classic-signed', DELAY_MS);
try {
  for (const program of PROGRAMS) await measure(program);
} finally {
  plain.close();
  signed.close();
}

async function measure(program: Program): Promise<void> {
  const quick = knows(program, '--quick') ? ['--quick'] : [];
  const proof = ['--views', 'validating', '--trust-anchor', signed.anchorFile];
  const less = { lab: plain, args: argsFor(program, plain, quick), took: Array.of<number>(), asked: 0 };
  const more = { lab: signed, args: argsFor(program, signed, proof), took: Array.of<number>(), asked: 0 };
  // The first run, which does not count, has the labs make their replies.
  for (let count = 0; count <= RUNS; count += 1) {
    for (const run of [less, more]) {
      const { tookMs } = runNode(run.args);
      run.asked = (await run.lab.seen()).asked;
      if (count > 0) run.took.push(tookMs);
    }
  }
  const [without, withProof] = [quantile(less.took, 0.5), quantile(more.took, 0.5)];
  const measured = `${more.asked} exchanges in ${shown(withProof)}, ${less.asked} in ${shown(without)}`;
  tell('signed', program, withProof / without, measured);
}

function argsFor(program: Program, lab: LeanLab, flags: readonly string[]): readonly string[] {
  return [program.svc, 'traverse', CLASSIC.ask, ...labFlags(program, lab), ...flags];
}
