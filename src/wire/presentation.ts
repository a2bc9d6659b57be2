import { toLatin1 } from '../encodings.ts';
import { decimalEscape } from './label.ts';

/** Octets as zone files write a character-string (RFC 1035 5.1): in quotes, and in printable ASCII only. */
export function quotedOctets(octets: Uint8Array): string {
  return `"${toLatin1(octets).replace(/["\\]|[^ -~]/g, escaped)}"`;
}

function escaped(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  return decimalEscape(character.charCodeAt(0));
}

const encoder = new TextEncoder();

/**
 * The octets that text without its quotes stands for: `\DDD` and `\X` undone (RFC 1035 5.1), other
 * characters as UTF-8. Undefined if an escape is invalid.
 */
export function unescaped(text: string): Uint8Array | undefined {
  const octets: number[] = [];
  for (const [piece] of text.matchAll(/\\(?:\d{3}|.)|[^\\]+|\\$/gs)) {
    const part = piece.startsWith('\\') ? escapedOctets(piece.slice(1)) : encoder.encode(piece);
    if (part === undefined) return undefined;
    octets.push(...part);
  }
  return Uint8Array.from(octets);
}

/** What follows a backslash: three decimal digits are one octet, any other character stands for itself. */
function escapedOctets(behind: string): Uint8Array | undefined {
  if (/^\d{3}$/.test(behind) && Number(behind) <= 255) return Uint8Array.of(Number(behind));
  return /^\D/s.test(behind) ? encoder.encode(behind) : undefined;
}
