/* Validates replies while the program explores. */

import { getOrMake } from '../base/memo.ts';
import { workOf } from '../base/work.ts';
import { type Insecurity, insecureTrust, type SecureTrust, type Trust } from '../dns/dnssec/trust.ts';
import { validateReply } from '../dns/dnssec/validate-reply.ts';
import { FailedChecks, type Validation } from '../dns/dnssec/validation.ts';
import {
  type AliasLink,
  type Bogus,
  bogus,
  type Claim,
  cutIn,
  type Good,
  type MissingFact,
  type Provenance,
  type ReplyToValidate,
  type Security,
  trustIn,
  type Verdict,
} from '../dns/dnssec/verdict.ts';
import { type KeysFound, validateKeys } from '../dns/dnssec/verify.ts';
import type { Name } from '../dns/name.ts';
import type { Records } from '../dns/record.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { firstAlias } from './aliases.ts';
import { meaningFor } from './classify.ts';
import { isFailure, type Meaning } from './meaning.ts';
import type { ProofFact, ProofKnowledge, ProofNeed } from './proof-knowledge.ts';

/** Validates replies, and takes note of the work. */
export interface ReplyValidator {
  readonly validation: Validation;
  /** Is told how much work a validation was, in steps: as much each time, whatever is remembered. */
  readonly spend: (steps: number) => void;
  /** The trust in a zone whose DS records are planned; undefined for any other. */
  readonly plannedTrust: (zone: Name) => Trust | undefined;
}

/** What must be learnt before a reply can be validated. */
interface Wanting {
  readonly kind: 'wants';
  readonly want: ProofNeed;
}

/** A reply that no resolver uses where it stands, whatever it proves. */
interface Unused {
  readonly kind: 'unused';
}

/** A reply that verifies, and what it means then. */
export interface Proven {
  readonly kind: 'proven';
  readonly security: Security;
  /** Where it is `insecure`, or where the DS question proves the zone of a referral without proof to be so. */
  readonly why?: Insecurity;
  readonly meaning: Meaning;
  /** Of the zone that a referral leads to. */
  readonly trust?: Trust;
}

/** The verdict of a step on a reply to its question. */
type StepVerdict = Proven | Bogus | Wanting | Unused;

/** The fact that a reply to a further question teaches a step. */
type Taught =
  | { readonly kind: 'taught'; readonly lesson: ProofFact; readonly proof: Provenance }
  | Bogus
  | Wanting
  | Unused;

/** What a reply to a step's question is by what the step has learnt: svc-model(7), VALIDATING 3. */
export function stepVerdict(
  exchanged: Exchanged,
  zone: Name,
  learnt: ProofKnowledge,
  validator: ReplyValidator,
): StepVerdict {
  const reply = replyClaim(exchanged, zone);
  if (reply === undefined) return UNUSED;
  const verdict = explained(verdictOn(exchanged, reply, learnt, validator), learnt);
  const meaning = meaningFor(exchanged, zone);
  switch (verdict.kind) {
    case 'good':
      return proven(meaning, verdict);
    case 'unproven':
      return onTrust(meaning, learnt);
    case 'bogus':
      return verdict;
    case 'needs':
      return { kind: 'wants', want: wantOf(verdict.need) };
  }
}

const UNUSED: Unused = { kind: 'unused' };

function proven(meaning: Meaning, { security, why, trust }: Good): StepVerdict {
  return { kind: 'proven', security, ...(why && { why }), meaning, ...(trust && { trust }) };
}

/** A referral that proves nothing is as good as what the DS question for its zone brings. */
function onTrust(meaning: Meaning, { trusts }: ProofKnowledge): StepVerdict {
  if (meaning.kind !== 'referral') return UNUSED;
  const name = meaning.delegation.zone;
  const trust = trusts.get(name);
  if (trust === undefined) return { kind: 'wants', want: { kind: 'trust', name } };
  const why = trust.kind === 'insecure' ? trust.why : undefined;
  return { kind: 'proven', security: 'secure', ...(why && { why }), meaning, trust };
}

