/* Converts record data between octets and presentation format, by the layout of their type. */

import { concat, fromHex, toHex } from '../../base/encodings.ts';
import { type Name, NameError, nameToWire } from '../name.ts';
import { COMPRESSED, DecodeError, MISFIT, Reader } from '../reader.ts';
import type { Writer } from '../writer.ts';
import { laterName, name, plainName } from './fields.ts';
import { layoutOf, type RdataLayout } from './layouts.ts';
import { RdataError, type RdataWord, RdataWords, splitWords, unsigned } from './words.ts';

/**
 * One record's data in presentation format; in the generic form of RFC 3597 5 (`\# 2 abcd`) if their
 * type has no other or they do not fit it. Throws DecodeError only if the names of the message unfold
 * to too much.
 */
export function rdataText(type: string, recordClass: string, data: Reader): string {
  const layout = layoutOf(type, recordClass);
  const text = layout && orMisfit(() => textBy(layout, data));
  return text ?? genericText(data.whole());
}

function textBy(layout: RdataLayout, data: Reader): string {
  let line = '';
  for (const field of layout) {
    const text = field.read(data);
    if (text !== '') line += line === '' ? text : ` ${text}`;
  }
  const { remaining } = data;
  return remaining > 0
    ? data.fail(`${remaining} octet${remaining === 1 ? '' : 's'} behind the last field`)
    : line;
}

/**
 * One record's data in canonical form (RFC 4034 6.2); undefined if their type is unknown or senders may compress names in it,
 * and if they do not fit their type.
 */
export function rdataOctets(type: string, recordClass: string, data: Reader): Uint8Array | undefined {
  const layout = layoutOf(type, recordClass);
  if (layout === undefined || mayCompress(layout)) return undefined;
  return orMisfit(() => octetsBy(layout, data));
}

function octetsBy(layout: RdataLayout, data: Reader): Uint8Array {
  const whole = data.whole();
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const field of layout) {
    const start = whole.length - data.remaining;
    if (field !== plainName) {
      (field.pass ?? field.read)(data);
      continue;
    }
    // Its letters are signed as small ones.
    parts.push(whole.subarray(from, start), nameToWire(data.uncompressedName()));
    from = whole.length - data.remaining;
  }
  if (data.remaining > 0) data.fail('octets behind the last field');
  return parts.length === 0 ? whole : concat([...parts, whole.subarray(from)]);
}

function orMisfit<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error === MISFIT) return undefined;
    throw error;
  }
}

function genericText(octets: Uint8Array): string {
  const hex = toHex(octets);
  return `\\# ${octets.length}${hex === '' ? '' : ` ${hex}`}`;
}

/** Whether data are in the generic form of RFC 3597 5 although their type has one of its own. */
export function isMisfit(type: string, recordClass: string, text: string): boolean {
  return text.startsWith('\\# ') && layoutOf(type, recordClass) !== undefined && !isLaterLocation(type, text);
}

/**
 * Why data do not fit their type: a reason and a place. Undefined if they do, and if that cannot be seen from the data alone,
 * because of a compressed name.
 */
export function misfitReason(type: string, recordClass: string, text: string): string | undefined {
  const layout = layoutOf(type, recordClass);
  if (layout === undefined || !isMisfit(type, recordClass, text)) return undefined;
  const octets = fromHex(text.split(' ')[2] ?? '');
  try {
    textBy(layout, Reader.alone(octets));
    return undefined;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const isUnknown = error.message.startsWith(COMPRESSED) && mayCompress(layout);
    return isUnknown ? undefined : error.message;
  }
}

/** Whether senders may compress names in such data, so that nothing is wrong with one that is. */
function mayCompress(layout: RdataLayout): boolean {
  return layout.some((field) => field === name || field === laterName);
}

/** RFC 1876 2: versions of LOC other than 0 have a format, but nobody knows it. */
function isLaterLocation(type: string, text: string): boolean {
  return type === 'LOC' && /^\\# \d+ (?!00)/.test(text);
}

/**
 * Encodes record data of class IN from presentation format, names relative to `origin`, not
 * compressed. Data of any type may be in the generic form of RFC 3597 5 (`\# 3 abcdef`), and need not
 * fit it then. Throws RdataError with the reason.
 */
export function encodeRdata(type: string, text: string, origin: Name): Uint8Array {
  return encodeWords(type, splitWords(text), origin);
}

/** The same from data that are split into words already. Throws RdataError with the reason and the word. */
export function encodeWords(type: string, words: readonly RdataWord[], origin: Name): Uint8Array {
  const [first, ...rest] = words;
  if (first?.text === '\\#' && !first.quoted) return genericOctets(rest, origin);
  const layout = layoutOf(type, 'IN');
  if (layout === undefined) throw new RdataError(`data of type ${type} must be written as \\# LENGTH HEX`);
  const left = new RdataWords(words, origin);
  try {
    const parts = layout.map((field) => field.write(left));
    left.end();
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : concat(parts);
  } catch (error) {
    if (error instanceof NameError) throw new RdataError(error.message, left.taken - 1);
    if (error instanceof RdataError) throw new RdataError(error.message, error.word ?? left.taken - 1);
    throw error;
  }
}

/** RFC 3597 5: a length, then that many octets. */
function genericOctets(words: readonly RdataWord[], origin: Name): Uint8Array {
  const [length, ...data] = words;
  const octets = data.length === 0 ? new Uint8Array() : new RdataWords(data, origin).hex();
  if (length === undefined || unsigned(length.text, 16) !== octets.length) {
    throw new RdataError(`\\# must be followed by the number of octets, here ${octets.length}`);
  }
  return octets;
}

/**
 * Writes uncompressed record data, their names compressed where the type allows it. Data that do not
 * fit their type are written unchanged, so that tests can send them.
 */
export function writeRdata(writer: Writer, type: string, rdata: Uint8Array): void {
  const layout = layoutOf(type, 'IN');
  const parts = layout?.includes(name) ? orMisfit(() => partsOf(layout, rdata)) : undefined;
  for (const part of parts ?? [rdata]) {
    if (typeof part === 'string') writer.name(part);
    else writer.octets(part);
  }
}

/** The names in the data, and the octets before, between and after them. */
function partsOf(layout: RdataLayout, rdata: Uint8Array): (Name | Uint8Array)[] {
  const data = Reader.of(rdata).data(rdata.length);
  const parts = layout.map((field) => {
    if (field === name) return data.uncompressedName();
    const start = rdata.length - data.remaining;
    field.read(data);
    return rdata.subarray(start, rdata.length - data.remaining);
  });
  return data.remaining > 0 ? data.fail('octets after the data') : parts;
}
