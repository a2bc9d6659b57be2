import { type SpecialPurpose, specialPurposeOf } from '../wire/special-purpose.ts';

/** What an address is for, in as much detail as a sentence needs. */
type AddressSort = 'global' | 'loopback' | 'private' | 'documentation' | 'special-purpose';

/** The sort of an address in canonical text. */
export function addressSort(address: string): AddressSort {
  const purpose = specialPurposeOf(address);
  return purpose === undefined ? 'global' : SORTS[purpose];
}

const SORTS: Readonly<Record<SpecialPurpose, AddressSort>> = {
  loopback: 'loopback',
  'private-use': 'private',
  shared: 'private',
  documentation: 'documentation',
  'this-network': 'special-purpose',
  'link-local': 'special-purpose',
  'protocol-assignments': 'special-purpose',
  '6to4-relay': 'special-purpose',
  benchmarking: 'special-purpose',
  multicast: 'special-purpose',
  reserved: 'special-purpose',
  'ipv4-mapped': 'special-purpose',
  translation: 'special-purpose',
  'discard-only': 'special-purpose',
  'segment-routing': 'special-purpose',
  unassigned: 'special-purpose',
};
