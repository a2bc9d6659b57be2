import { type Delegation, serversKey } from '../../explore/delegation.ts';
import { getOrMake } from '../../get-or-make.ts';
import type { Name } from '../../wire/name.ts';

/** What a path brings to a step besides its last delegation and question, as sets of the `Bits` of one unfolding. */
export interface Context {
  readonly depth: number;
  /** Lookups pending on the path. */
  readonly pending: bigint;
  /** Names asked earlier on this walk. */
  readonly walked: bigint;
}

/**
 * Which facts of its context a step's result depends on. The result may be reused wherever these facts
 * are the same: svc-model(7), PROBABILITIES. That keeps the work at the number of distinct steps; only
 * rings of lookups, whose outcome does depend on where a path came in, cost more.
 */
export interface Footprint {
  /** Bits of `pending` that were looked at and found clear, and found set. */
  pendingClear: bigint;
  pendingSet: bigint;
  /** The same for `walked`. */
  walkedClear: bigint;
  walkedSet: bigint;
  /** Where chains were cut that it came through: bits of `Cuts`. */
  cuts: bigint;
  /** How many levels below its depth the result reaches. */
  height: number;
  /** Whether the depth at which it was made cut it off. */
  reach: 'whole' | 'cut-by-depth';
}

/** Of a result that depends on nothing. */
export function emptyFootprint(): Footprint {
  return {
    pendingClear: 0n,
    pendingSet: 0n,
    walkedClear: 0n,
    walkedSet: 0n,
    cuts: 0n,
    height: 0,
    reach: 'whole',
  };
}

/** Whether a result made at one depth with this footprint reaches as far at another one. */
export function reachesAsFar(
  { reach, height }: Footprint,
  madeAt: number,
  depth: number,
  deepest: number,
): boolean {
  return reach === 'whole' ? depth + height <= deepest : depth === madeAt;
}

/** How a step leads to one below it: how much deeper that is, and the bits that it sets for it. */
interface Descent {
  readonly levels: 0 | 1;
  readonly pending: bigint;
  readonly walked: bigint;
}

/** Adds what a step below depended on, except the bits that this step set for it. */
export function absorb(into: Footprint, deeper: Footprint, own: Descent): void {
  into.pendingClear |= deeper.pendingClear & ~own.pending;
  into.pendingSet |= deeper.pendingSet & ~own.pending;
  into.walkedClear |= deeper.walkedClear & ~own.walked;
  into.walkedSet |= deeper.walkedSet & ~own.walked;
  into.cuts |= deeper.cuts;
  into.height = Math.max(into.height, own.levels + deeper.height);
  if (deeper.reach === 'cut-by-depth') into.reach = 'cut-by-depth';
}

/** Gives each fact of a context a bit of its own. */
export class Bits {
  readonly #bits = new Map<string, bigint>();

  /** A name was asked on this walk. */
  walked(name: Name): bigint {
    return this.#of(`walked ${name}`);
  }

  /** A name server's addresses are being looked up. */
  lookup(name: Name): bigint {
    return this.#of(`lookup of ${name}`);
  }

  /** Those of an in-domain name server of a delegation are. */
  inDomainLookup(delegation: Delegation): bigint {
    return this.#of(`in-domain lookup for ${serversKey(delegation)}`);
  }

  #of(fact: string): bigint {
    return getOrMake(this.#bits, fact, () => 1n << BigInt(this.#bits.size));
  }
}
