/**
 * What profiles cost: with them and without (`--profiles none`), in turn in the same worlds. The time is that from the first
 * query to the last word, each server being 30 ms away; questions are counted for the names of the demo, too. The arguments
 * may name the worlds.
 */
import { showcases } from '../../src/lab/showcases.ts';
import { tell } from './figure.ts';
import { monotonicMs, quantile, shown } from './figures.ts';
import { type LeanLab, spawnLab } from './lab/spawn-lab.ts';
import { knows, labFlags, PROGRAMS, type Program, runNode, tryNode } from './program.ts';
import type { BenchWorld } from './worlds/world.ts';
import { WORLDS, type WorldName } from './worlds/worlds.ts';

const DELAY_MS = 30;
const RUNS = 7;

const NAMES = [
  'small',
  'classic',
  'classic-signed',
  'wide-3-6',
  'wide-6-6',
  'wide-8-8',
] as const satisfies readonly WorldName[];

const WITHOUT = ['--profiles', 'none'];

/** The same traversal without profiles, and with them. */
type Pair<T> = readonly [without: T, withThem: T];

const named = NAMES.filter((world) => process.argv.includes(world));
const worlds = named.length > 0 ? named : NAMES;
for (const program of PROGRAMS) {
  if (!knows(program, '--profiles')) continue;
  const times: number[] = [];
  const questions: number[] = [];
  const measured: string[] = [];
  for (const world of worlds) {
    const lab = await spawnLab(world, DELAY_MS);
    try {
      const { took, asked } = await measure(program, world, lab);
      times.push(took[1] / took[0]);
      questions.push(asked[1] / asked[0]);
      measured.push(`${world} ${shown(took[1])} of ${shown(took[0])}, ${asked[1]} of ${asked[0]} questions`);
    } finally {
      lab.close();
    }
  }
  const withThem = questionsOfDemo(program, []);
  for (const [line, without] of questionsOfDemo(program, WITHOUT))
    questions.push((withThem.get(line) ?? 0) / without);
  const most = `the most ${Math.max(...questions).toPrecision(3)} ×`;
  tell('profiles-time', program, quantile(times, 0.5), measured.join('; '));
  tell('profiles-questions', program, quantile(questions, 0.5), `${questions.length} worlds, ${most}`);
}

async function measure(
  program: Program,
  world: (typeof NAMES)[number],
  lab: LeanLab,
): Promise<{ readonly took: Pair<number>; readonly asked: Pair<number> }> {
  const { ask, isSigned }: BenchWorld = WORLDS[world];
  const anchor = isSigned ? ['--trust-anchor', lab.anchorFile] : [];
  const asking = [program.svc, 'traverse', ask, ...labFlags(program, lab), ...anchor];
  const took: Pair<number[]> = [[], []];
  const asked = [0, 0];
  // The first runs, which do not count, have the lab make its replies.
  for (let count = 0; count <= RUNS; count += 1)
    for (const [at, flags] of [WITHOUT, []].entries()) {
      runNode([...asking, ...flags]);
      const endMs = monotonicMs();
      const seen = await lab.seen();
      asked[at] = seen.asked;
      if (count > 0) took[at]?.push(endMs - seen.firstMs);
    }
  const [without = 0, withThem = 0] = asked;
  return { took: [quantile(took[0], 0.5), quantile(took[1], 0.5)], asked: [without, withThem] };
}

/** By line: how many questions each name of the demo takes. */
function questionsOfDemo({ svc }: Program, flags: readonly string[]): ReadonlyMap<number, number> {
  const names = showcases.map(({ name, type }) => `${name} ${type}\n`).join('');
  // One of these names is too much to be followed to the end, so the status is 3.
  const { stdout } = tryNode([svc, 'traverse', '-f', '-', '--demo', '--json', ...flags], 'read', names);
  return new Map(
    stdout.split('\n').flatMap((text) => {
      if (text === '') return [];
      const { line, stats, figures = stats }: Line = JSON.parse(text);
      return figures === undefined ? [] : [[line, figures.exchanges] as const];
    }),
  );
}

/** What is read of a line of JSON. */
interface Line {
  readonly line: number;
  /** Of earlier versions: `stats`. */
  readonly figures?: { readonly exchanges: number };
  readonly stats?: { readonly exchanges: number };
}
