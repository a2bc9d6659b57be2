/**
 * The types whose data dns-packet reads right. Before it stands the bound (it gets one record's
 * data and nothing behind it), behind it the check that it took all of that.
 */
import { type DataOf, record } from 'dns-packet';
import { quoted } from './character-string.ts';
import type { Field } from './decode-rdata-fields.ts';
import type { Reader } from './reader.ts';

declare module 'dns-packet' {
  interface Decoder<Data> {
    (buffer: Buffer, offset: number): Data;
    /** Octets the last call took. */
    bytes: number;
  }
  interface DataOf {
    TXT: Buffer[];
    DS: { keyTag: number; algorithm: number; digestType: number; digest: Buffer };
    DNSKEY: { flags: number; algorithm: number; key: Buffer };
    TLSA: { usage: number; selector: number; matchingType: number; certificate: Buffer };
  }
  export function record<Type extends keyof DataOf>(type: Type): { decode: Decoder<DataOf[Type]> };
}

/** One or more character-strings (RFC 1035 3.3.14). */
export const txt: Field = (data) => {
  if (data.remaining === 0) data.fail('TXT data without a string');
  return decode('TXT', data.octets(data.remaining), data).map(quoted).join(' ');
};

/** RFC 4034 5.3. */
export const ds: Field = (data) => {
  const { keyTag, algorithm, digestType, digest } = decode('DS', data.octets(data.remaining), data);
  return withTail([keyTag, algorithm, digestType], digest.toString('hex'));
};

/** RFC 4034 2.2. With another protocol than 3 it is no such key, and dns-packet would throw. */
export const dnskey: Field = (data) => {
  const octets = data.octets(data.remaining);
  if (octets.length >= 4 && octets[2] !== PROTOCOL_DNSSEC) return undefined;
  const { flags, algorithm, key } = decode('DNSKEY', octets, data);
  return withTail([flags, PROTOCOL_DNSSEC, algorithm], key.toString('base64'));
};

const PROTOCOL_DNSSEC = 3;

/** RFC 6698 2.2. */
export const tlsa: Field = (data) => {
  const { usage, selector, matchingType, certificate } = decode('TLSA', data.octets(data.remaining), data);
  return withTail([usage, selector, matchingType], certificate.toString('hex'));
};

function withTail(numbers: readonly number[], tail: string): string | undefined {
  return tail === '' ? undefined : `${numbers.join(' ')} ${tail}`;
}

function decode<Type extends keyof DataOf>(type: Type, octets: Uint8Array, data: Reader): DataOf[Type] {
  const decoder = record(type).decode;
  const buffer = Buffer.concat([Uint8Array.of(octets.length >> 8, octets.length & 0xff), octets]);
  try {
    const decoded = decoder(buffer, 0);
    if (decoder.bytes === buffer.length) return decoded;
  } catch (error) {
    data.fail(`${type} data that cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  return data.fail(`${type} data of the wrong length`);
}
