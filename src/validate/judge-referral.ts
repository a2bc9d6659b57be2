import type { Name } from '../wire/name.ts';
import { denialRrsets } from './denial/denial-records.ts';
import { provesUnsignedCut } from './denial/proves.ts';
import { type Reach, type ReplyContext, signerBelow, underKeysOf } from './judging.ts';
import type { Keys } from './keys.ts';
import { rrsetsIn } from './rrset.ts';
import { INSECURE, type Trust, trustFrom } from './trust.ts';
import type { Good, Verdict } from './verdict.ts';
import { verifyRrset } from './verify-rrset.ts';

/**
 * What a referral says of the trust in the zone that it leads to: svc-model(7), VALIDATING 3c. One that proves nothing
 * is unproven, not bogus: whoever gets it can ask for the DS records.
 */
export function validateReferral(to: Name, keys: Keys, context: ReplyContext): Verdict {
  const { reply, validation } = context;
  const rrsets = rrsetsIn(reply.authority);
  const signers = rrsets.find(to, 'DS');
  const verified = signers && verifyRrset(signers, keys, validation);
  if (signers !== undefined && verified?.kind === 'verified' && verified.wildcard === undefined)
    return leadingTo(trustFrom(signers.records));
  const proof = provesUnsignedCut(reply.authority, to, keys, validation);
  if (proof.kind === 'proven') return { ...leadingTo(INSECURE), security: proof.security };
  const reach: Reach = { name: to, side: 'parent' };
  const parts = [...(signers === undefined ? [] : [signers]), ...denialRrsets(reply.authority)];
  const below = signerBelow(parts, keys.zone, reach);
  if (below === undefined) return { kind: 'unproven' };
  const verdict = underKeysOf(below, context, (deeper) => validateReferral(to, deeper, context));
  switch (verdict.kind) {
    case 'good':
      // Without trust it is what lies below an insecure cut in between.
      return { trust: INSECURE, ...verdict };
    case 'bogus':
    case 'unproven':
      return { kind: 'unproven' };
    case 'needs':
      return verdict;
  }
}

function leadingTo(trust: Trust): Good {
  return { kind: 'good', security: 'secure', trust };
}
