import { getOrMake } from '../../base/memo.ts';
import { isBelow, type Name } from '../../dns/name.ts';
import { type Chain, type Delegation, delegationKey, serversKey } from '../../explore/delegation.ts';

/**
 * Which facts of its context a step's result depends on. The result may be reused wherever these facts
 * are the same: svc-model(7), PROBABILITIES. That keeps the work at the number of distinct steps; only
 * rings of lookups, whose outcome does depend on where a path came in, cost more.
 */
export interface Footprint {
  /** The facts that were looked at and found not to be so, and found to be so. */
  clear: bigint;
  set: bigint;
  /** Where chains were cut that it came through: bits of `Cuts`. */
  cuts: bigint;
  /** How many levels below its depth the result reaches. */
  height: number;
  /** Whether the depth at which it was made cut it off. */
  reach: 'whole' | 'cut-by-depth';
}

/** What a path brings to a step, beyond its last delegation and question. */
export interface Context {
  readonly depth: number;
  /** Bits of `Bits`: lookups pending on the path, and names asked earlier on this walk. */
  readonly facts: bigint;
}

/** Of a result that depends on nothing. */
export function emptyFootprint(): Footprint {
  return { clear: 0n, set: 0n, cuts: 0n, height: 0, reach: 'whole' };
}

/** How a step leads to one below it: how much deeper that is, and the facts that it decides for it. */
export interface Descent {
  readonly levels: 0 | 1;
  readonly decided: bigint;
  /** A lookup is a walk of its own: the names that it asks say nothing about the walk that needs it. */
  readonly walk: 'same' | 'own';
}

/** Adds what a step below depended on, except the facts that this step decided for it. */
export function absorb(into: Footprint, deeper: Footprint, own: Descent, { everyName }: Bits): void {
  const decided = own.walk === 'own' ? own.decided | everyName : own.decided;
  into.clear |= deeper.clear & ~decided;
  into.set |= deeper.set & ~decided;
  into.cuts |= deeper.cuts;
  into.height = Math.max(into.height, own.levels + deeper.height);
  if (deeper.reach === 'cut-by-depth') into.reach = 'cut-by-depth';
}

/** Gives each fact of a context a bit of its own. */
export class Bits {
  readonly #bits = new Map<string, bigint>();
  #everyName = 0n;

  /** A name was asked on this walk. */
  walked(name: Name): bigint {
    const bit = this.#of(`walked ${name}`);
    this.#everyName |= bit;
    return bit;
  }

  /** All of these so far. */
  get everyName(): bigint {
    return this.#everyName;
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

/** Which of the delegations above a zone a walk of its own, or the rest of one, was started at. */
interface Cut {
  readonly above: Name;
  /** The name that decided. */
  readonly name: Name;
  /** Whether the zone of a delegation is one to start at. */
  readonly encloses: Enclosing;
  readonly at: string;
}

/** Whether a zone encloses a name, as the rule says that applies: `isBelow` or `isAtOrBelow`. */
type Enclosing = (name: Name, zone: Name) => boolean;

/**
 * Where chains were cut. All that a step's result depends on of its chain is the last delegation, and
 * at which of those before it a lookup or an alias started below: svc-model(7), PROBABILITIES. Each such
 * cut has a bit of its own.
 */
export class Cuts {
  readonly #bits = new Map<string, bigint>();
  readonly #cuts: Cut[] = [];
  /** By the key of a delegation: the cuts that start there. */
  readonly #at = new Map<string, bigint>();
  readonly #chains = new WeakMap<Chain, Examined>();

  /** The chain was cut off after `at`, which is not its last delegation, for this name. */
  made(chain: Chain, name: Name, encloses: Enclosing, at: Chain): bigint {
    const cut = { above: chain.delegation.zone, name, encloses, at: delegationKey(at.delegation) };
    return getOrMake(this.#bits, [cut.above, name, encloses.name, cut.at].join('\n'), () => {
      const bit = 1n << BigInt(this.#cuts.length);
      this.#cuts.push(cut);
      this.#at.set(cut.at, (this.#at.get(cut.at) ?? 0n) | bit);
      return bit;
    });
  }

  /** Those of the cuts that do not start at this delegation. */
  elsewhere(cuts: bigint, delegation: Delegation): bigint {
    return cuts & ~(this.#at.get(delegationKey(delegation)) ?? 0n);
  }

  /** Whether a chain would be cut at the same delegations. */
  holdIn(chain: Chain, cuts: bigint): boolean {
    const examined = getOrMake(this.#chains, chain, () => ({ known: 0n, holding: 0n }));
    for (let rest = cuts & ~examined.known; rest > 0n; rest &= rest - 1n) {
      const index = indexOfLowest(rest);
      const cut = this.#cuts[index];
      const bit = 1n << BigInt(index);
      if (cut !== undefined && startOf(chain, cut) === cut.at) examined.holding |= bit;
      examined.known |= bit;
    }
    return (cuts & ~examined.holding) === 0n;
  }
}

/** Which cuts have been looked at for a chain, and which of them hold. */
interface Examined {
  known: bigint;
  holding: bigint;
}

function startOf(chain: Chain, { above, name, encloses }: Cut): string {
  let at = chain;
  while (
    at.parent !== undefined &&
    !(isBelow(above, at.delegation.zone) && encloses(name, at.delegation.zone))
  )
    at = at.parent;
  return delegationKey(at.delegation);
}

function indexOfLowest(bits: bigint): number {
  return (bits & -bits).toString(2).length - 1;
}
