import { concat, type Field, RdataError, splitFields, unsigned } from './encode-rdata-fields.ts';
import {
  bareText,
  base64,
  characterString,
  characterStrings,
  hex,
  hexOctets,
  ipv4,
  ipv6,
  name,
  type One,
  parameters,
  period,
  type Rest,
  u8,
  u16,
  u32,
} from './encode-rdata-parts.ts';
import { type Name, NameError } from './name.ts';

export { RdataError } from './encode-rdata-fields.ts';

const delegationSigner = [u16, u8, u8, hex];
const publicKey = [u16, u8, u8, base64];
const certificate = [u8, u8, u8, hex];

const LAYOUTS: Readonly<Record<string, readonly (One | Rest)[]>> = {
  A: [ipv4],
  AAAA: [ipv6],
  NS: [name],
  CNAME: [name],
  DNAME: [name],
  PTR: [name],
  SOA: [name, name, u32, period, period, period, period],
  MX: [u16, name],
  TXT: [characterStrings],
  SPF: [characterStrings],
  HINFO: [characterString, characterString],
  RP: [name, name],
  AFSDB: [u16, name],
  KX: [u16, name],
  SRV: [u16, u16, u16, name],
  NAPTR: [u16, u16, characterString, characterString, characterString, name],
  CAA: [u8, characterString, bareText],
  URI: [u16, u16, bareText],
  DS: delegationSigner,
  CDS: delegationSigner,
  DNSKEY: publicKey,
  CDNSKEY: publicKey,
  TLSA: certificate,
  SMIMEA: certificate,
  SSHFP: [u8, u8, hex],
  OPENPGPKEY: [base64],
  ZONEMD: [u32, u8, u8, hex],
  SVCB: [u16, name, parameters],
  HTTPS: [u16, name, parameters],
};

/**
 * Encodes record data from presentation format, names relative to `origin`: the common types, and
 * any type in RFC 3597's generic form (`\# 3 abcdef`). Throws RdataError with the reason.
 */
export function encodeRdata(type: string, text: string, origin: Name): Uint8Array {
  const fields = splitFields(text);
  const [first] = fields;
  if (first?.text === '\\#' && !first.quoted) return generic(fields.slice(1));
  const layout = LAYOUTS[type];
  if (layout === undefined) throw new RdataError(`data of type ${type} must be written as \\# LENGTH HEX`);
  try {
    return byLayout(layout, fields, origin);
  } catch (error) {
    if (error instanceof NameError) throw new RdataError(error.message);
    throw error;
  }
}

function byLayout(layout: readonly (One | Rest)[], fields: readonly Field[], origin: Name): Uint8Array {
  const parts = layout.map((part, index) => {
    if (typeof part === 'object') return part.rest(fields.slice(index));
    const field = fields[index];
    if (field === undefined) throw wrongNumber(layout, fields);
    return part(field, origin);
  });
  if (typeof layout.at(-1) !== 'object' && fields.length > layout.length) throw wrongNumber(layout, fields);
  return concat(parts);
}

function wrongNumber(layout: readonly unknown[], fields: readonly unknown[]): RdataError {
  return new RdataError(`${layout.length} fields are wanted and ${fields.length} are there`);
}

/** RFC 3597 5: the length, then that many octets. */
function generic(fields: readonly Field[]): Uint8Array {
  const [length, ...data] = fields;
  const octets = data.length === 0 ? new Uint8Array() : hexOctets(data);
  if (length === undefined || unsigned(length.text, 16) !== octets.length) {
    throw new RdataError(`\\# must be followed by the number of octets, here ${octets.length}`);
  }
  return octets;
}
