import { isIPv4, isIPv6 } from 'node:net';

/** The two families of addresses, by their version number. */
export type Family = 4 | 6;

/**
 * Reads an IPv4 address (four plain decimal numbers) or an IPv6 address without a zone id, and
 * gives its canonical text (RFC 5952); undefined if it is neither.
 */
export function parseAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  return isIPv6(text) && !text.includes('%') ? addressFromBytes(addressBytes(text)) : undefined;
}

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
  if (bytes.length === 4) return bytes.join('.');
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
  if (isIPv4(address)) return Uint8Array.from(address.split('.'), Number);
  if (!isIPv6(address) || address.includes('%')) throw new RangeError('not an address');
  const [head = '', tail = ''] = address.split('::');
  const front = groupBytes(head);
  const back = groupBytes(tail);
  const zeros = new Array<number>(16 - front.length - back.length).fill(0);
  return Uint8Array.from([...front, ...zeros, ...back]);
}

function groupBytes(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
