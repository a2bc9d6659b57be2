import type { Question } from '../message.ts';
import { isAtOrBelow, type Name, parentOf, substituteSuffix } from '../name.ts';
import { targetOf } from '../record.ts';
import { proveDenial } from './denial.ts';
import { denialRrsets, type Proof } from './denial-records.ts';
import type { Keys } from './keys.ts';
import { type Rrset, rrsetsIn } from './rrset.ts';
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
import { FailedChecks, type Validation } from './validation.ts';
import {
  type AliasLink,
  bogus,
  type Claim,
  type Good,
  type Provenance,
  type ReplyToValidate,
  type Verdict,
  weaker,
  type ZoneFacts,
} from './verdict.ts';
import { verifyRrset } from './verify.ts';

/**
 * Returns the verdict on a reply of a zone's server under the zone's keys, or the fact that is needed first:
 * svc-model(7), VALIDATING. The reply must be usable by svc-model(7), RESOLVER VIEW.
 *
 * It depends on its arguments alone. Exploring calls it with the facts known so far, for each value that they may have;
 * evaluating calls it with the values drawn.
 */
export function validateReply(
  reply: ReplyToValidate,
  keys: Keys,
  knowledge: ZoneFacts,
  validation: Validation,
): Verdict {
  const verdict = validateClaim(
    { reply, knowledge, validation: { ...validation, failed: new FailedChecks() } },
    keys,
  );
  // Where a reply to a DS question is insecure, so is whatever is below its name.
  if (verdict.kind !== 'good' || verdict.security === 'secure' || reply.question.type !== 'DS')
    return verdict;
  return insecureCut(reply.question.name, verdict);
}

function validateClaim(context: ReplyContext, keys: Keys): Verdict {
  const { claim, question } = context.reply;
  switch (claim.kind) {
    case 'answer':
      return validateAnswer(keys, context);
    case 'alias':
    case 'alias-loop':
      return validateAlias(claim, keys, context);
    case 'nxdomain':
    case 'nodata':
      return validateDenial(claim.kind, reachOf(question), keys, context);
    case 'referral':
      return validateReferral(claim.to, keys, context);
  }
}

/** RFC 4035 3.1.4.1: DS belongs to the parent's side of a cut. */
function reachOf({ name, type }: Question): Reach {
  return { name, side: type === 'DS' ? 'parent' : 'either' };
}

const PROVEN: Provenance = { security: 'secure' };

/** An alias stands for itself alone: whoever follows it asks for its target anew. */
function validateAlias({ link }: Aliasing, keys: Keys, context: ReplyContext): PartVerdict {
  const { question } = context.reply;
  return validateRrset(aliasRrset(question.name, link, keys, context), reachOf(question), keys, context);
}

type Aliasing = Extract<Claim, { link: unknown }>;

/** Every RRset of an answer must verify. */
function validateAnswer(keys: Keys, context: ReplyContext): Verdict {
  const { name, type } = context.reply.question;
  const verdict = validateRecords(keys, context);
  if (verdict.kind !== 'good' || type !== 'DS') return verdict;
  const signers = recordsIn(context).flatMap(({ records }) => records);
  return { ...verdict, trust: trustFrom(signers, name) };
}

/** What an alias rests on: its CNAME RRset, or the DNAME RRset that gives it. */
function aliasRrset(at: Name, { owner, target }: AliasLink, keys: Keys, context: ReplyContext): Rrset {
  const rrsets = rrsetsIn(context.reply.answer);
  if (owner !== at) return rrsets.find(owner, 'DNAME') ?? missing(owner, 'DNAME');
  return dnameFor(at, target, keys, context) ?? rrsets.find(at, 'CNAME') ?? missing(at, 'CNAME');
}

/** The DNAME RRset that gives such a CNAME record, and that alone is signed then (RFC 6672 5.3.1). */
function dnameFor(at: Name, target: Name, { zone }: Keys, { reply }: ReplyContext): Rrset | undefined {
  const rrsets = rrsetsIn(reply.answer);
  for (let above = parentOf(at); above !== undefined && isAtOrBelow(above, zone); above = parentOf(above)) {
    const dname = rrsets.find(above, 'DNAME');
    if (dname !== undefined && makes(dname, at, target)) return dname;
  }
  return undefined;
}

function makes({ owner, records }: Rrset, at: Name, target: Name): boolean {
  const suffixes = records.map(targetOf);
  return suffixes.some((suffix) => suffix !== undefined && substituteSuffix(at, owner, suffix) === target);
}

/** The records of an answer, each RRset of them; of type RRSIG, which nobody signs, none. */
function validateRecords(keys: Keys, context: ReplyContext): PartVerdict {
  const { question } = context.reply;
  if (question.type === 'RRSIG') return { kind: 'good', security: 'insecure' };
  let proof: Provenance = PROVEN;
  for (const rrset of recordsIn(context)) {
    const verdict = validateRrset(signedFor(rrset, keys, context), reachOf(question), keys, context);
    if (verdict.kind !== 'good') return verdict;
    proof = weaker(proof, verdict);
  }
  return { kind: 'good', ...proof };
}

function recordsIn({ reply: { answer, question } }: ReplyContext): readonly Rrset[] {
  const { name, type } = question;
  const rrsets = rrsetsIn(answer);
  return type === 'ANY' ? rrsets.at(name) : [rrsets.find(name, type) ?? missing(name, type)];
}

/** What is signed for an RRset: itself, or the DNAME RRset that gives it if it is a CNAME asked for. */
function signedFor(rrset: Rrset, keys: Keys, context: ReplyContext): Rrset {
  const [record, another] = rrset.records;
  if (rrset.type !== 'CNAME' || record === undefined || another !== undefined) return rrset;
  const target = targetOf(record);
  return (target && dnameFor(rrset.owner, target, keys, context)) ?? rrset;
}

/** An RRset that a claim rests on and that is not there: nobody signed it. */
function missing(owner: Name, type: string): Rrset {
  return { owner, type, records: [], signatures: [] };
}

/** What a reply without records is under the keys of a zone: svc-model(7), VALIDATING 3b. */
function validateDenial(
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
    return underKeysOf(below, keys.zone, context, (deeper) => validateDenial(kind, reach, deeper, context));
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
function validateReferral(to: Name, keys: Keys, context: ReplyContext): Verdict {
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
  const verdict = underKeysOf(below, keys.zone, context, (deeper) => validateReferral(to, deeper, context));
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
