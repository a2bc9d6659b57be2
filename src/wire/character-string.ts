/** The text of each octet inside quotes: printable ones as they are, the rest as RFC 1035 5.1's \DDD. */
const QUOTED: readonly string[] = Array.from({ length: 256 }, (_, octet) => {
  if (octet < 0x20 || octet >= 0x7f) return `\\${octet.toString().padStart(3, '0')}`;
  const character = String.fromCharCode(octet);
  return character === '"' || character === '\\' ? `\\${character}` : character;
});

/** Octets as a character-string in zone files (RFC 1035 5.1): in quotes, escaped, all printable ASCII. */
export function quoted(octets: Uint8Array): string {
  let text = '';
  for (const octet of octets) text += QUOTED[octet];
  return `"${text}"`;
}
