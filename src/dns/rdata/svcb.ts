/* The parameters in SVCB and HTTPS records. */

import { concat } from '../../base/encodings.ts';
import { addressFromBytes, type Family } from '../address.ts';
import type { Reader } from '../reader.ts';
import { addressOctets, base64Rest, bigEndian, counted, type RdataField, textRest } from './fields.ts';
import { base64Octets, octetsOf, quotedOctets, RdataError, unsigned } from './words.ts';

/** The value of one kind of parameter. */
interface Value {
  /** Its text; '' if there is no value. The reader fails where it does not fit. */
  readonly read: (value: Reader) => string;
  /** Its octets, from its text without quotes. Throws RdataError. */
  readonly write: (text: string) => Uint8Array;
}

/** The keys with a name of their own (RFC 9460 14.3.2, RFC 9461 5, RFC 9540 4); the index is the number. */
const KEYS: readonly { readonly name: string; readonly value: Value }[] = [
  { name: 'mandatory', value: { read: list(readKey), write: writeKeys } },
  { name: 'alpn', value: { read: readAlpn, write: writeAlpn } },
  { name: 'no-default-alpn', value: flag() },
  {
    name: 'port',
    value: { read: (value) => `${value.u16()}`, write: (text) => bigEndian(unsigned(text, 16), 16) },
  },
  { name: 'ipv4hint', value: addresses(4, 4) },
  { name: 'ech', value: { read: base64Rest.read, write: base64Octets } },
  { name: 'ipv6hint', value: addresses(6, 16) },
  { name: 'dohpath', value: { read: textRest.read, write: octetsOf } },
  { name: 'ohttp', value: flag() },
];

/** The value of a key without a name: text, or nothing. */
const OPAQUE: Value = {
  read: (value) => (value.remaining === 0 ? '' : textRest.read(value)),
  write: octetsOf,
};

/**
 * The parameters of SVCB and HTTPS records (RFC 9460 2.1, 2.2): `alpn="h2,h3" port=8443
 * key667=hello`. Each occurs once; in text in any order, on the wire in ascending order of key numbers.
 */
export const serviceParameters: RdataField = {
  read: (data) => {
    const texts: string[] = [];
    for (let last = -1; data.remaining > 0; ) {
      const number = data.u16();
      if (number <= last) data.fail('service parameters out of order');
      texts.push(readParameter(number, data.part(data.u16())));
      last = number;
    }
    return texts.join(' ');
  },
  write: (words) => {
    const parameters = new Map<number, Uint8Array>();
    for (const word of words.rest()) {
      const [, key = '', value = ''] = /^([a-z0-9-]+)(?:=(.*))?$/s.exec(word) ?? [];
      const number = keyNumber(key);
      if (parameters.has(number)) throw new RdataError(`the parameter ${key} occurs twice`);
      parameters.set(number, (KEYS[number]?.value ?? OPAQUE).write(unquoted(value)));
    }
    const ascending = [...parameters].sort(([a], [b]) => a - b);
    return concat(
      ascending.flatMap(([number, value]) => [bigEndian(number, 16), bigEndian(value.length, 16), value]),
    );
  },
};

function readParameter(number: number, value: Reader): string {
  const name = keyName(number);
  const text = (KEYS[number]?.value ?? OPAQUE).read(value);
  if (value.remaining > 0) value.fail(`a value of ${name} that is too long`);
  return text === '' ? name : `${name}=${text}`;
}

function keyName(number: number): string {
  return KEYS[number]?.name ?? `key${number}`;
}

function keyNumber(key: string): number {
  const known = KEYS.findIndex(({ name }) => name === key);
  if (known >= 0) return known;
  const number = /^key(0|[1-9]\d{0,4})$/.exec(key)?.[1];
  if (number === undefined) throw new RdataError(`"${key}" is not the name of a parameter`);
  return unsigned(number, 16);
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1) : value;
}

function flag(): Value {
  return {
    read: () => '',
    write: (text) => {
      if (text !== '') throw new RdataError('a parameter without values has one');
      return new Uint8Array();
    },
  };
}

function addresses(family: Family, octets: number): Value {
  return {
    read: list((value) => addressFromBytes(value.octets(octets))),
    write: (text) => concat(text.split(',').map((one) => addressOctets(one, family))),
  };
}

const EMPTY_LIST = 'an empty list of values';

/** One or more of something, with commas between them. */
function list(readItem: (value: Reader) => string): Value['read'] {
  return (value) => {
    const texts: string[] = [];
    while (value.remaining > 0) texts.push(readItem(value));
    return texts.length === 0 ? value.fail(EMPTY_LIST) : texts.join(',');
  };
}

function readKey(value: Reader): string {
  return keyName(value.u16());
}

/** RFC 9460 8: in ascending order, each once. */
function writeKeys(text: string): Uint8Array {
  const numbers = [...new Set(text.split(',').map(keyNumber))].sort((a, b) => a - b);
  return concat(numbers.map((number) => bigEndian(number, 16)));
}

const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** RFC 9460 7.1.1: identifiers, each preceded by its length; A.1: commas and backslashes in them are escaped twice. */
function readAlpn(value: Reader): string {
  const octets: number[] = [];
  while (value.remaining > 0) {
    if (octets.length > 0) octets.push(COMMA);
    const length = value.u8();
    if (length === 0) value.fail('an identifier of no octets in alpn');
    for (const octet of value.octets(length)) {
      octets.push(...(octet === COMMA || octet === BACKSLASH ? [BACKSLASH, octet] : [octet]));
    }
  }
  return octets.length === 0 ? value.fail(EMPTY_LIST) : quotedOctets(Uint8Array.from(octets));
}

function writeAlpn(text: string): Uint8Array {
  const items = listItems(octetsOf(text));
  if (items.some(({ length }) => length === 0 || length > 255))
    throw new RdataError('an identifier in alpn has 1 to 255 octets');
  return concat(items.map(counted));
}

/** RFC 9460 A.1: items between commas; a comma or backslash after a backslash is part of the item. */
function listItems(value: Uint8Array): Uint8Array[] {
  const items: number[][] = [[]];
  for (let at = 0; at < value.length; at += 1) {
    const octet = value[at] ?? 0;
    if (octet === COMMA) items.push([]);
    else if (octet === BACKSLASH && at + 1 < value.length) {
      at += 1;
      items.at(-1)?.push(value[at] ?? 0);
    } else items.at(-1)?.push(octet);
  }
  return items.map((item) => Uint8Array.from(item));
}
