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
    TLSA: { usage: number; selector: number; matchingType: number; certificate: Buffer };
  }
  export function record<Type extends keyof DataOf>(type: Type): { decode: Decoder<DataOf[Type]> };
}

/** One or more character-strings (RFC 1035 3.3.14). */
export const txt: Field = (data) => {
  if (data.remaining === 0) data.fail('TXT data without a string');
  return decode('TXT', data).map(quoted).join(' ');
};

/** RFC 4034 5.3. */
export const ds: Field = (data) => {
  const { keyTag, algorithm, digestType, digest } = decode('DS', data);
  return withTail([keyTag, algorithm, digestType], digest.toString('hex'));
};

/** RFC 6698 2.2. */
export const tlsa: Field = (data) => {
  const { usage, selector, matchingType, certificate } = decode('TLSA', data);
  return withTail([usage, selector, matchingType], certificate.toString('hex'));
};

function withTail(numbers: readonly number[], tail: string): string | undefined {
  return tail === '' ? undefined : `${numbers.join(' ')} ${tail}`;
}

function decode<Type extends keyof DataOf>(type: Type, data: Reader): DataOf[Type] {
  const octets = data.octets(data.remaining);
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
