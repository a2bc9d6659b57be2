/* Reads, writes and compares IP addresses and prefixes. */

/**
 * Reads an IPv4 address (four plain decimal numbers) or an IPv6 address without a zone id, and
 * gives its canonical text (RFC 5952); undefined if it is neither.
 */
export function parseAddress(text: string): string | undefined {
  if (IPV4.test(text)) return text;
  const octets = ipv6Octets(text);
  return octets === undefined ? undefined : addressFromBytes(octets);
}

/** The two families of addresses, by their version number. */
export type Family = 4 | 6;

/** The family of an address's text. */
export function familyOf(address: string): Family {
  return address.includes(':') ? 6 : 4;
}

/** The IPv4 address of an IPv4-mapped address (RFC 4291 2.5.5.2) in canonical text; any other text unchanged. */
export function unmapped(address: string): string {
  return address.replace(/^::ffff:([0-9.]+)$/, '$1');
}

/** The canonical text of an address of 4 or 16 octets. Throws RangeError for another length. */
export function addressFromBytes(bytes: Uint8Array): string {
  // Not `join`, which takes three times as long.
  if (bytes.length === 4) return `${bytes[0]}.${bytes[1]}.${bytes[2]}.${bytes[3]}`;
  if (bytes.length !== 16) throw new RangeError('an address has 4 or 16 octets');
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0));
  // RFC 5952 5: mixed notation where the prefix announces an IPv4 address.
  if (groups[5] === 0xffff && groups.findIndex((group) => group !== 0) === 5) {
    return `::ffff:${bytes.subarray(12).join('.')}`;
  }
  return compressed(groups);
}

/** RFC 5952 4.2: the longest run of zeros becomes "::"; of equal runs the first; never a single zero. */
function compressed(groups: readonly number[]): string {
  let best = { start: 0, length: 1 };
  for (let start = 0; start < groups.length; start += 1) {
    let end = start;
    while (groups[end] === 0) end += 1;
    if (end - start > best.length) best = { start, length: end - start };
  }
  const texts = groups.map((group) => group.toString(16));
  if (best.length === 1) return texts.join(':');
  return `${texts.slice(0, best.start).join(':')}::${texts.slice(best.start + best.length).join(':')}`;
}

/** The 4 or 16 octets of an address's text. Throws RangeError for any other text (see parseAddress). */
export function addressBytes(address: string): Uint8Array {
  const octets = octetsIn(address, 4) ?? octetsIn(address, 6);
  if (octets === undefined) throw new RangeError('not an address');
  return octets;
}

/** The octets of an address's text; undefined if it is no address of the family. */
export function octetsIn(text: string, family: Family): Uint8Array | undefined {
  return family === 4 ? ipv4Octets(text) : ipv6Octets(text);
}

/** 0 to 255, without the leading zeros that make some programs read it as octal. */
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);

function ipv4Octets(text: string): Uint8Array | undefined {
  if (!IPV4.test(text)) return undefined;
  const octets = new Uint8Array(4);
  let octet = 0;
  let at = 0;
  // Not `split`, which takes three times as long.
  for (const digit of text) {
    if (digit === '.') {
      octets[at++] = octet;
      octet = 0;
    } else octet = 10 * octet + Number(digit);
  }
  octets[at] = octet;
  return octets;
}

/** RFC 4291 2.2: eight groups, the last two of which may be written as an IPv4 address; "::" is at least one of zeros. */
function ipv6Octets(text: string): Uint8Array | undefined {
  const plain = text.includes('.') ? text.replace(/[\d.]+$/, inGroups) : text;
  const [head = '', tail, ...more] = plain.split('::');
  const [front, back] = [groupsIn(head), groupsIn(tail ?? '')];
  if (front === undefined || back === undefined || more.length > 0) return undefined;
  const missing = 8 - front.length - back.length;
  const isWhole = tail === undefined ? missing === 0 : missing >= 1;
  if (!isWhole) return undefined;
  const octets = new Uint8Array(16);
  putGroups(octets, 0, front);
  putGroups(octets, 8 - back.length, back);
  return octets;
}

function putGroups(octets: Uint8Array, first: number, groups: readonly number[]): void {
  groups.forEach((group, at) => {
    octets[2 * (first + at)] = group >> 8;
    octets[2 * (first + at) + 1] = group;
  });
}

/** An IPv4 address as two groups; any other text unchanged. */
function inGroups(text: string): string {
  const octets = ipv4Octets(text);
  if (octets === undefined) return text;
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  return [(a << 8) | b, (c << 8) | d].map((group) => group.toString(16)).join(':');
}

const GROUP = /^[\da-f]{1,4}$/i;

/** Groups with colons between them; undefined if one of them is no group. */
function groupsIn(text: string): readonly number[] | undefined {
  if (text === '') return [];
  const groups = text.split(':');
  return groups.every((group) => GROUP.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined;
}

/** A block of addresses: those whose first `bits` bits are the same as those of `network`. */
export interface Prefix {
  readonly network: Uint8Array;
  readonly bits: number;
}

/**
 * Reads a prefix in CIDR notation (RFC 4632 3.1, RFC 4291 2.3), or an address, which is the prefix of
 * itself alone; undefined if it is neither. Bits of the address beyond the prefix are ignored.
 */
export function parsePrefix(text: string): Prefix | undefined {
  const [head = '', length, ...more] = text.split('/');
  const address = parseAddress(head);
  if (address === undefined || more.length > 0) return undefined;
  const network = addressBytes(address);
  const bits = length === undefined ? network.length * 8 : readBits(length);
  return bits !== undefined && bits <= network.length * 8 ? { network, bits } : undefined;
}

/** Whether an address, as octets, belongs to a prefix; those of the other family do not. */
export function isWithin({ network, bits }: Prefix, octets: Uint8Array): boolean {
  if (octets.length !== network.length) return false;
  const whole = bits >> 3;
  for (let i = 0; i < whole; i += 1) if (octets[i] !== network[i]) return false;
  return (((octets[whole] ?? 0) ^ (network[whole] ?? 0)) & maskOf(bits & 7)) === 0;
}

/** The first `bits` bits of an address, in CIDR notation: "2001:db8::/64". */
export function prefixOf(address: string, bits: number): string {
  const octets = addressBytes(address);
  const kept = octets.map((octet, index) => octet & maskOf(Math.min(8, Math.max(0, bits - index * 8))));
  return `${addressFromBytes(kept)}/${bits}`;
}

/** An octet whose first bits are set. */
function maskOf(bits: number): number {
  return (0xff00 >> bits) & 0xff;
}

function readBits(text: string): number | undefined {
  return /^(?:0|[1-9]\d{0,2})$/.test(text) ? Number(text) : undefined;
}
