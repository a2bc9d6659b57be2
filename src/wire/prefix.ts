import { addressBytes, addressFromBytes, parseAddress } from './address.ts';

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
