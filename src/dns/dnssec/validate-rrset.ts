import { isAtOrBelow, isBelow, type Name, parentOf } from '../name.ts';
import { proveDenial } from './denial.ts';
import type { Proof } from './denial-records.ts';
import type { Keys } from './keys.ts';
import { type Rrset, signaturesOf } from './rrset.ts';
import { INSECURE, insecureTrust } from './trust.ts';
import type { Validation } from './validation.ts';
import { type Bogus, bogus, type Good, type Needs, type ReplyToValidate, type ZoneFacts } from './verdict.ts';
import { verifyRrset } from './verify.ts';

/** What an RRset of a reply is under the keys of a zone: svc-model(7), VALIDATING 3a, e and f. */
export function validateRrset(rrset: Rrset, reach: Reach, keys: Keys, context: ReplyContext): PartVerdict {
  const verified = verifyRrset(rrset, keys, context.validation);
  if (verified.kind === 'verified') return withWildcardProof(rrset.owner, verified.wildcard, keys, context);
  const below = signerBelow([rrset], keys.zone, reach);
  if (below !== undefined)
    return underKeysOf(below, keys.zone, context, (deeper) => validateRrset(rrset, reach, deeper, context));
  if (isSignedBy([rrset], keys.zone)) return verified;
  return withoutSignature(keys.zone, rrset.owner, reach, context, verified);
}

/** RFC 4035 5.3.4: a wildcard makes records only for names that do not exist. */
function withWildcardProof(
  owner: Name,
  wildcard: Name | undefined,
  keys: Keys,
  { reply, validation }: ReplyContext,
): PartVerdict {
  if (wildcard === undefined) return SECURE;
  const proof = proveDenial({ kind: 'wildcard', name: owner, wildcard }, reply.authority, keys, validation);
  switch (proof.kind) {
    case 'proven':
      return goodBy(proof);
    case 'unproven':
      return bogus(proof.reason, proof.lack);
  }
}

/** All that a verdict on a reply depends on, but for the keys. */
export interface ReplyContext {
  readonly reply: ReplyToValidate;
  readonly knowledge: ZoneFacts;
  readonly validation: Validation;
}

/** The verdict on one RRset or denial of a reply. */
export type PartVerdict = Good | Bogus | Needs;

const SECURE: Good = { kind: 'good', security: 'secure' };

/** What a proof makes of a part of a reply. */
export function goodBy({ weakness }: Extract<Proof, { kind: 'proven' }>): Good {
  return weakness === undefined ? SECURE : { kind: 'good', security: 'insecure', why: { reason: weakness } };
}

/** What insecure data make of the zone cut that they are about: a weak proof is the reason there, unless it is further up. */
export function insecureCut(zone: Name, good: Good): Good {
  const why = good.why && { zone, ...good.why };
  return why === undefined ? { ...good, trust: INSECURE } : { ...good, why, trust: insecureTrust(why) };
}

/** A part that belongs to an insecure zone, or to one below it. */
function belowInsecure(zone: Name): Good {
  return { kind: 'good', security: 'insecure', why: { reason: 'unsigned-parent', zone } };
}

/**
 * Down to where the zone of a part may have its apex: at or above a name, or strictly above it, where the part
 * belongs to the parent's side of a cut there (RFC 4035 3.1.4.1).
 */
export interface Reach {
  readonly name: Name;
  readonly side: 'either' | 'parent';
}

/** Whether a zone may be the one that a part belongs to. */
function reaches({ name, side }: Reach, zone: Name): boolean {
  return side === 'parent' ? isBelow(name, zone) : isAtOrBelow(name, zone);
}

/** Of the zones strictly below `zone` that signed some of these RRsets, the nearest that they may belong to. */
export function signerBelow(rrsets: readonly Rrset[], zone: Name, reach: Reach): Name | undefined {
  const signers = rrsets.flatMap((rrset) =>
    signaturesOf(rrset)
      .map(({ signer }) => signer)
      .filter((signer) => isAtOrBelow(rrset.owner, signer)),
  );
  const below = signers.filter((signer) => isBelow(signer, zone) && reaches(reach, signer));
  return below.sort((a, b) => a.length - b.length)[0];
}

/** Whether a zone signed one of these RRsets. */
export function isSignedBy(rrsets: readonly Rrset[], zone: Name): boolean {
  return rrsets.some((rrset) => signaturesOf(rrset).some(({ signer }) => signer === zone));
}

/**
 * A part that a zone below `above` signed, though no cut was seen: one server has both. That zone's keys
 * validate it, which its DS question and its DNSKEY question bring. If nobody there tells its trust, it may lie
 * below an insecure zone in between.
 */
export function underKeysOf<T>(
  zone: Name,
  above: Name,
  context: ReplyContext,
  validate: (keys: Keys) => T,
): T | PartVerdict {
  const { cuts, keys: known } = context.knowledge;
  const cut = cuts.get(zone);
  if (cut === undefined || cut.kind === 'no-insecure-cut')
    return { kind: 'needs', need: { kind: 'cut', name: zone } };
  if (cut.kind !== 'cut')
    return withoutSignature(above, zone, { name: zone, side: 'parent' }, context, bogus('wrong-signer'));
  if (cut.trust.kind === 'insecure') return belowInsecure(zone);
  const keys = known.get(zone);
  if (keys === undefined) return { kind: 'needs', need: { kind: 'keys', zone, trust: cut.trust } };
  return keys === 'none' ? bogus('wrong-key') : validate(keys);
}

/**
 * A part that neither the zone nor one below it signed: fine if it belongs to an insecure zone below, which DS
 * questions find, shortest name first.
 */
export function withoutSignature(
  zone: Name,
  downTo: Name,
  reach: Reach,
  { knowledge }: ReplyContext,
  otherwise: Bogus,
): PartVerdict {
  for (const name of namesBelow(zone, downTo)) {
    if (!reaches(reach, name)) continue;
    const cut = knowledge.cuts.get(name);
    if (cut === undefined) return { kind: 'needs', need: { kind: 'cut', name } };
    if (cut.kind === 'cut' && cut.trust.kind === 'insecure') return belowInsecure(name);
    if (cut.kind === 'no-name' || cut.kind === 'unusable') break;
  }
  return otherwise;
}

/** The names strictly below the zone down to another, shortest first. */
function namesBelow(zone: Name, downTo: Name): readonly Name[] {
  const names: Name[] = [];
  for (let at: Name | undefined = downTo; at !== undefined && isBelow(at, zone); at = parentOf(at))
    names.push(at);
  return names.reverse();
}
