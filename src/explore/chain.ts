import { isAtOrBelow, isBelow, type Name } from '../wire/name.ts';
import { type Delegation, delegationKey } from './delegation.ts';

/**
 * The delegations that a path came through, root first, as a linked list that is read from its
 * deepest end. Chains of one `Chains` are equal exactly when they are the same object.
 */
export interface Chain {
  readonly parent: Chain | undefined;
  readonly delegation: Delegation;
}

/** Makes chains, and makes equal ones the same object: that is why a graph stays small. */
export class Chains {
  readonly #roots = new Map<string, Chain>();
  readonly #extensions = new WeakMap<Chain, Map<string, Chain>>();

  /** The chain of the root hints alone. */
  root(hints: Delegation): Chain {
    return intern(this.#roots, undefined, hints);
  }

  /** The chain that a referral leads on to. */
  extend(chain: Chain, delegation: Delegation): Chain {
    let extensions = this.#extensions.get(chain);
    if (extensions === undefined) {
      extensions = new Map();
      this.#extensions.set(chain, extensions);
    }
    return intern(extensions, chain, delegation);
  }
}

function intern(known: Map<string, Chain>, parent: Chain | undefined, delegation: Delegation): Chain {
  const key = delegationKey(delegation);
  const existing = known.get(key);
  if (existing !== undefined) return existing;
  const chain = { parent, delegation };
  known.set(key, chain);
  return chain;
}

/** Where an alias goes on (MODEL 3.4): the chain cut at the deepest delegation that encloses the target. */
export function chainForAlias(chain: Chain, target: Name, type: string): Chain {
  // RFC 4035 3.1.4.1: DS lives at the parent's side of the cut.
  const encloses = type === 'DS' ? isBelow : isAtOrBelow;
  let at = chain;
  while (at.parent !== undefined && !encloses(target, at.delegation.zone)) at = at.parent;
  return at;
}

/**
 * Where the lookup of a name server's address starts (MODEL 3.2.2): at the deepest delegation before
 * the chain's last one whose zone is or encloses the name. Undefined below root hints only.
 */
export function chainForLookup(chain: Chain, nameserver: Name): Chain | undefined {
  let at = chain.parent;
  while (at !== undefined && !isAtOrBelow(nameserver, at.delegation.zone)) at = at.parent;
  return at;
}
