/** Why a text or a row of octets is not a domain name, in one line without the text itself. */
export class NameError extends Error {
  override readonly name = 'NameError';
}

/** For each octet its text inside a canonical name: lower-case, escaped as RFC 1035 5.1 says. */
export const LABEL_TEXT: readonly string[] = Array.from({ length: 256 }, (_, octet) => textOfOctet(octet));

function textOfOctet(octet: number): string {
  if (octet <= 0x20 || octet >= 0x7f) return `\\${octet.toString().padStart(3, '0')}`;
  const character = String.fromCharCode(octet);
  return '."();@$\\'.includes(character) ? `\\${character}` : character.toLowerCase();
}

/** The canonical text of one label, without a dot behind it. */
export function labelText(label: Uint8Array): string {
  let text = '';
  for (const octet of label) text += LABEL_TEXT[octet];
  return text;
}

/**
 * Splits a name's text at its unescaped dots and undoes the escapes; letters become lower-case.
 * A final dot is optional; an empty label elsewhere comes out empty. Throws NameError for an
 * escape that is none and for a character that has to be escaped.
 */
export function splitLabels(text: string): Uint8Array[] {
  const labels: Uint8Array[] = [];
  let label: number[] = [];
  for (let at = 0; at < text.length; ) {
    if (text[at] === '.') {
      labels.push(Uint8Array.from(label));
      label = [];
      at += 1;
    } else {
      const escaped = text[at] === '\\';
      label.push(lowerCase(escaped ? escapedOctet(text, at + 1) : plainOctet(text, at)));
      at += !escaped ? 1 : isDigit(text, at + 1) ? 4 : 2;
    }
  }
  if (label.length > 0) labels.push(Uint8Array.from(label));
  return labels;
}

function plainOctet(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code > 0x20 && code < 0x7f) return code;
  throw new NameError('blanks, control and non-ASCII characters must be written as \\DDD');
}

/** RFC 1035 5.1: a backslash quotes the next character, or stands before an octet's three decimal digits. */
function escapedOctet(text: string, at: number): number {
  if (!isDigit(text, at)) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code < 0x7f) return code;
    throw new NameError('a backslash must stand before a printable character or three digits');
  }
  const digits = text.slice(at, at + 3);
  if (!/^\d{3}$/.test(digits) || Number(digits) > 255) {
    throw new NameError('a backslash and a digit must be \\000 to \\255, three digits');
  }
  return Number(digits);
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

function lowerCase(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet;
}
