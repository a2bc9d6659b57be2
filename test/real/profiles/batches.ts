import { addressesIn, type FaultWorld, isDual } from './fault-world.ts';

/** What is looked up in a world. */
interface InWorld {
  readonly world: FaultWorld;
  readonly sparse?: true;
}

/** Those that can be looked up together: in the same network, by resolvers of the same families that validate or not, in order. */
export function batches<T extends InWorld>(
  items: readonly T[],
  mostAddresses: (one: T) => number,
): readonly (readonly T[])[] {
  const made: T[][] = [];
  let addresses = 0;
  for (const item of items) {
    const own = addressesIn(item.world).length;
    const last = made.at(-1);
    const [first] = last ?? [];
    if (
      last !== undefined &&
      first !== undefined &&
      isAlike(first, item) &&
      addresses + own <= mostAddresses(item)
    ) {
      last.push(item);
      addresses += own;
    } else {
      made.push([item]);
      addresses = own;
    }
  }
  return made;
}

function isAlike(one: InWorld, other: InWorld): boolean {
  return (
    one.sparse === other.sparse &&
    one.world.signed === other.world.signed &&
    one.world.network === other.world.network &&
    isDual(one.world) === isDual(other.world)
  );
}
