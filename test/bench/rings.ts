/**
 * Zones that host each other, so that chains of them without repetition make very many ways: the share that is unknown
 * in the resolver view, the time from the last reply to the exit, and the size of a result that was cut. The worst world of
 * each kind counts.
 */
import { readFileSync, statSync } from 'node:fs';
import { tell } from './figure.ts';
import { monotonicMs, shown, size } from './figures.ts';
import { spawnLab } from './lab/spawn-lab.ts';
import { labFlags, PROGRAMS, type Program, tryNode } from './program.ts';
import { savedResult } from './saved-result.ts';
import { WORLDS, type WorldName } from './worlds/worlds.ts';

/** Small enough to be told whole. */
const SMALL = ['ring-3-2', 'ring-4-2', 'ring-7-1', 'ring-8-1'] as const satisfies readonly WorldName[];
/** These have too many ways for the path view. */
const LARGE = ['ring-6-2', 'ring-6-2-tlds'] as const satisfies readonly WorldName[];
const MB = 1_000_000;

for (const program of PROGRAMS) {
  const small: Ring[] = [];
  const large: Ring[] = [];
  for (const world of SMALL) small.push(await ringOf(program, world));
  for (const world of LARGE) large.push(await ringOf(program, world));
  const all = [...small, ...large];
  worst(
    'ring-unknown',
    program,
    all,
    ({ unknown }) => unknown,
    (unknown) => `${unknown.toPrecision(2)} %`,
  );
  worst(
    'ring-cut',
    program,
    small,
    ({ cut }) => cut,
    (cut) => `${cut.toPrecision(2)} %`,
  );
  worst('ring-time', program, large, ({ afterMs }) => afterMs, shown);
  worst('ring-small', program, small, ({ afterMs }) => afterMs, shown);
  worst(
    'ring-json',
    program,
    all,
    ({ octets }) => octets / MB,
    (mb) => size(mb * MB),
  );
}

/** What became of one world. */
interface Ring {
  readonly world: WorldName;
  /** Percent of the resolver view, and of the path view. */
  readonly unknown: number;
  readonly cut: number;
  /** From the last reply to the exit. */
  readonly afterMs: number;
  readonly octets: number;
}

async function ringOf(program: Program, world: WorldName): Promise<Ring> {
  const saved = await savedResult(program, world, ['--quick']);
  try {
    const { views } = JSON.parse(readFileSync(saved.file, 'utf8'));
    return {
      world,
      unknown: unknownIn(views.resolver.outcomes),
      cut: unknownIn(views['first-tries'].outcomes),
      afterMs: await afterLastReply(program, world),
      octets: statSync(saved.file).size,
    };
  } finally {
    saved.remove();
  }
}

interface OutcomeRow {
  readonly kind: string;
  readonly probability: number;
  readonly cause?: { readonly kind: string };
}

function unknownIn(outcomes: readonly OutcomeRow[]): number {
  const unknown = outcomes.filter(({ kind, cause }) => (cause?.kind ?? kind).endsWith('-limit'));
  return 100 * unknown.reduce((sum, { probability }) => sum + probability, 0);
}

async function afterLastReply(program: Program, world: WorldName): Promise<number> {
  const lab = await spawnLab(world, 0);
  try {
    tryNode([program.svc, 'traverse', WORLDS[world].ask, '--quick', ...labFlags(program, lab)]);
    const endMs = monotonicMs();
    return endMs - (await lab.seen()).lastMs;
  } finally {
    lab.close();
  }
}

function worst(
  row: Parameters<typeof tell>[0],
  program: Program,
  rings: readonly Ring[],
  of: (ring: Ring) => number,
  inWords: (value: number) => string,
): void {
  const each = rings.map((ring) => `${ring.world} ${inWords(of(ring))}`).join(', ');
  tell(row, program, Math.max(...rings.map(of)), each);
}
