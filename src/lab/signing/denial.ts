import type { Name } from '../../wire/name.ts';
import type { ZoneRecord } from '../zone-file.ts';

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

/** Finds the NSEC or NSEC3 records that prove an assertion, of a cut that it has no DS; a record may occur twice. */
export type Prove = (assertion: Assertion) => readonly ZoneRecord[];
