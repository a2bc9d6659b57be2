import * as dnssec from './decode-rdata-dnssec.ts';
import {
  base64Rest,
  caaTag,
  characterString,
  type Field,
  hexRest,
  ipv4,
  ipv6,
  name,
  quotedRest,
  u8,
  u16,
  u32,
  uncompressedName,
} from './decode-rdata-fields.ts';
import { ds, tlsa, txt } from './decode-rdata-packet.ts';
import { serviceParameters } from './decode-rdata-svcb.ts';
import { MISFIT, type Reader } from './reader.ts';

/** RFC 4034 3.1, up to the signer's name. */
const SIGNATURE = [dnssec.coveredType, u8, u8, u32, dnssec.timestamp, dnssec.timestamp, u16];

/** RFC 4034 2.1. dns-packet would throw on another protocol than 3, which makes the key invalid, not the message. */
const PUBLIC_KEY = [u16, u8, u8, base64Rest];

/**
 * The fields of each type's data. Names may be compressed exactly in the types that RFC 3597 4
 * lists, and those are all here, because a pointer in the generic form would mean nothing (but NXT,
 * which nobody has served since RFC 3755).
 */
const LAYOUTS: Readonly<Record<string, readonly Field[]>> = {
  NS: [name],
  MD: [name],
  MF: [name],
  CNAME: [name],
  SOA: [name, name, u32, u32, u32, u32, u32],
  MB: [name],
  MG: [name],
  MR: [name],
  PTR: [name],
  HINFO: [characterString, characterString],
  MINFO: [name, name],
  MX: [u16, name],
  TXT: [txt],
  RP: [name, name],
  AFSDB: [u16, name],
  RT: [u16, name],
  SIG: [...SIGNATURE, name, base64Rest],
  KEY: PUBLIC_KEY,
  PX: [u16, name, name],
  SRV: [u16, u16, u16, name],
  NAPTR: [u16, u16, characterString, characterString, characterString, name],
  KX: [u16, uncompressedName],
  DNAME: [uncompressedName],
  DS: [ds],
  SSHFP: [u8, u8, hexRest],
  RRSIG: [...SIGNATURE, uncompressedName, base64Rest],
  NSEC: [uncompressedName, dnssec.typeBitmap],
  DNSKEY: PUBLIC_KEY,
  NSEC3: [u8, u8, u16, dnssec.salt, dnssec.hashedOwner, dnssec.typeBitmap],
  NSEC3PARAM: [u8, u8, u16, dnssec.salt],
  TLSA: [tlsa],
  SMIMEA: [tlsa],
  CDS: [ds],
  CDNSKEY: PUBLIC_KEY,
  OPENPGPKEY: [base64Rest],
  CSYNC: [u32, u16, dnssec.typeBitmap],
  ZONEMD: [u32, u8, u8, hexRest],
  SVCB: [u16, uncompressedName, serviceParameters],
  HTTPS: [u16, uncompressedName, serviceParameters],
  SPF: [txt],
  URI: [u16, u16, quotedRest],
  CAA: [u8, caaTag, quotedRest],
  TA: [ds],
  DLV: [ds],
};

/** Types whose data has this layout in class IN only (RFC 1035 3.4, RFC 3596 2.1). */
const IN_LAYOUTS: Readonly<Record<string, readonly Field[]>> = { A: [ipv4], AAAA: [ipv6] };

/**
 * One record's data in presentation format; in RFC 3597's generic form (`\\# 2 abcd`) where its type
 * has no other, and where the data do not fit their type. Throws DecodeError only where names in the
 * message unfold to too much.
 */
export function rdataText(type: string, recordClass: string, data: Reader): string {
  const layout = layoutOf(type, recordClass);
  const text = layout === undefined ? undefined : textIfFits(layout, data);
  return text ?? generic(data.whole());
}

/** Whether the program knows how data of the type are laid out in the class. */
export function hasFormat(type: string, recordClass: string): boolean {
  return layoutOf(type, recordClass) !== undefined;
}

function layoutOf(type: string, recordClass: string): readonly Field[] | undefined {
  return LAYOUTS[type] ?? (recordClass === 'IN' ? IN_LAYOUTS[type] : undefined);
}

function textIfFits(layout: readonly Field[], data: Reader): string | undefined {
  try {
    return byLayout(layout, data);
  } catch (error) {
    if (error === MISFIT) return undefined;
    throw error;
  }
}

function byLayout(layout: readonly Field[], data: Reader): string | undefined {
  const texts: string[] = [];
  for (const field of layout) {
    const text = field(data);
    if (text === undefined) return undefined;
    if (text !== '') texts.push(text);
  }
  if (data.remaining > 0) data.fail('record data longer than its type allows');
  return texts.join(' ');
}

function generic(octets: Uint8Array): string {
  const hex = Buffer.from(octets).toString('hex');
  return `\\# ${octets.length}${hex === '' ? '' : ` ${hex}`}`;
}
