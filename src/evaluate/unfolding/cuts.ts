import type { Chain } from '../../explore/chain.ts';
import { type Delegation, delegationKey } from '../../explore/delegation.ts';
import { getOrMake } from '../../get-or-make.ts';
import { isBelow, type Name } from '../../wire/name.ts';

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
