import {
  addressOctets,
  base64Octets,
  bigEndian,
  concat,
  type Field,
  octetsOf,
  RdataError,
  unsigned,
} from './encode-rdata-fields.ts';

/** RFC 9460 14.3.2, RFC 9461 5, RFC 9540 4; the place is the number. */
const KEYS = [
  'mandatory',
  'alpn',
  'no-default-alpn',
  'port',
  'ipv4hint',
  'ech',
  'ipv6hint',
  'dohpath',
  'ohttp',
];

/**
 * Encodes the parameters of SVCB and HTTPS records (RFC 9460 2.1, 2.2): `alpn="h2,h3" port=8443
 * key667=hello`, in any order, in ascending order of their numbers on the wire. Throws RdataError.
 */
export function encodeServiceParameters(fields: readonly Field[]): Uint8Array {
  const parameters = new Map<number, Uint8Array>();
  for (const field of fields) {
    const [, key = '', value = ''] = /^([a-z0-9-]+)(?:=(.*))?$/s.exec(field.text) ?? [];
    const number = keyNumber(key);
    if (parameters.has(number)) throw new RdataError(`the parameter ${key} is there twice`);
    parameters.set(number, encodeValue(number, unquoted(value)));
  }
  const ascending = [...parameters].sort(([a], [b]) => a - b);
  const parts = ascending.flatMap(([number, value]) => [
    bigEndian(number, 16),
    bigEndian(value.length, 16),
    value,
  ]);
  return concat(parts);
}

function keyNumber(key: string): number {
  const known = KEYS.indexOf(key);
  if (known >= 0) return known;
  const number = /^key(0|[1-9]\d{0,4})$/.exec(key)?.[1];
  if (number === undefined) throw new RdataError(`"${key}" is not the name of a parameter`);
  return unsigned(number, 16);
}

/** RFC 9460 8: in ascending order, each once. */
function keyNumbers(list: string): number[] {
  return [...new Set(list.split(',').map(keyNumber))].sort((a, b) => a - b);
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1) : value;
}

function encodeValue(number: number, value: string): Uint8Array {
  switch (KEYS[number]) {
    case 'mandatory':
      return concat(keyNumbers(value).map((key) => bigEndian(key, 16)));
    case 'alpn':
      return concat(listOf(octetsOf(value)).map(counted));
    case 'no-default-alpn':
    case 'ohttp':
      if (value !== '') throw new RdataError(`${KEYS[number]} has no value`);
      return new Uint8Array();
    case 'port':
      return bigEndian(unsigned(value, 16), 16);
    case 'ipv4hint':
      return concat(value.split(',').map((text) => addressOctets(text, 4)));
    case 'ipv6hint':
      return concat(value.split(',').map((text) => addressOctets(text, 6)));
    case 'ech':
      return base64Octets(value);
    default:
      return octetsOf(value);
  }
}

/** RFC 9460 A.1: items between commas; a backslash makes the comma or backslash behind it part of the item. */
function listOf(value: Uint8Array): Uint8Array[] {
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

const COMMA = 0x2c;
const BACKSLASH = 0x5c;

function counted(item: Uint8Array): Uint8Array {
  if (item.length === 0 || item.length > 255) throw new RdataError('an item of alpn has 1 to 255 octets');
  return Uint8Array.of(item.length, ...item);
}
