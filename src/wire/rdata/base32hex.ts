/** Octets in base32hex without padding, lower-case (RFC 4648 7). */
export function base32hex(octets: Uint8Array): string {
  let text = '';
  for (let bit = 0; bit < octets.length * 8; bit += 5) {
    const pair = ((octets[bit >> 3] ?? 0) << 8) | (octets[(bit >> 3) + 1] ?? 0);
    text += ((pair >> (11 - (bit & 7))) & 31).toString(32);
  }
  return text;
}
