/* Fields of types that few zones have: each is read and written by its RFC. */

import { concat, fromHex, toBase64, toHex } from '../../base/encodings.ts';
import { addressFromBytes } from '../address.ts';
import { nameToWire } from '../name.ts';
import type { Reader } from '../reader.ts';
import { addressOctets, bigEndian, type RdataField } from './fields.ts';
import { base64Octets, hexOctets, RdataError, type RdataWords, unsigned } from './words.ts';

/** RFC 3123 4: address prefixes, each with a family, and perhaps an exclamation mark. */
export const addressPrefixes: RdataField = {
  read: (data) => {
    const items: string[] = [];
    while (data.remaining > 0) items.push(prefix(data));
    return items.join(' ');
  },
  write: (words) => concat(words.rest().map(prefixOctets)),
};

/** The octets of an address of each family (RFC 3123 4: IANA's numbers of address families). */
const FAMILIES: Readonly<Record<number, 4 | 16>> = { 1: 4, 2: 16 };

function prefix(data: Reader): string {
  const [family, length, third] = [data.u16(), data.u8(), data.u8()];
  const size = FAMILIES[family] ?? data.fail('an unknown address family');
  const part = data.octets(third % 128);
  if (part.length > size || length > 8 * size) data.fail('a prefix that is too long');
  const whole = concat([part, new Uint8Array(size - part.length)]);
  return `${third >= 128 ? '!' : ''}${family}:${addressFromBytes(whole)}/${length}`;
}

function prefixOctets(text: string): Uint8Array {
  const [, negated = '', family = '', address = '', length = ''] =
    /^(!?)([12]):([\da-f.:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const size = FAMILIES[Number(family)];
  if (size === undefined || Number(length) > 8 * size)
    throw new RdataError(`"${text}" is not a prefix such as 1:192.0.2.0/24`);
  const octets = addressOctets(address, size === 4 ? 4 : 6);
  const used = octets.findLastIndex((octet) => octet !== 0) + 1;
  const head = Uint8Array.of(0, Number(family), Number(length), (negated === '' ? 0 : 128) + used);
  return concat([head, octets.subarray(0, used)]);
}

/** RFC 4398 2.1: mnemonics of certificate types. */
const CERTIFICATES: Readonly<Record<string, number>> = {
  PKIX: 1,
  SPKI: 2,
  PGP: 3,
  IPKIX: 4,
  ISPKI: 5,
  IPGP: 6,
  ACPKIX: 7,
  IACPKIX: 8,
  URI: 253,
  OID: 254,
};

export const certificateType: RdataField = {
  read: (data) => `${data.u16()}`,
  write: (words) => {
    const word = words.next();
    return bigEndian(CERTIFICATES[word.toUpperCase()] ?? unsigned(word, 16), 16);
  },
};

/** RFC 4025 2.3 to 2.6: the kind of gateway, the algorithm of the key, the gateway, the key. */
export const ipsecGateway: RdataField = {
  read: (data) => {
    const [kind, algorithm] = [data.u8(), data.u8()];
    const gateway = gatewayText(kind, data);
    const key = toBase64(data.octets(data.remaining));
    return [kind, algorithm, gateway, key].filter((text) => text !== '').join(' ');
  },
  write: (words) => {
    const [kind, algorithm] = [words.number(8), words.number(8)];
    const gateway = gatewayOctets(kind, words);
    const key = words.areLeft() ? words.base64() : new Uint8Array();
    return concat([Uint8Array.of(kind, algorithm), gateway, key]);
  },
};

/** RFC 8777 4.2: whether discovery is optional, with the kind of relay; the relay. */
export const relay: RdataField = {
  read: (data) => {
    const octet = data.u8();
    return `${octet >> 7} ${octet % 128} ${gatewayText(octet % 128, data)}`;
  },
  write: (words) => {
    const [optional, kind] = [words.number(8), words.number(8)];
    if (optional > 1 || kind > 127) throw new RdataError('discovery is 0 or 1, the type at most 127');
    return concat([Uint8Array.of(128 * optional + kind), gatewayOctets(kind, words)]);
  },
};

/** Kinds 0 to 3: none, an IPv4 address, an IPv6 address, a name that is not compressed. */
function gatewayText(kind: number, data: Reader): string {
  switch (kind) {
    case 0:
      return '.';
    case 1:
      return addressFromBytes(data.octets(4));
    case 2:
      return addressFromBytes(data.octets(16));
    case 3:
      return data.uncompressedName();
    default:
      return data.fail('an unknown kind of gateway');
  }
}

function gatewayOctets(kind: number, words: RdataWords): Uint8Array {
  if (kind === 3) return nameToWire(words.name());
  const text = words.next();
  switch (kind) {
    case 0:
      if (text === '.') return new Uint8Array();
      throw new RdataError('a gateway of kind 0 is written as "."');
    case 1:
      return addressOctets(text, 4);
    case 2:
      return addressOctets(text, 6);
    default:
      throw new RdataError(`${kind} is not a kind of gateway (0 to 3)`);
  }
}

/** RFC 8005 5 and 6: lengths, algorithm, host identity tag, key, and rendezvous servers. */
export const hostIdentity: RdataField = {
  read: (data) => {
    const [tagLength, algorithm, keyLength] = [data.u8(), data.u8(), data.u16()];
    const [tag, key] = [toHex(data.octets(tagLength)), toBase64(data.octets(keyLength))];
    const servers: string[] = [];
    while (data.remaining > 0) servers.push(data.uncompressedName());
    return [algorithm, tag, key, ...servers].join(' ');
  },
  write: (words) => {
    const [algorithm, tag, key] = [words.number(8), hexOctets(words.next()), base64Octets(words.next())];
    const head = concat([Uint8Array.of(tag.length, algorithm), bigEndian(key.length, 16), tag, key]);
    const servers: Uint8Array[] = [];
    while (words.areLeft()) servers.push(nameToWire(words.name()));
    return concat([head, ...servers]);
  },
};

/** RFC 6742 2.1.1, 2.3.1: 64 bits in four groups of hexadecimal digits. */
export const locator64: RdataField = {
  read: (data) => toHex(data.octets(8)).match(/.{4}/g)?.join(':') ?? '',
  write: (words) => {
    const text = words.next();
    const groups = text.split(':');
    if (groups.length !== 4 || !groups.every((group) => /^[\da-f]{1,4}$/i.test(group)))
      throw new RdataError(`"${text}" is not four groups of hexadecimal digits`);
    return fromHex(groups.map((group) => group.padStart(4, '0')).join(''));
  },
};

/** RFC 1706 5: "0x" and hexadecimal digits, between which periods may stand. */
export const networkAddress: RdataField = {
  read: (data) => (data.remaining > 0 ? `0x${toHex(data.octets(data.remaining))}` : data.fail('no octets')),
  write: (words) => {
    const text = words.next();
    if (!/^0x/i.test(text)) throw new RdataError(`"${text}" does not begin with 0x`);
    return hexOctets(text.slice(2).replaceAll('.', ''));
  },
};
