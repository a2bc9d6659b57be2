import type { Family } from '../wire/address.ts';

/** A family of addresses, and the type of the records that have them. */
interface LookupType {
  readonly family: Family;
  readonly type: 'A' | 'AAAA';
}

const ALL: readonly LookupType[] = [
  { family: 4, type: 'A' },
  { family: 6, type: 'AAAA' },
];

/**
 * The types that a name server's addresses are looked up by, each once. A comes first: svc-model(7),
 * WALKING A STEP 2.4 treats the two differently.
 */
export function lookupTypes(families: readonly Family[]): readonly LookupType[] {
  return ALL.filter(({ family }) => families.includes(family));
}
