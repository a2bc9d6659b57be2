/**
 * Octets as a character-string in zone files (RFC 1035 5.1): in quotes, all printable ASCII, what
 * is not as \DDD.
 */
export function quoted(octets: Uint8Array): string {
  const text = Buffer.from(octets).toString('latin1');
  return `"${text.replace(/["\\]|[^ -~]/g, escaped)}"`;
}

function escaped(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  return `\\${character.charCodeAt(0).toString().padStart(3, '0')}`;
}