function wantOf(need: MissingFact): ProofNeed {
  switch (need.kind) {
    case 'cut':
      return need;
    case 'keys':
      return { kind: 'keys', name: need.zone, trust: need.trust };
  }
}

/** What a reply to a further question teaches a step: svc-model(7), VALIDATING 3d to 3f. */
export function proofFactIn(
  want: ProofNeed,
  exchanged: Exchanged,
  zone: Name,
  learnt: ProofKnowledge,
  validator: ReplyValidator,
): Taught {
  const reply = replyClaim(exchanged, zone);
  if (reply === undefined || reply.claim.kind === 'referral') return UNUSED;
  if (want.kind === 'keys') {
    const found = keysIn(exchanged, reply, want, validator);
    return found.kind === 'bogus' ? found : { kind: 'taught', lesson: found, proof: { security: 'secure' } };
  }
  const verdict = explained(verdictOn(exchanged, reply, learnt, validator), learnt);
  switch (verdict.kind) {
    case 'good': {
      const planned = validator.plannedTrust(want.name);
      const lesson =
        planned === undefined ? lessonIn(want.kind, reply, verdict) : plannedLesson(want.kind, planned);
      return lesson === undefined ? bogus('no-proof') : { kind: 'taught', lesson, proof: verdict };
    }
    case 'unproven':
      return UNUSED;
    case 'bogus':
      return verdict;
    case 'needs':
      return { kind: 'wants', want: wantOf(verdict.need) };
  }
}

function plannedLesson(wanted: 'cut' | 'trust', trust: Trust): ProofFact {
  return wanted === 'cut' ? { kind: 'cut', cut: { kind: 'cut', trust } } : { kind: 'trust', trust };
}

function lessonIn(wanted: 'cut' | 'trust', { claim }: ReplyToValidate, good: Good): ProofFact | undefined {
  switch (wanted) {
    case 'cut':
      return { kind: 'cut', cut: cutIn(claim, good) };
    case 'trust': {
      const trust = trustIn(claim, good);
      return trust && { kind: 'trust', trust };
    }
  }
}

/** What a reply to a DNSKEY question brings under a zone's trust: svc-model(7), VALIDATING 2. */
export function keysInReply(
  exchanged: Exchanged,
  zone: Name,
  trust: SecureTrust,
  validator: ReplyValidator,
): KeysFound | Unused {
  const reply = replyClaim(exchanged, zone);
  if (reply === undefined || reply.claim.kind === 'referral') return UNUSED;
  return keysIn(exchanged, reply, { name: zone, trust }, validator);
}

/** Each reply is validated once by the same knowledge, and the work of that is remembered, too. */
interface Remembered {
  readonly verdicts: Map<string, Measured<Verdict>>;
  readonly keys: Map<string, Measured<KeysFound>>;
}

interface Measured<T> {
  readonly value: T;
  readonly steps: number;
}

const remembered = new WeakMap<Validation, WeakMap<Exchanged, Remembered>>();

function rememberedOf(validation: Validation, exchanged: Exchanged): Remembered {
  const exchanges = getOrMake(remembered, validation, () => new WeakMap<Exchanged, Remembered>());
  return getOrMake(exchanges, exchanged, () => ({ verdicts: new Map(), keys: new Map() }));
}

function keysIn(
  exchanged: Exchanged,
  reply: ReplyToValidate,
  { name, trust }: Pick<Extract<ProofNeed, { kind: 'keys' }>, 'name' | 'trust'>,
  { validation, spend }: ReplyValidator,
): KeysFound {
  const { keys } = rememberedOf(validation, exchanged);
  const { value, steps } = getOrMake(keys, `${name}\n${trust.id}`, () =>
    measured(validation, () =>
      validateKeys(reply, name, trust, { ...validation, failed: new FailedChecks() }),
    ),
  );
  spend(steps);
  return value;
}

function verdictOn(
  exchanged: Exchanged,
  reply: ReplyToValidate,
  { keys, knowledge, key }: ProofKnowledge,
  { validation, spend }: ReplyValidator,
): Verdict {
  const { verdicts } = rememberedOf(validation, exchanged);
  const { value, steps } = getOrMake(verdicts, key, () =>
    measured(validation, () =>
      provenBy(exchanged.address, validateReply(reply, keys, knowledge, validation)),
    ),
  );
  spend(steps);
  return value;
}

