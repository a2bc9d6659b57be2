/**
 * The whole bench: runs every measurement in a process of its own, prints a table, and says which goals
 * were not reached. `against COMMIT` measures that commit's build in turn with this one, `peers` adds other
 * tools, and names of measurements leave out the others.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Figure } from './figure.ts';
import { olderBuild } from './older-build.ts';
import { NOW } from './program.ts';
import { shortfalls, table } from './table.ts';

/** Each is a file of this folder. */
const MEASUREMENTS = [
  'many-names',
  'portfolio',
  'plan',
  'rings',
  'saved',
  'first-answer',
  'views',
  'profiles',
  'signed',
  'one-name',
  'start-up',
  'engine',
  'streams',
  'load',
  'service-rate',
  'service-health',
  'fleet',
  'history',
  'page',
];

/** Without the certificates that Node 20 would read at each start, which takes longer than the start: nobody needs them. */
const { NODE_EXTRA_CA_CERTS: _, ...ENVIRONMENT } = process.env;

const args = process.argv.slice(2);
const at = args.indexOf('against');
const commit = at === -1 ? undefined : args[at + 1];
const older = commit === undefined ? undefined : olderBuild(commit);
const rest = args.filter((arg) => arg !== 'against' && arg !== commit);
const failed: string[] = [];
const passed = older === undefined ? rest : [...rest, 'against', older.label, older.svc];
try {
  const named = [...MEASUREMENTS, 'peers'].filter((name) => args.includes(name));
  const figures: Figure[] = [];
  for (const name of named.length > 0 ? named : MEASUREMENTS) figures.push(...(await measured(name)));
  process.stdout.write(`\n${table(figures)}\n\n`);
  const lines = [...failed.map((name) => `failed: ${name}`), ...shortfalls(figures)];
  process.stdout.write(lines.length === 0 ? 'Every goal was reached.\n' : `${lines.join('\n')}\n`);
  if (failed.length > 0) process.exitCode = 1;
} finally {
  older?.remove();
}

async function measured(name: string): Promise<readonly Figure[]> {
  const file = fileURLToPath(new URL(`${name}.js`, import.meta.url));
  const child = fork(file, passed, { env: ENVIRONMENT });
  const figures: Figure[] = [];
  child.on('message', (figure: Figure) => figures.push(figure));
  const [status] = await once(child, 'exit');
  // A measurement that says nothing of this build, as when it looks for an option in the wrong place, reaches no goal.
  if (status !== 0 || !figures.some(({ program }) => program === NOW.label)) failed.push(name);
  return figures;
}
