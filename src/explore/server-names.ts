import { getOrMake } from '../get-or-make.ts';
import type { Name } from '../wire/name.ts';

/** The names that name servers have at each address, as far as they are known. */
export interface ServerNames {
  /** Sorted; empty for an address that nothing is known of. */
  of(address: string): readonly Name[];
}

/** Collects name servers by address. */
export class ServerNameIndex implements ServerNames {
  readonly #names = new Map<string, Set<Name>>();

  add(name: Name, address: string): void {
    getOrMake(this.#names, address, () => new Set<Name>()).add(name);
  }

  of(address: string): readonly Name[] {
    return [...(this.#names.get(address) ?? [])].sort();
  }
}
