import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Query, queryKey } from '../../exchange/query.ts';
import { addressesIn } from '../../explore/addresses.ts';
import type { Meaning } from '../../explore/meaning.ts';
import { meaningFor } from '../../explore/meaning-for.ts';
import type { Recording } from '../../explore/recording.ts';
import type { Name } from '../../wire/name.ts';
import { type ResourceRecord, targetOf } from '../../wire/record.ts';

/** What a server says of its zone with authority, and where it said so. */
export interface Statement<T> {
  readonly value: T;
  readonly exchanged: Exchanged;
}

/** What an SOA record tells of a version of a zone (RFC 1035 3.3.13). */
export interface Soa {
  /** MNAME, in the spelling of record data. */
  readonly primary: string;
  readonly serial: number;
  /** Seconds after which secondaries look for a new version. */
  readonly refresh: number;
}

/** The NS RRset at the apex of a zone. */
export interface NsSet {
  /** Distinct, sorted. */
  readonly names: readonly Name[];
  /** Seconds. */
  readonly ttl: number;
}

/** The SOA record of a zone, as a server of the zone gives it. */
export function soaSaid(recording: Recording, zone: Name, query: Query): Statement<Soa> | undefined {
  return said(recording, zone, query, (meaning) =>
    recordsIn(meaning)
      ?.map(soaIn)
      .find((soa) => soa !== undefined),
  );
}

/** The fields of an SOA record. The data of a saved result may be anything. */
export function soaIn({ type, data }: ResourceRecord): Soa | undefined {
  const [primary = '', , ...numbers] = data.split(' ');
  const [serial = Number.NaN, refresh = Number.NaN] = numbers.map(Number);
  const isSound = type === 'SOA' && Number.isInteger(serial) && Number.isInteger(refresh);
  return isSound ? { primary, serial, refresh } : undefined;
}

/** The NS RRset of a zone, as a server of the zone gives it. */
export function nsSaid(recording: Recording, zone: Name, query: Query): Statement<NsSet> | undefined {
  return said(recording, zone, query, (meaning) => {
    const records = recordsIn(meaning) ?? [];
    const names = [...new Set(records.map(targetOf).filter((name) => name !== undefined))].sort();
    return names.length === 0 ? undefined : { names, ttl: Math.min(...records.map(({ ttl }) => ttl)) };
  });
}

/** The addresses of a host in the zone, as a server of the zone gives them: none if it denies that there are any. */
export function addressesSaid(
  recording: Recording,
  zone: Name,
  query: Query,
): Statement<readonly string[]> | undefined {
  return said(recording, zone, query, (meaning, exchanged) => {
    const records = recordsIn(meaning);
    if (records !== undefined) return addressesIn(records);
    const isDenial = meaning.kind === 'nxdomain' || meaning.kind === 'nodata';
    return isDenial && isFrom(zone, exchanged) ? [] : undefined;
  });
}

/**
 * What a server says of the zone in reply to a question. Without the AA bit a reply is hearsay; what a
 * limit left out counts as not asked, even if it was.
 */
function said<T>(
  { exchanges, unasked }: Recording,
  zone: Name,
  query: Query,
  read: (meaning: Meaning, exchanged: Exchanged) => T | undefined,
): Statement<T> | undefined {
  const key = queryKey(query);
  const exchanged = unasked.has(key) ? undefined : exchanges.get(key);
  if (exchanged?.outcome.kind !== 'reply' || !exchanged.outcome.flags.includes('aa')) return undefined;
  const value = read(meaningFor(exchanged, zone), exchanged);
  return value && { value, exchanged };
}

/** The records of the type asked, unless they are an alias's. */
function recordsIn(meaning: Meaning): Extract<Meaning, { kind: 'answer' }>['records'] | undefined {
  return meaning.kind === 'answer' && meaning.aliases.length === 0 ? meaning.records : undefined;
}

/** Whether a denial comes out of this very zone (RFC 2308 2), not out of one above or below that the server has, too. */
function isFrom(zone: Name, { outcome }: Exchanged): boolean {
  return (
    outcome.kind === 'reply' && outcome.authority.some(({ name, type }) => type === 'SOA' && name === zone)
  );
}
