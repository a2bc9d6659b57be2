import fc from 'fast-check';
import { typeCode } from '../../../src/dns/codes.ts';
import { hex } from '../../dns/message-bytes.ts';
import { rdataRows } from '../../dns/rdata-rows.ts';
import { labels } from './names.ts';

/** An RRset to be signed, and a change to what is sent of it. */
export interface SignedRrset {
  /** Below the zone's apex. */
  readonly labels: readonly Uint8Array[];
  readonly type: string;
  /** Of each record. */
  readonly data: readonly Uint8Array[];
  readonly ttl: number;
  readonly algorithm: number;
  readonly change: Change;
}

/** One octet of one part is combined with another, which is not 0. */
export interface Change {
  readonly part: 'owner' | 'data' | 'signature' | 'key';
  readonly at: number;
  readonly by: number;
}

/** RRsets of every type, whatever their data. */
export function signedRrsets(): fc.Arbitrary<SignedRrset> {
  return fc
    .record({
      labels: fc.array(labels, { maxLength: 3 }),
      rrset: fc.oneof({ weight: 2, arbitrary: fitting() }, { weight: 1, arbitrary: any() }),
      ttl: fc.nat(0x7fff_ffff),
      // RSA signatures take long.
      algorithm: fc.constantFrom(13, 13, 13, 15, 14, 16, 8),
      change: fc.record({
        part: fc.constantFrom('owner' as const, 'data' as const, 'signature' as const, 'key' as const),
        at: fc.nat(0xffff),
        by: fc.integer({ min: 1, max: 0xff }),
      }),
    })
    .map(({ rrset, ...rest }) => ({ ...rest, ...rrset }));
}

type TypedData = Pick<SignedRrset, 'type' | 'data'>;

const TYPES = [...new Set(rdataRows.map(([type]) => type))].filter((type) => typeCode(type) !== undefined);

/** Data that tests know, several of a type. */
function fitting(): fc.Arbitrary<TypedData> {
  return fc.constantFrom(...TYPES).chain((type) => {
    const rows = rdataRows.filter((row) => row[0] === type).map(([, octets]) => hex(octets));
    return fc.record({
      type: fc.constant(type),
      data: fc.array(fc.constantFrom(...rows), { minLength: 1, maxLength: 4 }),
    });
  });
}

/** Octets that a type may or may not have. */
function any(): fc.Arbitrary<TypedData> {
  return fc.record({
    type: fc.constantFrom(...TYPES),
    data: fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 3 }),
  });
}
