import { type Name, parentOf, parseName, ROOT } from '../name.ts';
import { rdataText } from '../rdata/rdata.ts';
import { Reader } from '../reader.ts';
import { fitsType, type Records, type ResourceRecord } from '../record.ts';
import { rdataOctets } from './canonical.ts';
import type { Keys } from './keys.ts';
import { type BogusReason, furthest } from './reasons.ts';
import { type Rrset, rrsetsIn } from './rrset.ts';
import type { Validation } from './validation.ts';
import type { Lack, Security } from './verdict.ts';
import { verifyRrset } from './verify.ts';

/** The NSEC and NSEC3 records that a zone's keys signed, made by no wildcard (which would let them be replayed for other names). */
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
    nsecs: nsecsIn(records),
    // RFC 5155 8.2: those of one reply have the same parameters.
    nsec3s: usable.filter((one) => isAlike(one.parameters, parameters)).map(({ nsec3 }) => nsec3),
    parameters,
    overIterated: usable.length < hashed.length,
    otherwise: failures.length > 0 ? furthest(failures) : 'no-proof',
  };
}

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

function isAlike(one: HashParameters, other: HashParameters | undefined): boolean {
  return one.iterations === other?.iterations && one.salt === other.salt;
}

/** The fields of data as they are read from the wire, whatever text was saved. */
function fieldsOf(record: ResourceRecord): readonly string[] {
  const octets = rdataOctets(record) ?? new Uint8Array();
  return rdataText(record.type, 'IN', Reader.of(octets).data(octets.length)).split(' ');
}

/** The NSEC records among these, signed or not. */
export function nsecsIn(records: Records): readonly Nsec[] {
  return records.filter((record) => record.type === 'NSEC' && fitsType(record)).map(nsecIn);
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

/** Whether NSEC or NSEC3 records prove what they were sent for. */
export type Proof =
  | {
      readonly kind: 'proven';
      readonly security: Security;
      /** Where it is `insecure`: it leaves room for unsigned names, or is not worth following. */
      readonly weakness?: 'opt-out' | 'iterations';
      /** Whether the name denied is shown to be a zone cut without DS. */
      readonly isCut: boolean;
    }
  | { readonly kind: 'unproven'; readonly reason: BogusReason; readonly lack: Lack };

/** The types that a name has, as an NSEC or NSEC3 record of it says (RFC 4034 4.1.2, RFC 5155 3.2.1). */
type TypeBits = ReadonlySet<string>;

/** The parent's side of a zone cut: what it says of other types, or of names below, is not its to say (RFC 6840 4.1). */
function isDelegation(types: TypeBits): boolean {
  return types.has('NS') && !types.has('SOA');
}

/** Names below belong to another zone, or are redirected: the record says nothing about them (RFC 6840 4.1). */
export function endsAuthority(types: TypeBits): boolean {
  return isDelegation(types) || types.has('DNAME');
}

/** Why a name with these types may have the type asked, or an alias that stands for it (RFC 6840 4.3); undefined if it has neither. */
export function typeLack(types: TypeBits, type: string, isRoot: boolean): TypeLack | undefined {
  const present = [type, 'CNAME'].find((one) => types.has(one));
  if (present !== undefined) return { kind: 'has-type', type: present };
  // RFC 4035 5.2, RFC 6840 4.1: DS is the parent's matter, and all else the child's.
  if (type === 'DS') return types.has('SOA') && !isRoot ? { kind: 'other-side', side: 'child' } : undefined;
  if (type === 'ANY') {
    const other = [...types].find((one) => !PROOF_TYPES.has(one));
    return other === undefined ? undefined : { kind: 'has-type', type: other };
  }
  return isDelegation(types) ? { kind: 'other-side', side: 'parent' } : undefined;
}

/** What is wrong with the types of a name's record. */
type TypeLack =
  | { readonly kind: 'has-type'; readonly type: string }
  | { readonly kind: 'other-side'; readonly side: 'parent' | 'child' };

/** Whether the owner of a record exists: servers that sign each reply make records of names that do not (RFC 4470, RFC 9824). */
export function ownerExists({ types }: Nsec | Nsec3): boolean {
  return [...types].some((type) => !PROOF_TYPES.has(type) && type !== 'NXNAME');
}

/** Types that a name may have although nothing was put there. */
const PROOF_TYPES: ReadonlySet<string> = new Set(['RRSIG', 'NSEC']);

/** A zone cut without DS (RFC 4035 5.2, RFC 6840 4.4). */
export function isUnsignedCut(types: TypeBits): boolean {
  return isDelegation(types) && !types.has('DS');
}

/** Why a name's record does not show a zone cut without DS; undefined if it does. */
export function cutLack(types: TypeBits, name: Name): Lack | undefined {
  if (isUnsignedCut(types)) return undefined;
  if (!types.has('NS')) return { kind: 'no-cut', name };
  return types.has('SOA')
    ? { kind: 'other-side', of: 'name', name, side: 'child' }
    : { kind: 'has-type', of: 'name', name, type: 'DS' };
}

/** The wildcard right below a name (RFC 4592 2.1.1). There is room for its asterisk wherever there is any name below. */
export function wildcardAt(encloser: Name): Name {
  return parseName(encloser === ROOT ? '*.' : `*.${encloser}`);
}
