/* Describes the faults of zone files. */

import type { Name } from '../dns/name.ts';

/** The kinds of faults, each the code of a finding. */
export const ZONE_FAULT_CODES = [
  'FILE_UNREADABLE',
  'FILE_NOT_DELEGATED',
  'FILE_REFUSED',
  'FILE_TEXT_CUT',
  'FILE_OUT_OF_ZONE',
  'FILE_CNAME_AND_OTHER_DATA',
  'FILE_DNAME_CONFLICT',
  'FILE_NO_NS',
  'FILE_NS_WITHOUT_ADDRESS',
  'FILE_TARGET_IS_ALIAS',
  'FILE_TARGET_WITHOUT_ADDRESS',
  'FILE_OCCLUDED',
  'FILE_TTLS_DIFFER',
  'FILE_SOA_VALUES',
  'FILE_SERIAL_NOT_HIGHER',
  'FILE_GLUE_DIFFERS',
  'FILE_SIGNATURE_EXPIRES',
  'FILE_DENIAL_BROKEN',
] as const;

/** A kind of fault. */
export type ZoneFaultCode = (typeof ZONE_FAULT_CODES)[number];

/** A fault of a zone file, and the record that shows it. */
export interface ZoneFault {
  readonly code: ZoneFaultCode;
  /** The record's owner. */
  readonly name: Name;
  /** The record's type. */
  readonly type: string;
  /** Counted from 1. */
  readonly line: number;
  /** A file that the zone file includes; absent: the zone file itself. */
  readonly file?: string;
  /** What is wrong beside it: a name, a date, or what a number should be. */
  readonly detail?: string;
  /** How many more there are of this kind that are not listed; absent: none. */
  readonly more?: number;
}
