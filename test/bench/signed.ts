/**
 * What proof costs: the wall time of a traversal with `--dnssec` where all zones are signed, over that of one without
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
  for (const program of PROGRAMS) if (knows(program, '--dnssec')) await measure(program);
} finally {
  plain.close();
  signed.close();
}

async function measure(program: Program): Promise<void> {
  const proof = ['--dnssec', '--trust-anchor', signed.anchorFile];
  const without: number[] = [];
  const withProof: number[] = [];
  const asked = { without: 0, withProof: 0 };
  // The first run, which does not count, has the labs make their replies.
  for (let count = 0; count <= RUNS; count += 1) {
    const runs = [await run(program, plain, []), await run(program, signed, proof)] as const;
    if (count === 0) continue;
    without.push(runs[0].tookMs);
    withProof.push(runs[1].tookMs);
    asked.without = runs[0].asked;
    asked.withProof = runs[1].asked;
  }
  const [less, more] = [quantile(without, 0.5), quantile(withProof, 0.5)];
  const measured = `${asked.withProof} exchanges in ${shown(more)}, ${asked.without} in ${shown(less)}`;
  tell('signed', program, more / less, measured);
}

async function run(program: Program, lab: LeanLab, flags: readonly string[]) {
  const { tookMs } = runNode([program.svc, 'traverse', CLASSIC.ask, ...labFlags(program, lab), ...flags]);
  return { tookMs, asked: (await lab.seen()).asked };
}
