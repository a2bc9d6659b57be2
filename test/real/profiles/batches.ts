import { type Cell, compare } from './cells.ts';
import { type FaultWorld, randomFaultWorld } from './fault-world.ts';

export const COMPARED = ['bind', 'unbound', 'knot', 'powerdns'] as const;
export const LOOK_UPS = 50;

/** Each is two sockets in each of the copies. */
const MOST_ADDRESSES = 30;

/** Worlds that were compared together. */
export interface ComparedBatch {
  readonly worlds: readonly FaultWorld[];
  /** Undefined: the machine was too busy each time. */
  readonly cells: readonly Cell[] | undefined;
}

/** Compares the worlds of these seeds, a batch at a time. */
export async function* comparedBatches(seeds: readonly number[]): AsyncGenerator<ComparedBatch> {
  const worlds = seeds.map(randomFaultWorld);
  const kinds = [worlds.filter(({ signed }) => !signed), worlds.filter(({ signed }) => signed)];
  for (const batch of kinds.flatMap(batches)) {
    const compared = await compare(batch, { profiles: COMPARED, times: LOOK_UPS });
    yield { worlds: batch, cells: compared.calm === 'calm' ? compared.cells : undefined };
  }
}

/** At most so many addresses at once. */
function batches(worlds: readonly FaultWorld[]): readonly (readonly FaultWorld[])[] {
  const made: FaultWorld[][] = [];
  let addresses = MOST_ADDRESSES;
  for (const world of worlds) {
    const count = world.nameServers.reduce((sum, { addresses: own }) => sum + own.length, 0);
    if (addresses + count > MOST_ADDRESSES) {
      made.push([]);
      addresses = 0;
    }
    made.at(-1)?.push(world);
    addresses += count;
  }
  return made;
}
