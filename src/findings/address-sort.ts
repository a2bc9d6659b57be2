import { familyOf, isGloballyReachable } from '../wire/address.ts';

/** What an address is for, as far as a sentence needs it. */
export type AddressSort = 'global' | 'loopback' | 'private' | 'documentation' | 'special-purpose';

/** The sort of an address in canonical text (IANA special-purpose registries, RFC 6890). */
export function addressSort(address: string): AddressSort {
  if (isGloballyReachable(address)) return 'global';
  const sorts = familyOf(address) === 4 ? SORTS_IPV4 : SORTS_IPV6;
  return sorts.find(([, pattern]) => pattern.test(address))?.[0] ?? 'special-purpose';
}

type Row = readonly [sort: AddressSort, pattern: RegExp];

const SORTS_IPV4: readonly Row[] = [
  ['loopback', /^127\./],
  // RFC 1918, and RFC 6598 (100.64.0.0/10).
  ['private', /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./],
  ['documentation', /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\./],
];

const SORTS_IPV6: readonly Row[] = [
  ['loopback', /^::1$/],
  // RFC 4193.
  ['private', /^f[cd][0-9a-f]{2}:/],
  // RFC 3849 and RFC 9637.
  ['documentation', /^(?:2001:db8:|3fff:(?::|[0-9a-f]{1,3}:))/],
];
