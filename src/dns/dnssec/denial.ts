import type { Question } from '../message.ts';
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

/** Whether an authority section proves that a question's name does not exist. */
export function provesNameError(
  authority: Records,
  { name }: Question,
  keys: Keys,
  validation: Validation,
): Proof {
  return proofBy(
    { authority, keys, validation },
    ({ nsecs, zone }) => nsecNameError(nsecs, zone, name),
    (hashed) => nsec3NameError(hashed, name),
  );
}

/** Whether an authority section proves that there are no records of a question's type. */
export function provesNoData(
  authority: Records,
  { name, type }: Question,
  keys: Keys,
  validation: Validation,
): Proof {
  return proofBy(
    { authority, keys, validation },
    ({ nsecs, zone }) => nsecNoData(nsecs, zone, name, type),
    (hashed) => nsec3NoData(hashed, name, type),
  );
}

/** Whether an authority section proves that a wildcard may stand for a name. */
export function provesWildcard(
  authority: Records,
  name: Name,
  wildcard: Name,
  keys: Keys,
  validation: Validation,
): Proof {
  return proofBy(
    { authority, keys, validation },
    ({ nsecs, zone }) => nsecWildcard(nsecs, zone, name, wildcard),
    (hashed) => nsec3Wildcard(hashed, name, wildcard),
  );
}

/** Whether the authority section of a referral proves that the zone referred to has no DS. */
export function provesUnsignedCut(authority: Records, name: Name, keys: Keys, validation: Validation): Proof {
  return proofBy(
    { authority, keys, validation },
    ({ nsecs }) => nsecUnsignedCut(nsecs, name),
    (hashed) => nsec3UnsignedCut(hashed, name),
  );
}

/** What a proof is looked for in, and what it is checked with. */
interface Sought {
  readonly authority: Records;
  readonly keys: Keys;
  readonly validation: Validation;
}

function proofBy(
  { authority, keys, validation }: Sought,
  byNsec: (records: DenialRecords) => ProofFound,
  byNsec3: (hashed: Hashed) => ProofFound,
): Proof {
  const records = denialRecords(authority, keys, validation);
  const { zone, nsec3s, parameters, overIterated, otherwise } = records;
  const hashed = parameters && { zone, nsec3s, hash: nameHasher(parameters, validation.digest) };
  const found = byNsec(records) ?? (hashed && byNsec3(hashed));
  // RFC 9276 3.2: signed, but not worth following.
  if (found === undefined && overIterated) return { kind: 'proven', security: 'insecure', isCut: false };
  if (found === undefined) return { kind: 'unproven', reason: otherwise };
  return { kind: 'proven', security: found === 'opt-out' ? 'insecure' : 'secure', isCut: found === 'cut' };
}
