import { PROFILE_NAMES, PROFILES, todaysProfile } from '../../../src/explore/profiles/profiles.ts';
import { batches } from './batches.ts';
import { type Cell, compare } from './cells.ts';
import { type FaultWorld, isDual, randomFaultWorld } from './fault-world.ts';

/** How well a profile fits in all of its cells. */
export interface Fit {
  readonly cells: number;
  /** In which something was seen that the profile calls impossible. */
  readonly impossible: number;
  /** The share of cells that chi-square does not reject. */
  readonly kept: number;
  /** By outcome: what was got more often than said, as a share of all look-ups. */
  readonly off: ReadonlyMap<string, number>;
}

/** The level at which a cell is rejected. */
export const LEVEL = 0.01;

/** Whether the profile says that the product may do otherwise in this world. */
export function isAnnounced({ said }: Cell): boolean {
  return said.deviations.length > 0;
}

/** How well the profile of these cells fits. */
export function fitOf(cells: readonly Cell[]): Fit {
  return {
    cells: cells.length,
    impossible: cells.filter(({ impossible }) => impossible.size > 0).length,
    kept: cells.filter(({ p }) => p >= LEVEL).length / cells.length,
    off: pooled(cells),
  };
}

function pooled(cells: readonly Cell[]): ReadonlyMap<string, number> {
  const off = new Map<string, number>();
  const add = (outcome: string, share: number) => off.set(outcome, (off.get(outcome) ?? 0) + share);
  for (const { said, got } of cells) {
    const lookUps = [...got.counts.values()].reduce((sum, count) => sum + count, 0);
    for (const [outcome, share] of said.shares) add(outcome, -share / cells.length);
    for (const [outcome, count] of got.counts) add(outcome, count / lookUps / cells.length);
    add('late', (got.late / lookUps - said.late) / cells.length);
  }
  return off;
}

const LOOK_UPS = 60;

/** At once: each is two sockets in each of the copies, and the lab signs each copy of a zone when it is first asked. */
const MOST_ADDRESSES = { plain: 16, signed: 5 };

/** Worlds that were compared together. */
interface ComparedBatch {
  readonly worlds: readonly FaultWorld[];
  /** Undefined: the machine was too busy each time. */
  readonly cells: readonly Cell[] | undefined;
}

/** Compares the worlds of these seeds with products of both generations, a batch at a time. */
export async function* comparedBatches(seeds: readonly number[]): AsyncGenerator<ComparedBatch> {
  const worlds = seeds.map((seed) => ({ world: randomFaultWorld(seed) }));
  const kinds = new Map<string, typeof worlds>();
  for (const one of worlds) {
    const { signed, network } = one.world;
    const kind = `${signed} ${network} ${isDual(one.world)}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  const mostAddresses = ({ world }: { readonly world: FaultWorld }) =>
    world.signed ? MOST_ADDRESSES.signed : MOST_ADDRESSES.plain;
  for (const batch of batches([...kinds.values()].flat(), mostAddresses)) {
    const all = batch.map(({ world }) => world);
    const compared = await compare(all, { profiles: HELD, times: LOOK_UPS });
    yield { worlds: all, cells: compared.calm === 'calm' ? compared.cells : undefined };
  }
}

/** Those of products at their defaults, of today and earlier. */
export const HELD = PROFILE_NAMES.filter(
  (name) => PROFILES[name].standing === 'default' || todaysProfile(name) !== undefined,
);
