import { LOOK_UPS } from './batches.ts';
import type { Cell } from './cells.ts';

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
    for (const [outcome, share] of said.shares) add(outcome, -share / cells.length);
    for (const [outcome, count] of got.counts) add(outcome, count / LOOK_UPS / cells.length);
    add('late', (got.late / LOOK_UPS - said.late) / cells.length);
  }
  return off;
}
