import type { Name } from '../name.ts';
import type { Records } from '../record.ts';
import { type DenialRecords, denialRecords, type Proof } from './denial-records.ts';
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
import { isFound, type ProofFound } from './verdict.ts';

/** Whether the NSEC and NSEC3 records of an authority section, as far as a zone's keys signed them, prove a denial. */
export function proveDenial(denial: Denial, authority: Records, keys: Keys, validation: Validation): Proof {
  const records = denialRecords(authority, keys, validation);
  const found = foundBy(denial, records, validation);
  if (isFound(found))
    return found === 'opt-out' ? weak(found) : { kind: 'proven', security: 'secure', isCut: found === 'cut' };
  // RFC 9276 3.2: signed, but not worth following.
  if (records.overIterated) return weak('iterations');
  return { kind: 'unproven', reason: records.otherwise, lack: found };
}

function weak(weakness: 'opt-out' | 'iterations'): Proof {
  return { kind: 'proven', security: 'insecure', weakness, isCut: false };
}

/** Of two lacks, the NSEC records', if there are any. */
function foundBy(denial: Denial, records: DenialRecords, { digest }: Validation): ProofFound {
  const { zone, nsecs, nsec3s, parameters } = records;
  const found = byNsec(denial, records);
  if (isFound(found) || parameters === undefined) return found;
  const hashed = byNsec3(denial, { zone, nsec3s, hash: nameHasher(parameters, digest) });
  return isFound(hashed) || nsecs.length === 0 ? hashed : found;
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
