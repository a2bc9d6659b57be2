/* Codes of types, classes, RCODEs and algorithms, and their names. */

/** Types by code, as IANA's registry names them. */
const TYPES: Readonly<Record<number, string>> = {
  1: 'A',
  2: 'NS',
  3: 'MD',
  4: 'MF',
  5: 'CNAME',
  6: 'SOA',
  7: 'MB',
  8: 'MG',
  9: 'MR',
  10: 'NULL',
  11: 'WKS',
  12: 'PTR',
  13: 'HINFO',
  14: 'MINFO',
  15: 'MX',
  16: 'TXT',
  17: 'RP',
  18: 'AFSDB',
  19: 'X25',
  20: 'ISDN',
  21: 'RT',
  22: 'NSAP',
  23: 'NSAP-PTR',
  24: 'SIG',
  25: 'KEY',
  26: 'PX',
  27: 'GPOS',
  28: 'AAAA',
  29: 'LOC',
  30: 'NXT',
  31: 'EID',
  32: 'NIMLOC',
  33: 'SRV',
  34: 'ATMA',
  35: 'NAPTR',
  36: 'KX',
  37: 'CERT',
  38: 'A6',
  39: 'DNAME',
  40: 'SINK',
  41: 'OPT',
  42: 'APL',
  43: 'DS',
  44: 'SSHFP',
  45: 'IPSECKEY',
  46: 'RRSIG',
  47: 'NSEC',
  48: 'DNSKEY',
  49: 'DHCID',
  50: 'NSEC3',
  51: 'NSEC3PARAM',
  52: 'TLSA',
  53: 'SMIMEA',
  55: 'HIP',
  56: 'NINFO',
  57: 'RKEY',
  58: 'TALINK',
  59: 'CDS',
  60: 'CDNSKEY',
  61: 'OPENPGPKEY',
  62: 'CSYNC',
  63: 'ZONEMD',
  64: 'SVCB',
  65: 'HTTPS',
  66: 'DSYNC',
  67: 'HHIT',
  68: 'BRID',
  99: 'SPF',
  100: 'UINFO',
  101: 'UID',
  102: 'GID',
  103: 'UNSPEC',
  104: 'NID',
  105: 'L32',
  106: 'L64',
  107: 'LP',
  108: 'EUI48',
  109: 'EUI64',
  128: 'NXNAME',
  249: 'TKEY',
  250: 'TSIG',
  251: 'IXFR',
  252: 'AXFR',
  253: 'MAILB',
  254: 'MAILA',
  255: 'ANY',
  256: 'URI',
  257: 'CAA',
  258: 'AVC',
  259: 'DOA',
  260: 'AMTRELAY',
  261: 'RESINFO',
  262: 'WALLET',
  263: 'CLA',
  264: 'IPN',
  32768: 'TA',
  32769: 'DLV',
};

const TYPE_CODES = new Map(Object.entries(TYPES).map(([code, mnemonic]) => [mnemonic, Number(code)]));

/** Types without data that ordinary questions must not ask for (RFC 6895 3.1; NXNAME: RFC 9824 3.3). */
const NOT_ASKED = new Set(['OPT', 'NXNAME', 'TKEY', 'TSIG', 'IXFR', 'AXFR', 'MAILB', 'MAILA']);

/** The code of a mnemonic or of RFC 3597's "TYPE65280", in capitals; undefined for any other text. */
export function typeCode(mnemonic: string): number | undefined {
  return TYPE_CODES.get(mnemonic) ?? numbered(mnemonic, 'TYPE');
}

/** The mnemonic of a type's code, else "TYPE65280" (RFC 3597 5). */
export function typeName(code: number): string {
  return TYPES[code] ?? `TYPE${code}`;
}

/**
 * Reads a type as people write it, in any case, by mnemonic or by "TYPE65280", and gives the
 * canonical mnemonic; undefined if it is not a type or a question cannot have it.
 */
export function parseType(text: string): string | undefined {
  const code = typeCode(text.toUpperCase());
  if (code === undefined || code === 0) return undefined;
  const name = typeName(code);
  return NOT_ASKED.has(name) ? undefined : name;
}

/** The number after a prefix, as RFC 3597 5 writes types and classes; undefined above 65535 and for other text. */
function numbered(text: string, prefix: string): number | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const digits = text.slice(prefix.length);
  return /^\d{1,5}$/.test(digits) && Number(digits) <= 65_535 ? Number(digits) : undefined;
}

