/**
 * Many names in one run: the processor time of a name, in units of one bare exchange of Node's, and the most memory that
 * the run had. A number among the arguments is that of the names.
 */
import { tell } from './figure.ts';
import { shown, size } from './figures.ts';
import { bareTime } from './lab/bare.ts';
import { type LeanLab, spawnLab } from './lab/spawn-lab.ts';
import { knows, labFlags, PROGRAMS, type Program, runForUsage, type Usage } from './program.ts';
import { WORLDS } from './worlds/worlds.ts';

const NAMES = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 20_000);
/** All views of as many names would take minutes. */
const PART = 4;
const BARE = { times: 20_000, atOnce: 64 };
const MIB = 1024 * 1024;

const lab = await spawnLab('many', 0);
try {
  for (const program of PROGRAMS) await measure(program, lab);
} finally {
  lab.close();
}

async function measure(program: Program, lab: LeanLab): Promise<void> {
  const unit = unitMs(lab);
  const quick = knows(program, '--quick') ? ['--quick'] : [];
  const units = ({ cpuMs }: Usage, names: number) => cpuMs / names / unit;
  const run = (flags: readonly string[], names = NAMES) => runOver(program, lab, flags, names);
  await lab.seen();
  const whole = run(quick);
  const { asked } = await lab.seen();
  const told = (usage: Usage, names = NAMES) =>
    `${shown(usage.cpuMs / names)} a name, a unit ${shown(unit)}; ${names} names`;
  const exchanges = `${(asked / NAMES).toFixed(1)} exchanges each`;
  tell('many-whole', program, units(whole, NAMES), `${told(whole)}, ${exchanges}`);
  tell('many-memory', program, whole.peak / MIB, `${size(whole.peak)} for ${NAMES} lines`);
  const shared = run([...quick, '--share']);
  tell(
    'many-share',
    program,
    shared.cpuMs / whole.cpuMs,
    `${units(shared, NAMES).toFixed(1)} units; ${told(shared)}`,
  );
  const part = NAMES / PART;
  const [all, less] = [run([], part), run(quick, part)];
  tell(
    'many-views',
    program,
    all.cpuMs / less.cpuMs,
    `${units(all, part).toFixed(1)} units; ${told(all, part)}`,
  );
}

/** What bare Node takes for an exchange, in milliseconds of processor time. */
function unitMs(lab: LeanLab): number {
  return bareTime(lab, WORLDS.many.ask, BARE).cpuMs / BARE.times;
}

function runOver(program: Program, lab: LeanLab, flags: readonly string[], names: number): Usage {
  const lines = Array.from({ length: names }, (_, at) => `d${`${at}`.padStart(7, '0')}.test\n`);
  const args = ['traverse', '-f', '-', '--format', 'json', ...flags, ...labFlags(program, lab)];
  return runForUsage(program, args, lines.join(''));
}
