import { addressBytes, familyOf } from './address.ts';

/**
 * A domain name in canonical text: absolute, ASCII letters lower-case, octets that are not
 * printable or are special in zone files escaped as RFC 1035 5.1 says (`\.`, `\\`, `\032`).
 * Equal names are equal strings. The root is ".".
 */
export type Name = string & { readonly [brand]: 'Name' };

declare const brand: unique symbol;

/** The root of the tree. */
export const ROOT = '.' as Name;

/** Most names: letters, digits, hyphens and underscores, so nothing to unescape. */
const PLAIN_NAME = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?$/i;

/**
 * Reads a name as people write it, with or without the final dot, with the escapes of
 * RFC 1035 5.1 (`\.`, `\\`, `\DDD`). Throws NameError. Blanks, control and non-ASCII characters
 * must be escaped; internationalised names must be converted first (see asciiName).
 */
export function parseName(text: string): Name {
  // 253 octets of text and a final dot make 255 on the wire.
  if (text.length < MAX_NAME - 1 && PLAIN_NAME.test(text)) {
    const lower = text.toLowerCase();
    return (lower.endsWith('.') ? lower : `${lower}.`) as Name;
  }
  if (text === '') throw new NameError('a name must not be empty (the root is ".")');
  return nameFromLabels(splitLabels(text));
}

/**
 * The name with these raw labels, the one nearest the root last, without the root's empty one. Throws
 * NameError like `checkLengths`.
 */
export function nameFromLabels(labels: readonly Uint8Array[]): Name {
  checkLengths(labels);
  const text = labels.map((label) => `${labelText(label)}.`).join('');
  return text === '' ? ROOT : (text as Name);
}

/** Throws NameError where RFC 1035 2.3.4 forbids a name with these raw labels: one empty or over 63 octets, all over 255. */
export function checkLengths(labels: readonly Uint8Array[]): void {
  let octets = 1;
  for (const { length } of labels) {
    if (length === 0) throw new NameError('a label is empty (two dots in a row, or a leading dot)');
    if (length > MAX_LABEL) throw new NameError(`a label is longer than ${MAX_LABEL} octets`);
    octets += length + 1;
  }
  if (octets > MAX_NAME) throw new NameError(`the name is longer than ${MAX_NAME} octets`);
}

/** A name as people write it: without its final dot, but for the root. Any other text stays as it is. */
export function withoutFinalDot(name: string): string {
  return name.endsWith('.') && name !== ROOT ? name.slice(0, -1) : name;
}

/** The raw octets of each label, lower-case, without the root's empty one. */
export function labelsOf(name: Name): Uint8Array[] {
  return splitLabels(name);
}

/** The name on the wire, uncompressed: each label preceded by its length, then a zero (RFC 1035 3.1). */
export function nameToWire(name: Name): Uint8Array {
  return labelsToWire(labelsOf(name));
}

/** Whether `zone` is the name itself or encloses it. */
export function isAtOrBelow(name: Name, zone: Name): boolean {
  return name === zone || isBelow(name, zone);
}

/** Whether `zone` encloses the name and is not the name itself. */
export function isBelow(name: Name, zone: Name): boolean {
  if (zone === ROOT) return name !== ROOT;
  const cut = name.length - zone.length;
  return cut > 1 && name.endsWith(zone) && isLabelEnd(name, cut - 1);
}

/** The name without its first label; undefined for the root. */
export function parentOf(name: Name): Name | undefined {
  if (name === ROOT) return undefined;
  const end = firstLabelEnd(name, 0);
  return end === name.length - 1 ? ROOT : (name.slice(end + 1) as Name);
}

/** How many labels the name has, the root's empty one not counted. */
export function labelCount(name: Name): number {
  if (name === ROOT) return 0;
  let count = 0;
  for (let at = 0; at < name.length; at = firstLabelEnd(name, at) + 1) count += 1;
  return count;
}

/**
 * The name that a DNAME at `owner` redirects a name to (RFC 6672 2.2). Undefined if that is longer
 * than 255 octets, or if the name is not below the owner.
 */
export function substituteSuffix(name: Name, owner: Name, target: Name): Name | undefined {
  if (!isBelow(name, owner)) return undefined;
  const prefix = owner === ROOT ? name : name.slice(0, -owner.length);
  const substituted = target === ROOT ? prefix : prefix + target;
  const octets = substituted.length > MAX_NAME - 2 ? nameToWire(substituted as Name).length : 0;
  return octets > MAX_NAME ? undefined : (substituted as Name);
}

/** The owner of an address's PTR records (RFC 1035 3.5, RFC 3596 2.5). The address in canonical text. */
export function reverseName(address: string): Name {
  const bytes = [...addressBytes(address)].reverse();
  if (familyOf(address) === 4) return `${bytes.join('.')}.in-addr.arpa.` as Name;
  const nibbles = bytes.flatMap((byte) => [byte & 15, byte >> 4]);
  return `${nibbles.map((nibble) => nibble.toString(16)).join('.')}.ip6.arpa.` as Name;
}

/** Where the label that begins at `from` has its final dot. */
function firstLabelEnd(name: Name, from: number): number {
  let dot = name.indexOf('.', from);
  while (!isLabelEnd(name, dot)) dot = name.indexOf('.', dot + 1);
  return dot;
}

/** Whether there is a dot here that ends a label: one after an even number of backslashes. */
function isLabelEnd(name: Name, dot: number): boolean {
  if (name[dot] !== '.') return false;
  let first = dot;
  while (first > 0 && name[first - 1] === '\\') first -= 1;
  return (dot - first) % 2 === 0;
}

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
function labelText(label: Uint8Array): string {
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
  if (PLAIN_TEXT.test(text)) {
    const parts = text.split('.');
    if (parts.at(-1) === '') parts.pop();
    // Encoding each label takes many times as long.
    const octets = encoder.encode(text);
    let at = 0;
    return parts.map(({ length }) => {
      at += length + 1;
      return octets.subarray(at - length - 1, at - 1);
    });
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
const PLAIN_TEXT = /^[a-z0-9_.-]+$/i;
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
  const octets = new Uint8Array(labels.reduce((sum, { length }) => sum + length + 1, 1));
  let at = 0;
  for (const label of labels) {
    octets[at] = label.length;
    octets.set(label, at + 1);
    at += label.length + 1;
  }
  return octets;
}
