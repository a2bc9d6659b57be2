import type { Name } from '../dns/name.ts';
import type { DenyList, Policy } from './policy.ts';

/** The names that name servers have at each address, as far as they are known. */
export interface ServerNames {
  of(address: string): ShownNames;
  /** All of them, in any order, where `of` shows only some. */
  ofMany(address: string): ReadonlySet<Name> | undefined;
}

/**
 * The most names that are shown with an address. A hostile referral has thousands for one, and every
 * event and row about the address would repeat them.
 */
const MOST_SHOWN = 16;

/** The names of a server that are shown with its address. */
export interface ShownNames {
  /** Sorted; the first of them if there are many, none for an address that nothing is known of. */
  readonly names: readonly Name[];
  /** How many more there are; absent: none. */
  readonly namesOmitted?: number;
}

/** Shows some of all the names that an address has: as many as there is room for, the first in their order. */
export function shownNames(sorted: readonly Name[], count = sorted.length): ShownNames {
  const names = sorted.slice(0, MOST_SHOWN);
  return count > names.length ? { names, namesOmitted: count - names.length } : { names };
}

/** What several of them know together. */
export function allNames(known: readonly ServerNames[]): ServerNames {
  const [only, ...others] = known;
  if (only !== undefined && others.length === 0) return only;
  const all = (address: string) => new Set(known.flatMap((one) => [...namesKnown(one, address)]));
  return {
    of: (address) => shownNames([...all(address)].sort()),
    ofMany: (address) => {
      const names = all(address);
      return names.size > MOST_SHOWN ? names : undefined;
    },
  };
}

function namesKnown(names: ServerNames, address: string): Iterable<Name> {
  return names.ofMany(address) ?? names.of(address).names;
}

/** Collects name servers by address. */
export class ServerNameIndex implements ServerNames {
  readonly #names = new Map<string, Name | ManyNames>();

  add(name: Name, address: string): void {
    const known = this.#names.get(address);
    // Most addresses have one name, which needs no set.
    if (known === undefined) this.#names.set(address, name);
    else if (known instanceof ManyNames) known.add(name);
    else if (known !== name) this.#names.set(address, new ManyNames([known, name]));
  }

  /** Calls `see` with each name and each of its addresses. */
  visit(see: (name: Name, address: string) => void): void {
    for (const [address, known] of this.#names) {
      for (const name of known instanceof ManyNames ? known.all : [known]) see(name, address);
    }
  }

  of(address: string): ShownNames {
    const known = this.#names.get(address);
    if (known instanceof ManyNames) return known.shown;
    return shownNames(known === undefined ? [] : [known]);
  }

  ofMany(address: string): ReadonlySet<Name> | undefined {
    const known = this.#names.get(address);
    return known instanceof ManyNames && known.all.size > MOST_SHOWN ? known.all : undefined;
  }
}

/**
 * Finds among the names of each address one that is denied. A hostile referral has thousands for one
 * address, so each name is checked once for each list that is in force.
 */
export class DeniedNames {
  readonly #policy: Policy;
  readonly #met: ServerNameIndex;
  readonly #byAddress = new Map<string, Name>();
  #list: DenyList;

  /** `met` has every name that `meet` was told of. */
  constructor(policy: Policy, met: ServerNameIndex) {
    this.#policy = policy;
    this.#met = met;
    this.#list = policy.list;
  }

  /** A name server was met at this address. */
  meet(name: Name, address: string): void {
    if (this.#policy.deniesName(name)) this.#byAddress.set(address, name);
  }

  /** A name that the list in force denies; none if there is no such name. */
  of(address: string): readonly Name[] {
    if (this.#list !== this.#policy.list) this.#checkAgain();
    const denied = this.#byAddress.get(address);
    return denied === undefined ? [] : [denied];
  }

  #checkAgain(): void {
    this.#list = this.#policy.list;
    this.#byAddress.clear();
    this.#met.visit((name, address) => this.meet(name, address));
  }
}

/** Several names of one address. What is shown of them changes seldom, however many come along. */
class ManyNames {
  readonly #all = new Set<Name>();
  #first: readonly Name[] = [];

  constructor(names: readonly Name[]) {
    for (const name of names) this.add(name);
  }

  add(name: Name): void {
    if (this.#all.has(name)) return;
    this.#all.add(name);
    const last = this.#first[MOST_SHOWN - 1];
    if (last === undefined || name < last) this.#first = [...this.#first, name].sort().slice(0, MOST_SHOWN);
  }

  get all(): ReadonlySet<Name> {
    return this.#all;
  }

  get shown(): ShownNames {
    return shownNames(this.#first, this.#all.size);
  }
}
