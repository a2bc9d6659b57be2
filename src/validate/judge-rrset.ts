import type { Name } from '../wire/name.ts';
import { bogus } from './bogus.ts';
import { provesWildcard } from './denial/proves.ts';
import {
  isSignedBy,
  type PartVerdict,
  PROVEN_INSECURE,
  type Reach,
  type ReplyContext,
  SECURE,
  signerBelow,
  underKeysOf,
  withoutSignature,
} from './judging.ts';
import type { Keys } from './keys.ts';
import type { Rrset } from './rrset.ts';
import { verifyRrset } from './verify-rrset.ts';

/** What an RRset of a reply is under the keys of a zone: svc-model(7), VALIDATING 3a, e and f. */
export function validateRrset(rrset: Rrset, reach: Reach, keys: Keys, context: ReplyContext): PartVerdict {
  const verified = verifyRrset(rrset, keys, context.validation);
  if (verified.kind === 'verified') return withWildcardProof(rrset.owner, verified.wildcard, keys, context);
  const below = signerBelow([rrset], keys.zone, reach);
  if (below !== undefined)
    return underKeysOf(below, context, (deeper) => validateRrset(rrset, reach, deeper, context));
  if (isSignedBy([rrset], keys.zone)) return verified;
  return withoutSignature(keys.zone, rrset.owner, reach, context, verified.reason);
}

/** RFC 4035 5.3.4: a wildcard makes records only for names that do not exist. */
function withWildcardProof(
  owner: Name,
  wildcard: Name | undefined,
  keys: Keys,
  { reply, validation }: ReplyContext,
): PartVerdict {
  if (wildcard === undefined) return SECURE;
  const proof = provesWildcard(reply.authority, owner, wildcard, keys, validation);
  switch (proof.kind) {
    case 'proven':
      return proof.security === 'secure' ? SECURE : PROVEN_INSECURE;
    case 'unproven':
      return bogus(proof.reason);
  }
}
