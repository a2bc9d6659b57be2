import type { Name } from '../wire/name.ts';

/** The names that name servers have at each address, as far as they are known. */
export interface ServerNames {
  /** Sorted; empty for an address that nothing is known of. */
  of(address: string): readonly Name[];
}

/** Collects name servers by address. */
export class ServerNameIndex implements ServerNames {
  readonly #names = new Map<string, Name | Set<Name>>();

  add(name: Name, address: string): void {
    const known = this.#names.get(address);
    // Most addresses have one name, which needs no set.
    if (known === undefined) this.#names.set(address, name);
    else if (known instanceof Set) known.add(name);
    else if (known !== name) this.#names.set(address, new Set([known, name]));
  }

  of(address: string): readonly Name[] {
    const known = this.#names.get(address);
    if (known === undefined) return [];
    return known instanceof Set ? [...known].sort() : [known];
  }
}
