/* What a server of a signed zone signs and proves with. */

import type { Name } from '../dns/name.ts';
import type { ZoneRecord } from './zone-file.ts';

/** Records of one owner and type. */
export type RRset = readonly ZoneRecord[];

/** What a server of a signed zone signs and proves with. */
export interface ZoneSecurity {
  /** The records of a set, then their signatures. `original`: a record of it as the zone has it, perhaps at a wildcard. */
  readonly signed: (set: RRset, original: Pick<ZoneRecord, 'name' | 'type' | 'ttl'>) => RRset;
  /** What backs an assertion, without signatures: of a cut its DS records, or that it has none. A record may occur twice. */
  readonly proof: Prove;
}

/** Finds the records that prove an assertion. */
export type Prove = (assertion: Assertion) => readonly ZoneRecord[];

/** Something that a reply says of a name of a zone without records of that name. */
export interface Assertion {
  readonly kind: /** There is no such name, and no wildcard for it. */
    | 'no-name'
    /** The name, or the wildcard for it, does not have the type asked. */
    | 'no-data'
    /** There is no such name, so that a wildcard stands in for it. */
    | 'expanded'
    /** It is a zone cut: the zone below is signed, or it is not. */
    | 'cut';
  readonly name: Name;
}