/** The types that people usually ask for. */
export const USUAL_TYPES = [
  'A',
  'AAAA',
  'CAA',
  'CNAME',
  'DNSKEY',
  'DS',
  'HTTPS',
  'MX',
  'NAPTR',
  'NS',
  'PTR',
  'SOA',
  'SRV',
  'SSHFP',
  'SVCB',
  'TLSA',
  'TXT',
] as const;

/** Classes by code, with the names of RFC 1035 3.2.4 and RFC 2136 2.4. */
const CLASSES: Readonly<Record<number, string>> = { 1: 'IN', 3: 'CH', 4: 'HS', 254: 'NONE', 255: 'ANY' };

const CLASS_CODES = new Map(Object.entries(CLASSES).map(([code, mnemonic]) => [mnemonic, Number(code)]));

/** The code of a class's mnemonic or of RFC 3597's "CLASS4711", in capitals; undefined for any other text. */
export function classCode(mnemonic: string): number | undefined {
  return CLASS_CODES.get(mnemonic) ?? numbered(mnemonic, 'CLASS');
}

/** The mnemonic of a class's code, else "CLASS4711" (RFC 3597 5). */
export function className(code: number): string {
  return CLASSES[code] ?? `CLASS${code}`;
}

/**
 * The rcodes that a message's header can carry, its extended bits included, as IANA names them.
 * The registry's 17 to 22 (BADKEY, ...) occur only in the error field of TSIG and TKEY records.
 */
const RCODES: Readonly<Record<number, string>> = {
  0: 'NOERROR',
  1: 'FORMERR',
  2: 'SERVFAIL',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED',
  6: 'YXDOMAIN',
  7: 'YXRRSET',
  8: 'NXRRSET',
  9: 'NOTAUTH',
  10: 'NOTZONE',
  11: 'DSOTYPENI',
  16: 'BADVERS',
  23: 'BADCOOKIE',
};

const RCODE_CODES = new Map(Object.entries(RCODES).map(([code, mnemonic]) => [mnemonic, Number(code)]));

/** Replies of servers that do not know EDNS (RFC 6891 7), or not our version of it (6.1.3). */
const REJECTS_EDNS: ReadonlySet<string> = new Set(['FORMERR', 'NOTIMP', 'BADVERS']);

/** Whether the rcode says that a server does not accept EDNS, so that the query is worth repeating without. */
export function rejectsEdns(rcode: string): boolean {
  return REJECTS_EDNS.has(rcode);
}

/** The mnemonic of an rcode (0 to 4095), else "RCODE17". */
export function rcodeName(code: number): string {
  return RCODES[code] ?? `RCODE${code}`;
}

/** The code of an rcode's mnemonic or of "RCODE17"; undefined for any other text, and above 4095. */
export function rcodeCode(name: string): number | undefined {
  const known = RCODE_CODES.get(name);
  if (known !== undefined) return known;
  const digits = /^RCODE(\d{1,4})$/.exec(name)?.[1];
  return digits !== undefined && Number(digits) <= 4095 ? Number(digits) : undefined;
}

/** "ECDSAP256SHA256"; "algorithm 99" if the number has no name. */
export function algorithmName(algorithm: number): string {
  return ALGORITHM_NAMES[algorithm] ?? `algorithm ${algorithm}`;
}

/** https://www.iana.org/assignments/dns-sec-alg-numbers */
const ALGORITHM_NAMES: Readonly<Record<number, string>> = {
  1: 'RSAMD5',
  3: 'DSA',
  5: 'RSASHA1',
  6: 'DSA-NSEC3-SHA1',
  7: 'RSASHA1-NSEC3-SHA1',
  8: 'RSASHA256',
  10: 'RSASHA512',
  12: 'ECC-GOST',
  13: 'ECDSAP256SHA256',
  14: 'ECDSAP384SHA384',
  15: 'ED25519',
  16: 'ED448',
  17: 'SM2SM3',
  23: 'ECC-GOST12',
};

/** The number of an algorithm as zone files may write it (RFC 4034 A.1): undefined for text that is no mnemonic. */
export function algorithmNumber(mnemonic: string): number | undefined {
  return ALGORITHM_NUMBERS.get(mnemonic.toUpperCase().replaceAll('-', ''));
}

/** BIND and the RFCs do not agree on hyphens. */
const ALGORITHM_NUMBERS = new Map(
  Object.entries(ALGORITHM_NAMES).map(([number, name]) => [name.replaceAll('-', ''), Number(number)]),
);
