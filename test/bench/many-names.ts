/**
 * Many names in one run: what an exchange costs the processor, over bare Node that opens a socket for it,
 * and the most memory that the run had. `million` among the arguments means a million lines.
 */
import { availableParallelism } from 'node:os';
import { tell } from './figure.ts';
import { shown, size } from './figures.ts';
import { bareTime } from './lab/bare.ts';
import { type LeanLab, spawnLab } from './lab/spawn-lab.ts';
import { knows, labFlags, PROGRAMS, type Program, runForUsage } from './program.ts';
import { WORLDS } from './worlds/worlds.ts';

const IS_MILLION = process.argv.includes('million');
const LINES = IS_MILLION ? 1_000_000 : 20_000;
/** Nobody would ask the root a million times. */
const SHARING = '--share-referrals';
const BARE = { times: 20_000, atOnce: 64 };
const MIB = 1024 * 1024;

const lab = await spawnLab('many', 0);
try {
  await measure(lab);
} finally {
  lab.close();
}

async function measure(lab: LeanLab): Promise<void> {
  const labBefore = (await lab.seen()).cpuMs;
  const bare = bareTime(lab, WORLDS.many.ask, BARE);
  const limit = bare.cpuMs / BARE.times;
  const seen = await lab.seen();
  const rate = BARE.times / ((seen.cpuMs - labBefore) / 1_000);
  for (const program of PROGRAMS) await run(program, lab, { limit, rate });
}

/** What bare Node takes per exchange in milliseconds of processor time, and how many a core of the lab can answer a second. */
interface Limits {
  readonly limit: number;
  readonly rate: number;
}

async function run(program: Program, lab: LeanLab, { limit, rate }: Limits): Promise<void> {
  const lines = Array.from({ length: LINES }, (_, at) => `d${`${at}`.padStart(7, '0')}.test\n`);
  const sharing = IS_MILLION && knows(program, SHARING) ? [SHARING] : [];
  const args = ['traverse', '-f', '-', '--jobs', '64', ...sharing, ...labFlags(program, lab)];
  const { cpuMs: labBefore } = await lab.seen();
  const { cpuMs, tookMs, peak } = runForUsage(program, args, lines.join(''));
  const { asked, cpuMs: labAfter } = await lab.seen();
  const each = cpuMs / asked;
  const cores = availableParallelism();
  const busy = (ms: number) => (ms / tookMs).toFixed(2);
  const labMs = labAfter - labBefore;
  tell(
    'many-cpu',
    program,
    each / limit,
    `${us(each)}, bare ${us(limit)}; ${LINES} names, ${asked} exchanges in ${shown(tookMs)}; the lab can do ${Math.round(rate)} a second`,
  );
  tell(
    'many-cores',
    program,
    (100 * (cpuMs + labMs)) / (tookMs * cores),
    `of ${cores} processors, svc had ${busy(cpuMs)}, the lab ${busy(labMs)}`,
  );
  tell('many-memory', program, peak / MIB, `${size(peak)} for ${LINES} lines`);
}

function us(ms: number): string {
  return `${(ms * 1_000).toPrecision(3)} µs`;
}
