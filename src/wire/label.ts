/** Why text or octets are not a domain name, in one line that does not repeat them. */
export class NameError extends Error {
  override readonly name = 'NameError';
}

/** Octets of the longest label (RFC 1035 2.3.4). */
export const MAX_LABEL = 63;

/** Octets of the longest name on the wire, its final zero included (RFC 1035 2.3.4). */
export const MAX_NAME = 255;

/** The text of each octet inside a name, letters as they are, escaped as RFC 1035 5.1 says. */
export const LABEL_TEXT_AS_SENT: readonly string[] = Array.from({ length: 256 }, (_, octet) => textOf(octet));

/** The text of each octet inside a canonical name: the same in lower case. */
export const LABEL_TEXT: readonly string[] = LABEL_TEXT_AS_SENT.map((text) => text.toLowerCase());

function textOf(octet: number): string {
  if (octet <= 0x20 || octet >= 0x7f) return decimalEscape(octet);
  const character = String.fromCharCode(octet);
  return '."();@$\\'.includes(character) ? `\\${character}` : character;
}

/** An octet that is not printable, as zone files write it: "\007" (RFC 1035 5.1). */
export function decimalEscape(octet: number): string {
  return `\\${octet.toString().padStart(3, '0')}`;
}

/** The canonical text of one label, without the dot after it. */
export function labelText(label: Uint8Array): string {
  let text = '';
  for (const octet of label) text += LABEL_TEXT[octet];
  return text;
}

/**
 * Splits a name's text at its unescaped dots and undoes the escapes; letters keep their case.
 * A final dot is optional; the root "." has no labels; other empty labels are returned empty.
 * Throws NameError for an invalid escape and for a character that must be escaped.
 */
export function splitLabels(text: string): Uint8Array[] {
  if (text === '.') return [];
  if (PLAIN.test(text)) {
    const parts = text.split('.');
    if (parts.at(-1) === '') parts.pop();
    return parts.map((part) => encoder.encode(part));
  }
  const labels: Uint8Array[] = [];
  let label: number[] = [];
  for (let at = 0; at < text.length; ) {
    if (text[at] === '.') {
      labels.push(new Uint8Array(label));
      label = [];
      at += 1;
    } else {
      const escaped = text[at] === '\\';
      label.push(escaped ? escapedOctet(text, at + 1) : plainOctet(text, at));
      at += !escaped ? 1 : isDigit(text, at + 1) ? 4 : 2;
    }
  }
  if (label.length > 0) labels.push(new Uint8Array(label));
  return labels;
}

/** What most names are written with. */
const PLAIN = /^[a-z0-9_.-]+$/i;
const encoder = new TextEncoder();

function plainOctet(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code > 0x20 && code < 0x7f) return code;
  if (code > 0x7f) throw new NameError('a label contains a non-ASCII character: write its octets as \\DDD');
  const what = code === 0x20 ? 'blank' : 'control character';
  throw new NameError(`a label contains a ${what}, which must be written as ${decimalEscape(code)}`);
}

/** RFC 1035 5.1: a backslash precedes a literal character or the three decimal digits of an octet. */
function escapedOctet(text: string, at: number): number {
  if (!isDigit(text, at)) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code < 0x7f) return code;
    throw new NameError('a backslash must be followed by a printable character or three digits');
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

/** Labels on the wire: each preceded by its length, then the root's zero (RFC 1035 3.1). */
export function labelsToWire(labels: readonly Uint8Array[]): Uint8Array {
  const octets: number[] = [];
  for (const label of labels) octets.push(label.length, ...label);
  octets.push(0);
  return Uint8Array.from(octets);
}
