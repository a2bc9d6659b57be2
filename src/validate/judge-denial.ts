import { bogus } from './bogus.ts';
import { denialRrsets } from './denial/denial-records.ts';
import type { Proof } from './denial/proof.ts';
import { provesNameError, provesNoData } from './denial/proves.ts';
import { validateRrset } from './judge-rrset.ts';
import {
  isSignedBy,
  type PartVerdict,
  type Reach,
  type ReplyContext,
  signerBelow,
  underKeysOf,
  withoutSignature,
} from './judging.ts';
import type { Keys } from './keys.ts';
import { rrsetsIn } from './rrset.ts';
import { INSECURE } from './trust.ts';
import type { Good } from './verdict.ts';

/** What a reply without records is under the keys of a zone: svc-model(7), VALIDATING 3b. */
export function validateDenial(
  kind: 'nxdomain' | 'nodata',
  reach: Reach,
  keys: Keys,
  context: ReplyContext,
): PartVerdict {
  const { authority } = context.reply;
  const proof = proofOf(kind, keys, context);
  if (proof.kind === 'proven') return withSoa(goodBy(proof, context), reach, keys, context);
  const parts = [...denialRrsets(authority), ...rrsetsIn(authority).ofType('SOA')];
  const below = signerBelow(parts, keys.zone, reach);
  if (below !== undefined)
    return underKeysOf(below, context, (deeper) => validateDenial(kind, reach, deeper, context));
  if (isSignedBy(parts, keys.zone)) return bogus(proof.reason);
  return withoutSignature(keys.zone, reach.name, reach, context, proof.reason);
}

function proofOf(kind: 'nxdomain' | 'nodata', keys: Keys, { reply, validation }: ReplyContext): Proof {
  const { authority, question } = reply;
  switch (kind) {
    case 'nxdomain':
      return provesNameError(authority, question, keys, validation);
    case 'nodata':
      return provesNoData(authority, question, keys, validation);
  }
}

/** For a DS question the proof may show a zone cut without DS as well. */
function goodBy({ security, isCut }: Extract<Proof, { kind: 'proven' }>, { reply }: ReplyContext): Good {
  return { kind: 'good', security, ...(isCut && reply.question.type === 'DS' && { trust: INSECURE }) };
}

/** A SOA record that comes along must verify, too. */
function withSoa(good: Good, reach: Reach, keys: Keys, context: ReplyContext): PartVerdict {
  let { security } = good;
  for (const soa of rrsetsIn(context.reply.authority).ofType('SOA')) {
    const verdict = validateRrset(soa, reach, keys, context);
    if (verdict.kind !== 'good') return verdict;
    if (verdict.security === 'insecure') security = 'insecure';
  }
  return { ...good, security };
}
