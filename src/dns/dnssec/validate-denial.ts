import type { Name } from '../name.ts';
import { proveDenial } from './denial.ts';
import { denialRrsets, type Proof } from './denial-records.ts';
import type { Keys } from './keys.ts';
import { rrsetsIn } from './rrset.ts';
import { insecureTrust, type Trust, trustFrom } from './trust.ts';
import {
  goodBy,
  insecureCut,
  isSignedBy,
  type PartVerdict,
  type Reach,
  type ReplyContext,
  signerBelow,
  underKeysOf,
  validateRrset,
  withoutSignature,
} from './validate-rrset.ts';
import { bogus, type Good, type Verdict, weaker } from './verdict.ts';
import { verifyRrset } from './verify.ts';

/** What a reply without records is under the keys of a zone: svc-model(7), VALIDATING 3b. */
export function validateDenial(
  kind: 'nxdomain' | 'nodata',
  reach: Reach,
  keys: Keys,
  context: ReplyContext,
): PartVerdict {
  const { authority, question } = context.reply;
  const proof = proveDenial({ kind, ...question }, authority, keys, context.validation);
  if (proof.kind === 'proven') return withSoa(deniedBy(proof, context), reach, keys, context);
  const parts = [...denialRrsets(authority), ...rrsetsIn(authority).ofType('SOA')];
  const below = signerBelow(parts, keys.zone, reach);
  if (below !== undefined)
    return underKeysOf(below, context, (deeper) => validateDenial(kind, reach, deeper, context));
  const broken = bogus(proof.reason, proof.lack);
  if (isSignedBy(parts, keys.zone)) return broken;
  return withoutSignature(keys.zone, reach.name, reach, context, broken);
}

/** For a DS question the proof may show a zone cut without DS as well. */
function deniedBy(proof: Proven, { reply: { question } }: ReplyContext): Good {
  const isUnsigned = proof.isCut && question.type === 'DS';
  return { ...goodBy(proof), ...(isUnsigned && { trust: withoutDs(question.name) }) };
}

type Proven = Extract<Proof, { kind: 'proven' }>;

/** The trust in a zone that is proven to have no DS records. */
function withoutDs(zone: Name): Trust {
  return insecureTrust({ reason: 'no-ds', zone });
}

/** A SOA record that comes along must verify, too. */
function withSoa(good: Good, reach: Reach, keys: Keys, context: ReplyContext): PartVerdict {
  let weakest = good;
  for (const soa of rrsetsIn(context.reply.authority).ofType('SOA')) {
    const verdict = validateRrset(soa, reach, keys, context);
    if (verdict.kind !== 'good') return verdict;
    weakest = { ...good, ...weaker(weakest, verdict) };
  }
  return weakest;
}

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
    return leadingTo(trustFrom(signers.records, to));
  const proof = proveDenial({ kind: 'unsigned-cut', name: to }, reply.authority, keys, validation);
  if (proof.kind === 'proven') return unsignedBy(proof, to);
  const reach: Reach = { name: to, side: 'parent' };
  const parts = [...(signers === undefined ? [] : [signers]), ...denialRrsets(reply.authority)];
  const below = signerBelow(parts, keys.zone, reach);
  if (below === undefined) return { kind: 'unproven', lack: proof.lack };
  const verdict = underKeysOf(below, context, (deeper) => validateReferral(to, deeper, context));
  switch (verdict.kind) {
    case 'good':
      // Without trust it is what lies below an insecure cut in between.
      return verdict.trust === undefined ? insecureCut(to, verdict) : verdict;
    case 'bogus':
      return { kind: 'unproven', lack: proof.lack };
    case 'unproven':
      return verdict;
    case 'needs':
      return verdict;
  }
}

/** What a referral is that proves that there are no DS records for its zone, or none that need be. */
function unsignedBy(proof: Proven, to: Name): Good {
  const good = goodBy(proof);
  return good.why === undefined ? { ...good, trust: withoutDs(to) } : insecureCut(to, good);
}

function leadingTo(trust: Trust): Good {
  return { kind: 'good', security: 'secure', trust };
}
