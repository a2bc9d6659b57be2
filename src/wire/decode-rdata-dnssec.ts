import type { Field } from './decode-rdata-fields.ts';
import type { Reader } from './reader.ts';
import { typeName } from './type.ts';

/** The type that a signature covers. */
export const coveredType: Field = (data) => typeName(data.u16());

/** RFC 4034 3.2: YYYYMMDDHHmmSS in UTC, from seconds since 1970 in 32 bits without sign. */
export const timestamp: Field = (data) => {
  const iso = new Date(data.u32() * 1000).toISOString();
  return iso.slice(0, 19).replace(/\D/g, '');
};

/** RFC 5155 3.3: hexadecimal behind its length, "-" if empty. */
export const salt: Field = (data) => Buffer.from(data.octets(data.u8())).toString('hex') || '-';

/** RFC 5155 3.3: base32hex without padding behind its length; an empty hash has no text. */
export const hashedOwner: Field = (data) => base32hex(data.octets(data.u8())) || undefined;

/** RFC 4034 4.1.2: windows of 256 types, in order, none empty; also RFC 5155's and RFC 7477's. */
export const typeBitmap: Field = (data) => {
  const types: string[] = [];
  for (let last = -1; data.remaining > 0; ) {
    const window = data.u8();
    if (window <= last) data.fail('type bitmap with windows out of order');
    types.push(...windowTypes(data, window << 8));
    last = window;
  }
  return types.join(' ');
};

function windowTypes(data: Reader, first: number): string[] {
  const length = data.u8();
  if (length === 0 || length > 32) data.fail('type bitmap with a window of wrong length');
  const types: string[] = [];
  data.octets(length).forEach((octet, index) => {
    for (let bit = 0; bit < 8; bit += 1) {
      if (octet & (0x80 >> bit)) types.push(typeName(first + index * 8 + bit));
    }
  });
  return types;
}

function base32hex(octets: Uint8Array): string {
  let text = '';
  for (let bit = 0; bit < octets.length * 8; bit += 5) {
    const pair = ((octets[bit >> 3] ?? 0) << 8) | (octets[(bit >> 3) + 1] ?? 0);
    text += ((pair >> (11 - (bit & 7))) & 31).toString(32);
  }
  return text;
}
