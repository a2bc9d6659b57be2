/* Converts internationalised names to ASCII and back. */

import { type Name, ROOT } from './name.ts';

/** A name as people write it, its internationalised labels converted to ASCII. All other labels stay unchanged. */
export function asciiName(text: string): string {
  if (isAscii(text)) return text;
  return text.replace(PARTS, (part) => {
    if (isAscii(part)) return part;
    if (part.length === 1 && '\u3002\uff0e\uff61'.includes(part)) return '.';
    return asciiLabel(part) ?? part;
  });
}

/** Labels, each with its escapes, and the dots between them (RFC 3490 3.1 lists four). */
const PARTS = /(?:\\.|[^\\.\u3002\uff0e\uff61])+|[.\u3002\uff0e\uff61]/gsu;

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

/** What ends or divides the host of a URL, and so cannot be part of it (WHATWG URL 4.4, host state). */
const NOT_IN_HOST = /[/?#\\:@[\]]/;

/** A label as a URL's host has it, which is how browsers and Node both convert one; undefined if they refuse. */
function asciiLabel(label: string): string | undefined {
  // A further label keeps full-width digits from being read as an IPv4 address.
  const address = `http://${label}.invalid`;
  if (NOT_IN_HOST.test(label) || !URL.canParse(address)) return undefined;
  return new URL(address).hostname.replace(/\.invalid$/, '') || undefined;
}

/**
 * An internationalised name as its readers write it; undefined if no label is one. A label is decoded only if
 * it would be encoded like that again: anything else could pass for another name.
 */
export function unicodeName(name: Name): string | undefined {
  if (name === ROOT || !/(?:^|\.)xn--/.test(name)) return undefined;
  const unicode = name.replace(/[^.]+/g, (label) => unicodeLabel(label) ?? label);
  return unicode === name ? undefined : unicode;
}

function unicodeLabel(label: string): string | undefined {
  if (!label.startsWith('xn--')) return undefined;
  const decoded = punycodeText(label.slice('xn--'.length));
  if (decoded === undefined || /[.\\]/.test(decoded)) return undefined;
  return asciiName(decoded) === label ? decoded : undefined;
}

// Parameters of RFC 3492 5.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE = 128;
const LAST_CODE = 0x10ffff;

/** The text that Punycode stands for (RFC 3492 6.2); undefined for what is none. */
function punycodeText(encoded: string): string | undefined {
  const delimiter = encoded.lastIndexOf('-');
  const codes = [...encoded.slice(0, Math.max(0, delimiter))].map((character) => character.charCodeAt(0));
  let [code, at, bias] = [INITIAL_CODE, 0, INITIAL_BIAS];
  for (let place = delimiter + 1; place < encoded.length; ) {
    const delta = deltaAt(encoded, place, bias);
    if (delta === undefined) return undefined;
    const length = codes.length + 1;
    const next = at + delta.value;
    bias = adapted(delta.value, length, at === 0 && code === INITIAL_CODE ? DAMP : 2);
    code += Math.floor(next / length);
    if (code > LAST_CODE) return undefined;
    at = next % length;
    codes.splice(at, 0, code);
    at += 1;
    place = delta.end;
  }
  return String.fromCodePoint(...codes);
}

/** The number of variable length that begins at `from`, and where the next begins. */
function deltaAt(encoded: string, from: number, bias: number) {
  let [value, weight] = [0, 1];
  for (let end = from, k = BASE; end < encoded.length; end += 1, k += BASE) {
    const digit = digitOf(encoded.charCodeAt(end));
    if (digit === undefined) return undefined;
    value += digit * weight;
    const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
    if (digit < threshold) return { value, end: end + 1 };
    weight *= BASE - threshold;
  }
  return undefined;
}

/** a to z are 0 to 25, 0 to 9 are 26 to 35. Names are in lower case. */
function digitOf(code: number): number | undefined {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : undefined;
}

/** RFC 3492 6.1. `damp`: 700 for the first number, 2 for the others. */
function adapted(delta: number, length: number, damp: number): number {
  let rest = Math.floor(delta / damp);
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
