import { algorithm, coveredType, hashedOwner, salt, timestamp, typeBitmap } from './dnssec-fields.ts';
import {
  base64Rest,
  caaTag,
  characterString,
  characterStrings,
  eui48,
  eui64,
  hexRest,
  ipv4,
  ipv6,
  keyRest,
  laterName,
  name,
  period,
  plainName,
  type RdataField,
  signedName,
  textRest,
  u8,
  u16,
  u32,
} from './fields.ts';
import { location } from './location.ts';
import {
  addressPrefixes,
  certificateType,
  hostIdentity,
  ipsecGateway,
  locator64,
  networkAddress,
  relay,
} from './rare-fields.ts';
import { serviceParameters } from './svcb.ts';

/** The fields of a type's data in a class; undefined if the program does not know them. */
export function layoutOf(type: string, recordClass: string): RdataLayout | undefined {
  return LAYOUTS[type] ?? (recordClass === 'IN' ? IN_LAYOUTS[type] : undefined);
}

/** The fields of a type's data, in order. */
export type RdataLayout = readonly RdataField[];

/** RFC 4034 3.1, up to the signer's name. */
const SIGNATURE = [coveredType, algorithm, u8, u32, timestamp, timestamp, u16];
/** RFC 4034 2.1. A protocol other than 3 makes the key invalid, not its format. */
const PUBLIC_KEY = [u16, u8, algorithm, keyRest];
/** RFC 4034 5.1. */
const DELEGATION_SIGNER = [u16, algorithm, u8, hexRest];
/** RFC 6698 2.1. */
const CERTIFICATE_ASSOCIATION = [u8, u8, u8, hexRest];

/**
 * The data of every type whose format the program knows. All types that RFC 3597 4 lists are here:
 * their names may arrive compressed, and a pointer in the generic form would be meaningless. (Except
 * NXT, which has been obsolete since RFC 3755.)
 */
const LAYOUTS: Readonly<Record<string, RdataLayout>> = {
  NS: [name],
  MD: [name],
  MF: [name],
  CNAME: [name],
  SOA: [name, name, u32, period, period, period, period],
  MB: [name],
  MG: [name],
  MR: [name],
  PTR: [name],
  HINFO: [characterString, characterString],
  MINFO: [name, name],
  MX: [u16, name],
  TXT: [characterStrings],
  RP: [laterName, laterName],
  AFSDB: [u16, laterName],
  X25: [characterString],
  ISDN: [characterStrings],
  RT: [u16, laterName],
  NSAP: [networkAddress],
  SIG: [...SIGNATURE, laterName, base64Rest],
  KEY: PUBLIC_KEY,
  PX: [u16, laterName, laterName],
  GPOS: [characterString, characterString, characterString],
  LOC: [location],
  SRV: [u16, u16, u16, laterName],
  NAPTR: [u16, u16, characterString, characterString, characterString, laterName],
  KX: [u16, plainName],
  CERT: [certificateType, u16, algorithm, base64Rest],
  DNAME: [plainName],
  APL: [addressPrefixes],
  DS: DELEGATION_SIGNER,
  SSHFP: [u8, u8, hexRest],
  IPSECKEY: [u8, ipsecGateway],
  RRSIG: [...SIGNATURE, plainName, base64Rest],
  NSEC: [signedName, typeBitmap],
  DNSKEY: PUBLIC_KEY,
  DHCID: [base64Rest],
  NSEC3: [u8, u8, u16, salt, hashedOwner, typeBitmap],
  NSEC3PARAM: [u8, u8, u16, salt],
  TLSA: CERTIFICATE_ASSOCIATION,
  SMIMEA: CERTIFICATE_ASSOCIATION,
  HIP: [hostIdentity],
  NINFO: [characterStrings],
  RKEY: PUBLIC_KEY,
  TALINK: [signedName, signedName],
  CDS: DELEGATION_SIGNER,
  CDNSKEY: PUBLIC_KEY,
  OPENPGPKEY: [base64Rest],
  CSYNC: [u32, u16, typeBitmap],
  ZONEMD: [u32, u8, u8, hexRest],
  SVCB: [u16, signedName, serviceParameters],
  HTTPS: [u16, signedName, serviceParameters],
  SPF: [characterStrings],
  NID: [u16, locator64],
  L32: [u16, ipv4],
  L64: [u16, locator64],
  LP: [u16, signedName],
  EUI48: [eui48],
  EUI64: [eui64],
  URI: [u16, u16, textRest],
  CAA: [u8, caaTag, textRest],
  AVC: [characterStrings],
  AMTRELAY: [u8, relay],
  RESINFO: [characterStrings],
  WALLET: [characterStrings],
  TA: DELEGATION_SIGNER,
  DLV: DELEGATION_SIGNER,
};

/** Types whose data have this layout in class IN only (RFC 1035 3.4, RFC 3596 2.1). */
const IN_LAYOUTS: Readonly<Record<string, RdataLayout>> = { A: [ipv4], AAAA: [ipv6] };
