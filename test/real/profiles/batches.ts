import { type Cell, compare } from './cells.ts';
import { type FaultWorld, randomFaultWorld } from './fault-world.ts';

export const COMPARED = ['bind', 'unbound', 'knot', 'powerdns'] as const;
export const LOOK_UPS = 50;

/** At once: each is two sockets in each of the copies, and the lab signs each copy of a zone when it is first asked. */
const MOST_ADDRESSES = { plain: 30, signed: 8 };

/** Worlds that were compared together. */
export interface ComparedBatch {
  readonly worlds: readonly FaultWorld[];
  /** Undefined: the machine was too busy each time. */
  readonly cells: readonly Cell[] | undefined;
}

/** Compares the worlds of these seeds, a batch at a time. */
export async function* comparedBatches(seeds: readonly number[]): AsyncGenerator<ComparedBatch> {
  const worlds = seeds.map(randomFaultWorld);
  const all = [
    ...batches(
      worlds.filter(({ signed }) => !signed),
      MOST_ADDRESSES.plain,
    ),
    ...batches(
      worlds.filter(({ signed }) => signed),
      MOST_ADDRESSES.signed,
    ),
  ];
  for (const batch of all) {
    const compared = await compare(batch, { profiles: COMPARED, times: LOOK_UPS });
    yield { worlds: batch, cells: compared.calm === 'calm' ? compared.cells : undefined };
  }
}

/** At most so many addresses in each. */
function batches(worlds: readonly FaultWorld[], most: number): readonly (readonly FaultWorld[])[] {
  const made: FaultWorld[][] = [];
  let addresses = most;
  for (const world of worlds) {
    const count = world.nameServers.reduce((sum, { addresses: own }) => sum + own.length, 0);
    if (addresses + count > most) {
      made.push([]);
      addresses = 0;
    }
    made.at(-1)?.push(world);
    addresses += count;
  }
  return made;
}
