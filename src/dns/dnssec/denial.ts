import type { Name } from '../name.ts';
import type { Records } from '../record.ts';
import { type DenialRecords, denialRecords, type Proof, type ProofFound } from './denial-records.ts';
import type { Keys } from './keys.ts';
import { nsecNameError, nsecNoData, nsecUnsignedCut, nsecWildcard } from './nsec.ts';
import {
  type Hashed,
  nameHasher,
  nsec3NameError,
  nsec3NoData,
  nsec3UnsignedCut,
  nsec3Wildcard,
} from './nsec3.ts';
import type { Validation } from './validation.ts';

/** Whether the NSEC and NSEC3 records of an authority section, as far as a zone's keys signed them, prove a denial. */
export function proveDenial(denial: Denial, authority: Records, keys: Keys, validation: Validation): Proof {
  const records = denialRecords(authority, keys, validation);
  const { zone, nsec3s, parameters, overIterated, otherwise } = records;
  const hashed = parameters && { zone, nsec3s, hash: nameHasher(parameters, validation.digest) };
  const found = byNsec(denial, records) ?? (hashed && byNsec3(denial, hashed));
  // RFC 9276 3.2: signed, but not worth following.
  if (found === undefined) return overIterated ? weak('iterations') : { kind: 'unproven', reason: otherwise };
  return found === 'opt-out' ? weak(found) : { kind: 'proven', security: 'secure', isCut: found === 'cut' };
}

function weak(weakness: 'opt-out' | 'iterations'): Proof {
  return { kind: 'proven', security: 'insecure', weakness, isCut: false };
}

/** A statement that NSEC or NSEC3 records can prove of a name. */
type Denial =
  /** The name does not exist, or has no records of the type. */
  | { readonly kind: 'nxdomain' | 'nodata'; readonly name: Name; readonly type: string }
  /** The name does not exist, and the wildcard may stand for it. */
  | { readonly kind: 'wildcard'; readonly name: Name; readonly wildcard: Name }
  /** The name is a zone cut without DS. */
  | { readonly kind: 'unsigned-cut'; readonly name: Name };

function byNsec(denial: Denial, { nsecs, zone }: DenialRecords): ProofFound {
  switch (denial.kind) {
    case 'nxdomain':
      return nsecNameError(nsecs, zone, denial.name);
    case 'nodata':
      return nsecNoData(nsecs, zone, denial.name, denial.type);
    case 'wildcard':
      return nsecWildcard(nsecs, zone, denial.name, denial.wildcard);
    case 'unsigned-cut':
      return nsecUnsignedCut(nsecs, denial.name);
  }
}

function byNsec3(denial: Denial, hashed: Hashed): ProofFound {
  switch (denial.kind) {
    case 'nxdomain':
      return nsec3NameError(hashed, denial.name);
    case 'nodata':
      return nsec3NoData(hashed, denial.name, denial.type);
    case 'wildcard':
      return nsec3Wildcard(hashed, denial.name, denial.wildcard);
    case 'unsigned-cut':
      return nsec3UnsignedCut(hashed, denial.name);
  }
}
