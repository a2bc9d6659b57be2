import { bogus } from './bogus.ts';
import { denialRrsets } from './denial/denial-records.ts';
import type { Proof } from './denial/proof.ts';
import { provesNameError, provesNoData } from './denial/proves.ts';
import { judgeRrset } from './judge-rrset.ts';
import {
  isSignedBy,
  type Judging,
  type PartVerdict,
  type Reach,
  signerBelow,
  underKeysOf,
  withoutSignature,
} from './judging.ts';
import type { Keys } from './keys.ts';
import { rrsetsIn } from './rrset.ts';
import { INSECURE } from './trust.ts';
import type { Good } from './verdict.ts';

/** What a reply without records is under the keys of a zone: svc-model(7), VALIDATING 3b. */
export function judgeDenial(
  kind: 'nxdomain' | 'nodata',
  reach: Reach,
  keys: Keys,
  judging: Judging,
): PartVerdict {
  const { authority } = judging.reply;
  const proof = proofOf(kind, keys, judging);
  if (proof.kind === 'proven') return withSoa(goodBy(proof, judging), reach, keys, judging);
  const parts = [...denialRrsets(authority), ...rrsetsIn(authority).ofType('SOA')];
  const below = signerBelow(parts, keys.zone, reach);
  if (below !== undefined)
    return underKeysOf(below, judging, (deeper) => judgeDenial(kind, reach, deeper, judging));
  if (isSignedBy(parts, keys.zone)) return bogus(proof.reason);
  return withoutSignature(keys.zone, reach.name, reach, judging, proof.reason);
}

function proofOf(kind: 'nxdomain' | 'nodata', keys: Keys, { reply, validation }: Judging): Proof {
  const { authority, question } = reply;
  switch (kind) {
    case 'nxdomain':
      return provesNameError(authority, question, keys, validation);
    case 'nodata':
      return provesNoData(authority, question, keys, validation);
  }
}

/** For a DS question the proof may show a zone cut without DS as well. */
function goodBy({ security, isCut }: Extract<Proof, { kind: 'proven' }>, { reply }: Judging): Good {
  return { kind: 'good', security, ...(isCut && reply.question.type === 'DS' && { trust: INSECURE }) };
}

/** A SOA record that comes along must verify, too. */
function withSoa(good: Good, reach: Reach, keys: Keys, judging: Judging): PartVerdict {
  let { security } = good;
  for (const soa of rrsetsIn(judging.reply.authority).ofType('SOA')) {
    const judged = judgeRrset(soa, reach, keys, judging);
    if (judged.kind !== 'good') return judged;
    if (judged.security === 'insecure') security = 'insecure';
  }
  return { ...good, security };
}
