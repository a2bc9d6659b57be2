/* The SOA record: the version of a zone, and which of two versions is the older one. */

import type { ResourceRecord } from './record.ts';

/** What an SOA record tells of a version of a zone (RFC 1035 3.3.13). */
export interface Soa {
  /** MNAME, in the spelling of record data. */
  readonly primary: string;
  readonly serial: number;
  /** Seconds after which secondaries look for a new version. */
  readonly refresh: number;
  /** Seconds for which a denial may be kept at most (RFC 2308 4). */
  readonly minimum: number;
}

/** The fields of an SOA record. The data of a saved result may be anything. */
export function soaIn({ type, data }: Pick<ResourceRecord, 'type' | 'data'>): Soa | undefined {
  const [primary = '', , ...numbers] = data.split(' ');
  const [serial = Number.NaN, refresh = Number.NaN, , , minimum = Number.NaN] = numbers.map(Number);
  const isSound = type === 'SOA' && [serial, refresh, minimum].every(Number.isInteger);
  return isSound ? { primary, serial, refresh, minimum } : undefined;
}

/** Whether a serial is older than another: serials wrap around at 32 bits (RFC 1982 3.2). */
export function isOlderSerial(serial: number, than: number): boolean {
  const ahead = (than - serial) >>> 0;
  return ahead > 0 && ahead < 2 ** 31;
}