/** The verdict with the server whose reply it is as the one that proved what is insecure. */
function provenBy(address: string, verdict: Verdict): Verdict {
  // What follows from a zone cut above was proven elsewhere.
  return withReasons(verdict, (why) => (why.reason === 'unsigned-parent' ? why : { ...why, address }));
}

/**
 * The verdict with the reason for which a zone cut is insecure that only a DS question has shown. Verdicts are remembered
 * by what was learnt, whatever the reason for that.
 */
function explained(verdict: Verdict, { knowledge }: ProofKnowledge): Verdict {
  return withReasons(verdict, (why) => {
    const cut = why.reason === 'unsigned-parent' && why.zone ? knowledge.cuts.get(why.zone) : undefined;
    return cut?.kind === 'cut' && cut.trust.kind === 'insecure' ? (cut.trust.why ?? why) : why;
  });
}

function withReasons(verdict: Verdict, reasonFor: (why: Insecurity) => Insecurity): Verdict {
  if (verdict.kind !== 'good') return verdict;
  const { why, trust } = verdict;
  const below = trust?.kind === 'insecure' ? trust.why : undefined;
  if (why === undefined && below === undefined) return verdict;
  return {
    ...verdict,
    ...(why && { why: reasonFor(why) }),
    ...(below && { trust: insecureTrust(reasonFor(below)) }),
  };
}

function measured<T>(validation: Validation, run: () => T): Measured<T> {
  const before = effortOf(validation);
  const value = run();
  return { value, steps: effortOf(validation) - before };
}

function effortOf({ checks, digests = () => 0 }: Validation): number {
  return (
    workOf('signatureCheck', checks.asked) +
    workOf('slowSignatureCheck', checks.slowAsked) +
    workOf('digest', digests())
  );
}

const known = new WeakMap<Exchanged, Map<Name, ReplyToValidate | undefined>>();

/** What a reply says, for a zone that its server was asked for, as far as it can be validated; undefined if no resolver uses it. */
export function replyClaim(exchanged: Exchanged, zone: Name): ReplyToValidate | undefined {
  const replies = getOrMake(known, exchanged, () => new Map<Name, ReplyToValidate | undefined>());
  if (!replies.has(zone)) replies.set(zone, read(exchanged, zone));
  return replies.get(zone);
}

function read(exchanged: Exchanged, zone: Name): ReplyToValidate | undefined {
  const { question, outcome } = exchanged;
  if (outcome.kind !== 'reply') return undefined;
  const { answer, authority } = outcome;
  const claim = claimOf(meaningFor(exchanged, zone), () => firstAlias(answer, question));
  return claim && { question, claim, answer, authority };
}

function claimOf(meaning: Meaning, alias: () => AliasLink | undefined): Claim | undefined {
  if (isFailure(meaning)) return undefined;
  switch (meaning.kind) {
    case 'alias':
    case 'alias-loop': {
      const link = alias();
      return link && { kind: meaning.kind, link };
    }
    case 'answer':
    case 'nxdomain':
    case 'nodata':
      return { kind: meaning.kind };
    case 'referral':
      return { kind: 'referral', to: meaning.delegation.zone };
  }
}

const works = new WeakMap<Exchanged, number>();

/** How much work it is to validate a reply, in steps, signatures that are checked apart. It is the same whatever was validated before. */
export function validationWork(exchanged: Exchanged): number {
  return getOrMake(works, exchanged, () => {
    const { outcome } = exchanged;
    const read = workOf('reply', 1);
    if (outcome.kind !== 'reply') return read;
    const { answer, authority } = outcome;
    const signatures = signaturesIn(answer) + signaturesIn(authority);
    const records = workOf('record', answer.length + authority.length);
    return read + records + workOf('signature', signatures);
  });
}

function signaturesIn(section: Records): number {
  let count = 0;
  for (const { type } of section) if (type === 'RRSIG') count += 1;
  return count;
}
