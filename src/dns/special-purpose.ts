import {
  addressBytes,
  addressFromBytes,
  isWithin,
  type Prefix,
  parseAddress,
  parsePrefix,
} from './address.ts';

/** The purposes that addresses are reserved for, so that the internet does not route them (IANA's registries). */
export type SpecialPurpose =
  | 'this-network'
  | 'private-use'
  | 'shared'
  | 'loopback'
  | 'link-local'
  | 'protocol-assignments'
  | 'documentation'
  | '6to4-relay'
  | 'benchmarking'
  | 'multicast'
  | 'reserved'
  | 'ipv4-mapped'
  | 'translation'
  | 'discard-only'
  | 'segment-routing'
  | 'unassigned';

type Row = readonly [block: string, purpose: SpecialPurpose];

/** IANA IPv4 Special-Purpose Address Registry: rows not globally reachable; and multicast. */
const SPECIAL_IPV4: readonly Row[] = [
  ['0.0.0.0/8', 'this-network'], // RFC 791
  ['10.0.0.0/8', 'private-use'], // RFC 1918
  ['100.64.0.0/10', 'shared'], // behind carriers' NAT (RFC 6598)
  ['127.0.0.0/8', 'loopback'], // RFC 1122
  ['169.254.0.0/16', 'link-local'], // RFC 3927
  ['172.16.0.0/12', 'private-use'], // RFC 1918
  ['192.0.0.0/24', 'protocol-assignments'], // RFC 6890, except for two in GLOBAL_IPV4
  ['192.0.2.0/24', 'documentation'], // RFC 5737
  ['192.88.99.0/24', '6to4-relay'], // deprecated (RFC 7526)
  ['192.168.0.0/16', 'private-use'], // RFC 1918
  ['198.18.0.0/15', 'benchmarking'], // RFC 2544
  ['198.51.100.0/24', 'documentation'], // RFC 5737
  ['203.0.113.0/24', 'documentation'], // RFC 5737
  ['224.0.0.0/4', 'multicast'], // RFC 5771
  ['240.0.0.0/4', 'reserved'], // RFC 1112; limited broadcast (RFC 919)
];

const GLOBAL_IPV4 = [
  '192.0.0.9/32', // Port Control Protocol anycast (RFC 7723)
  '192.0.0.10/32', // TURN anycast (RFC 8155)
];

/**
 * IANA IPv6 Special-Purpose Address Registry: rows not globally reachable. The first match counts.
 * Outside 2000::/3 no global unicast address is assigned at all: the last three rows.
 */
const SPECIAL_IPV6: readonly Row[] = [
  ['::1/128', 'loopback'], // RFC 4291
  ['::/128', 'this-network'], // unspecified (RFC 4291)
  ['::ffff:0:0/96', 'ipv4-mapped'], // RFC 4291
  ['64:ff9b:1::/48', 'translation'], // RFC 8215
  ['100::/64', 'discard-only'], // RFC 6666
  ['2001:db8::/32', 'documentation'], // RFC 3849
  ['2001::/23', 'protocol-assignments'], // RFC 2928, Teredo (RFC 4380) among them; except for GLOBAL_IPV6
  ['3fff::/20', 'documentation'], // RFC 9637
  ['5f00::/16', 'segment-routing'], // RFC 9602
  ['fc00::/7', 'private-use'], // unique local (RFC 4193)
  ['fe80::/10', 'link-local'], // RFC 4291
  ['ff00::/8', 'multicast'], // RFC 4291
  ['::/3', 'unassigned'],
  ['4000::/2', 'unassigned'],
  ['8000::/1', 'unassigned'],
];

const GLOBAL_IPV6 = [
  '2001:1::1/128', // Port Control Protocol anycast (RFC 7723)
  '2001:1::2/128', // TURN anycast (RFC 8155)
  '2001:1::3/128', // DNS-SD service registration anycast (RFC 9665)
  '2001:3::/32', // AMT (RFC 7450)
  '2001:4:112::/48', // AS112 (RFC 7535)
  '2001:20::/28', // ORCHIDv2 (RFC 7343)
  '2001:30::/28', // drone remote identification (RFC 9374)
];

/**
 * Whether packets may be sent there from a public service: false for the special-purpose blocks
 * that are not globally reachable, for multicast, and for text that is not an address. An IPv6 address
 * that stands for an IPv4 address (RFC 6052, RFC 3056) is as reachable as that one.
 */
export function isGloballyReachable(address: string): boolean {
  const canonical = parseAddress(address);
  return canonical !== undefined && specialPurposeOf(canonical) === undefined;
}

/**
 * What an address, in canonical text, is reserved for; undefined if it is globally reachable. For an
 * IPv6 address that stands for an IPv4 address: what that one is reserved for.
 */
export function specialPurposeOf(address: string): SpecialPurpose | undefined {
  return purposeOf(beyondTranslation(addressBytes(address)));
}

/** The IPv4 address that packets for an IPv6 address really go to (RFC 6052, RFC 3056). Other addresses unchanged. */
export function destinationOf(address: string): string {
  const octets = addressBytes(address);
  const destination = beyondTranslation(octets);
  return destination === octets ? address : addressFromBytes(destination);
}

/**
 * Whether it is an address by which a host reaches itself: 127.0.0.0/8 or ::1. False for IPv4-mapped
 * addresses (see `unmapped`) and for text that is not an address.
 */
export function isLoopback(address: string): boolean {
  const canonical = parseAddress(address);
  return canonical !== undefined && purposeOf(addressBytes(canonical)) === 'loopback';
}

const TRANSLATION = blockOf('64:ff9b::/96'); // RFC 6052 2.1
const SIX_TO_FOUR = blockOf('2002::/16'); // RFC 3056 2

/** The IPv4 address that packets for an IPv6 address really go to. Other addresses unchanged. */
function beyondTranslation(octets: Uint8Array): Uint8Array {
  if (isWithin(TRANSLATION, octets)) return octets.subarray(12);
  return isWithin(SIX_TO_FOUR, octets) ? octets.subarray(2, 6) : octets;
}

function purposeOf(octets: Uint8Array): SpecialPurpose | undefined {
  if (GLOBAL.some((block) => isWithin(block, octets))) return undefined;
  return SPECIAL.find(({ block }) => isWithin(block, octets))?.purpose;
}

const SPECIAL = [...SPECIAL_IPV4, ...SPECIAL_IPV6].map(([block, purpose]) => ({
  block: blockOf(block),
  purpose,
}));

const GLOBAL = [...GLOBAL_IPV4, ...GLOBAL_IPV6].map(blockOf);

/** The block that a row of these tables names. */
function blockOf(text: string): Prefix {
  const block = parsePrefix(text);
  if (block === undefined) throw new Error(`not a prefix: ${text}`);
  return block;
}
