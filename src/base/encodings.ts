/* Converts octets to text and back: hexadecimal, Base64, Base32hex, Latin-1. */

/** Octets in lower-case hexadecimal digits. */
export function toHex(octets: Uint8Array): string {
  let text = '';
  for (let at = 0; at < octets.length; at += 1) text += HEX[octets[at] ?? 0];
  return text;
}

/** The hexadecimal digits of each octet. Neither Node 20 nor every browser writes them itself, and browsers have no Buffer. */
const HEX: readonly string[] = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, '0'));

/** The octets that pairs of hexadecimal digits stand for. */
export function fromHex(digits: string): Uint8Array {
  const octets = new Uint8Array(digits.length >> 1);
  for (let at = 0; at < octets.length; at += 1)
    octets[at] = Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16);
  return octets;
}

/** Octets in base64 with padding (RFC 4648 4). */
export function toBase64(octets: Uint8Array): string {
  return btoa(toLatin1(octets));
}

/** The octets that base64 with padding stands for; undefined for text that `toBase64` does not write. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const binary = atob(text);
  const octets = Uint8Array.from({ length: binary.length }, (_, at) => binary.charCodeAt(at));
  return toBase64(octets) === text ? octets : undefined;
}

/** Octets in base32hex without padding, lower-case (RFC 4648 7). */
export function toBase32hex(octets: Uint8Array): string {
  let text = '';
  for (let bit = 0; bit < octets.length * 8; bit += 5) {
    const pair = ((octets[bit >> 3] ?? 0) << 8) | (octets[(bit >> 3) + 1] ?? 0);
    text += ((pair >> (11 - (bit & 7))) & 31).toString(32);
  }
  return text;
}

/** A character for each octet: U+0000 to U+00FF. */
export function toLatin1(octets: Uint8Array): string {
  if (octets.length <= MOST_ARGUMENTS) return Reflect.apply(String.fromCharCode, undefined, octets);
  return toLatin1(octets.subarray(0, MOST_ARGUMENTS)) + toLatin1(octets.subarray(MOST_ARGUMENTS));
}

/** Every engine takes so many arguments in one call. */
const MOST_ARGUMENTS = 8_192;

/** All parts in one. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
