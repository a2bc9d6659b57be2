/**
 * The types whose data dns-packet reads and writes correctly. It is given the data of one record,
 * known to be long enough, and nothing else; that it has read all of them is checked afterwards.
 */
import { type DataOf, record } from 'dns-packet';
import type { Reader } from '../reader.ts';
import type { RdataField } from './field.ts';

declare module 'dns-packet' {
  interface Decoder<Data> {
    (buffer: Buffer, offset: number): Data;
    /** Octets the last call took. */
    bytes: number;
  }
  interface DataOf {
    DS: { keyTag: number; algorithm: number; digestType: number; digest: Buffer };
    TLSA: { usage: number; selector: number; matchingType: number; certificate: Buffer };
  }
  export function record<Type extends keyof DataOf>(
    type: Type,
  ): { decode: Decoder<DataOf[Type]>; encode: (data: DataOf[Type]) => Buffer };
}

/** The data of DS records and their like (RFC 4034 5.1); a digest has at least one octet. */
export const delegationSigner: RdataField = {
  read: (data) => {
    const { keyTag, algorithm, digestType, digest } = decode('DS', data, 5);
    return `${keyTag} ${algorithm} ${digestType} ${digest.toString('hex')}`;
  },
  write: (words) => {
    const [keyTag, algorithm, digestType] = [words.number(16), words.number(8), words.number(8)];
    return encode('DS', { keyTag, algorithm, digestType, digest: Buffer.from(words.hex()) });
  },
};

/** The data of TLSA and SMIMEA records (RFC 6698 2.1); the association data have at least one octet. */
export const certificateAssociation: RdataField = {
  read: (data) => {
    const { usage, selector, matchingType, certificate } = decode('TLSA', data, 4);
    return `${usage} ${selector} ${matchingType} ${certificate.toString('hex')}`;
  },
  write: (words) => {
    const [usage, selector, matchingType] = [words.number(8), words.number(8), words.number(8)];
    return encode('TLSA', { usage, selector, matchingType, certificate: Buffer.from(words.hex()) });
  },
};

function decode<Type extends keyof DataOf>(type: Type, data: Reader, least: number): DataOf[Type] {
  if (data.remaining < least) data.fail(`${type} data too short`);
  const octets = data.octets(data.remaining);
  const buffer = Buffer.concat([Uint8Array.of(octets.length >> 8, octets.length & 0xff), octets]);
  const decoder = record(type).decode;
  const decoded = decoder(buffer, 0);
  return decoder.bytes === buffer.length ? decoded : data.fail(`${type} data of the wrong length`);
}

/** Without the length that dns-packet puts first. */
function encode<Type extends keyof DataOf>(type: Type, data: DataOf[Type]): Uint8Array {
  return Uint8Array.from(record(type).encode(data).subarray(2));
}
