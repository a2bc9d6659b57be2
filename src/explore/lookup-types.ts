import type { Family } from '../wire/address.ts';

/** A family of addresses, and the type of the records that have them. */
export interface LookupType {
  readonly family: Family;
  readonly type: 'A' | 'AAAA';
}

const ALL: readonly LookupType[] = [
  { family: 4, type: 'A' },
  { family: 6, type: 'AAAA' },
];

/** What a name server's addresses are looked up by, each once, A first: MODEL 3.2.4 tells the two apart. */
export function lookupTypes(families: readonly Family[]): readonly LookupType[] {
  return ALL.filter(({ family }) => families.includes(family));
}
