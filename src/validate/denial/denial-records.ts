import { type Name, parentOf, parseName } from '../../wire/name.ts';
import { rdataText } from '../../wire/rdata/rdata.ts';
import { Reader } from '../../wire/reader.ts';
import { fitsType, type ResourceRecord } from '../../wire/record.ts';
import type { Records } from '../../wire/records.ts';
import { furthest } from '../bogus.ts';
import type { BogusReason } from '../bogus-reason.ts';
import type { Keys } from '../keys.ts';
import { rdataOctets } from '../rdata-octets.ts';
import { type Rrset, rrsetsIn } from '../rrset.ts';
import type { Validation } from '../validation.ts';
import { verifyRrset } from '../verify-rrset.ts';
import type { TypeBits } from './type-bits.ts';

/** An NSEC record (RFC 4034 4): nothing exists between its owner and the next name. */
export interface Nsec {
  readonly owner: Name;
  readonly next: Name;
  readonly types: TypeBits;
}

/** An NSEC3 record (RFC 5155 3): no name hashes to anything between the owner's hash and the next. Hashes in base32hex. */
export interface Nsec3 {
  readonly hash: string;
  readonly next: string;
  readonly optOut: boolean;
  readonly types: TypeBits;
}

/** How names are hashed (RFC 5155 5). */
export interface HashParameters {
  readonly iterations: number;
  readonly salt: string;
}

/** What a reply brings along to deny something with, as far as a zone's keys signed it. */
export interface DenialRecords {
  readonly zone: Name;
  readonly nsecs: readonly Nsec[];
  /** All with the same parameters. */
  readonly nsec3s: readonly Nsec3[];
  readonly parameters: HashParameters | undefined;
  /** Whether some are hashed more often than is worth following (RFC 9276 3.2). */
  readonly overIterated: boolean;
  /** Why there is no proof, if they prove nothing. */
  readonly otherwise: BogusReason;
}

/**
 * So many NSEC and NSEC3 RRsets of a reply are looked at: a bound on what hostile zones can cost. The longest proof takes
 * three, and one for each alias that a wildcard made.
 */
const MOST_RRSETS = 16;

/** RFC 9276 3.2, as resolvers have settled on. */
const MOST_ITERATIONS = 150;

/** The NSEC and NSEC3 RRsets of an authority section. */
export function denialRrsets(authority: Records): readonly Rrset[] {
  const rrsets = rrsetsIn(authority);
  return [...rrsets.ofType('NSEC'), ...rrsets.ofType('NSEC3')].slice(0, MOST_RRSETS);
}

/** Those that a zone's keys signed, made by no wildcard (which would let them be replayed for other names). */
export function denialRecords(authority: Records, keys: Keys, validation: Validation): DenialRecords {
  const failures: BogusReason[] = [];
  const records: ResourceRecord[] = [];
  for (const rrset of denialRrsets(authority)) {
    const verified = verifyRrset(rrset, keys, validation);
    if (verified.kind === 'bogus') failures.push(verified.reason);
    else if (verified.wildcard === undefined) records.push(...rrset.records.filter(fitsType));
  }
  const { zone } = keys;
  const hashed = records.filter(({ type }) => type === 'NSEC3').flatMap((record) => hashedIn(record, zone));
  const usable = hashed.filter(({ parameters }) => parameters.iterations <= MOST_ITERATIONS);
  const parameters = usable[0]?.parameters;
  return {
    zone,
    nsecs: records.filter(({ type }) => type === 'NSEC').map(nsecIn),
    // RFC 5155 8.2: those of one reply have the same parameters.
    nsec3s: usable.filter((one) => isAlike(one.parameters, parameters)).map(({ nsec3 }) => nsec3),
    parameters,
    overIterated: usable.length < hashed.length,
    otherwise: failures.length > 0 ? furthest(failures) : 'no-proof',
  };
}

function isAlike(one: HashParameters, other: HashParameters | undefined): boolean {
  return one.iterations === other?.iterations && one.salt === other.salt;
}

/** The fields of data as they are read from the wire, whatever text was saved. */
function fieldsOf(record: ResourceRecord): readonly string[] {
  const octets = rdataOctets(record) ?? new Uint8Array();
  return rdataText(record.type, 'IN', Reader.of(octets).data(octets.length)).split(' ');
}

function nsecIn(record: ResourceRecord): Nsec {
  const [next = '', ...types] = fieldsOf(record);
  return { owner: record.name, next: parseName(next), types: new Set(types) };
}

interface Hashed {
  readonly nsec3: Nsec3;
  readonly parameters: HashParameters;
}

/** RFC 5155 3.2: SHA-1, the only hash. */
const SHA1 = '1';
const OPT_OUT = 1;

/** Nothing of a record with an unknown hash or flag (RFC 5155 8.1, 8.2), or that is not right below the zone's apex. */
function hashedIn(record: ResourceRecord, zone: Name): readonly Hashed[] {
  const { name } = record;
  const [algorithm, flags, iterations, salt = '-', next = '', ...types] = fieldsOf(record);
  const known = algorithm === SHA1 && Number(flags) <= OPT_OUT;
  if (!known || parentOf(name) !== zone) return [];
  const hash = name.slice(0, name.indexOf('.'));
  const nsec3 = { hash, next, optOut: Number(flags) === OPT_OUT, types: new Set(types) };
  return [{ nsec3, parameters: { iterations: Number(iterations), salt } }];
}
