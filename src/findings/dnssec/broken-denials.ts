/* Says what a denial lacks that does not validate: on demand, from the recorded reply and the recorded keys. */

import type { Lack } from '../../dns/dnssec/denial-lack.ts';
import { denialRecords, denialRrsets, type Nsec, type Nsec3 } from '../../dns/dnssec/denial-records.ts';
import { countsAsKey, firstAlike, type Keys, keysOf } from '../../dns/dnssec/keys.ts';
import { type Rrset, rrsetsIn } from '../../dns/dnssec/rrset.ts';
import type { SecureTrust } from '../../dns/dnssec/trust.ts';
import { validateReply } from '../../dns/dnssec/validate-reply.ts';
import { FailedChecks, type Validation } from '../../dns/dnssec/validation.ts';
import type { BogusReason, Cut, MissingFact, ReplyToValidate, Verdict } from '../../dns/dnssec/verdict.ts';
import { verifyRrset } from '../../dns/dnssec/verify.ts';
import type { Question } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import { listed } from '../../document/words/lists.ts';
import { asked, plain } from '../../document/words/names.ts';
import { replyClaim } from '../../explore/reply-verdict.ts';
import type { Words } from '../check.ts';
import { type Evidence, oncePer } from '../evidence.ts';
import { byZone, keysIn } from './key-sets.ts';
import type { ServerVerdict } from './verdicts.ts';

/** The fault of replies whose denial is not proven: what the most telling one says, and what its proof lacks. */
export function denialWords(shown: readonly [ServerVerdict, ...ServerVerdict[]], evidence: Evidence): Words {
  // The reply to the DS question says more than the referral that made somebody ask.
  const first = shown.find((one) => claimOf(one)?.claim.kind !== 'referral') ?? shown[0];
  const reply = claimOf(first);
  const broken = reply && brokenDenial(reply, first.zone, evidence);
  if (reply === undefined || broken === undefined) {
    const { question } = first.exchanged;
    return { problem: `denies ${asked(question)} without valid proof (NSEC or NSEC3)`, advice: SIGN_AGAIN };
  }
  const { lack, keys, validation } = broken;
  const claim = claimWords(reply, lack);
  if (lack.kind === 'needs')
    return {
      problem: `${claim}: it rests on ${asked(lack.question)}, to which no server gives a reply that validates`,
      advice: 'Make every server of the zones above and below answer the same, and sign these zones again',
    };
  return {
    problem: `${claim}: ${lackWords(lack, recordsIn(reply, keys, validation))}`,
    advice: adviceFor(lack),
  };
}

function claimOf({ exchanged, zone }: ServerVerdict): ReplyToValidate | undefined {
  return replyClaim(exchanged, zone);
}

/** The RRset of a denial that does not validate for a reason; undefined where the reply denies nothing, or its denial validates. */
export function faultyDenialRrset(
  { exchanged, zone }: ServerVerdict,
  reason: BogusReason,
  evidence: Evidence,
): Rrset | undefined {
  const reply = replyClaim(exchanged, zone);
  const validation = evidence.scope.dnssec?.validation;
  const known = recordedKeys(evidence);
  const keys = known.get(zone);
  if (reply === undefined || validation === undefined || keys === undefined) return undefined;
  const { verdict } = judged(reply, keys, known, validation);
  const isDenial = reply.claim.kind === 'nxdomain' || reply.claim.kind === 'nodata';
  if (verdict.kind !== 'bogus' || (verdict.lack === undefined && !isDenial)) return undefined;
  const bounded = { ...validation, failed: new FailedChecks() };
  const proofs = [
    ...denialRrsets(reply.authority),
    ...(isDenial ? rrsetsIn(reply.authority).ofType('SOA') : []),
  ];
  return proofs.find((rrset) => {
    const verified = verifyRrset(rrset, keys, bounded);
    return verified.kind === 'bogus' && verified.reason === reason;
  });
}

/** What the server says that it does not prove. */
function claimWords({ claim, question }: ReplyToValidate, lack: BrokenDenial['lack']): string {
  switch (claim.kind) {
    case 'answer':
    case 'alias':
    case 'alias-loop':
      return lack.kind === 'no-cut'
        ? `returns ${asked(question)} without valid proof`
        : `returns ${asked(question)} from a wildcard without valid proof that no nearer name exists`;
    case 'nxdomain':
    case 'nodata':
      return `denies ${asked(question)} without valid proof`;
    case 'referral':
      return `refers to ${plain(claim.to)} without DS records and without valid proof that there are none`;
  }
}

/** What a proof lacks, and by what that was found. */
interface BrokenDenial {
  readonly lack: Lack | FactNeeded;
  readonly keys: Keys;
  readonly validation: Validation;
}

/** The reply's own proof is right, but nobody can use it without a reply to another question. */
interface FactNeeded {
  readonly kind: 'needs';
  readonly question: Question;
}

function brokenDenial(reply: ReplyToValidate, zone: Name, evidence: Evidence): BrokenDenial | undefined {
  const validation = evidence.scope.dnssec?.validation;
  const known = recordedKeys(evidence);
  const keys = known.get(zone);
  if (validation === undefined || keys === undefined) return undefined;
  const { verdict, needed } = judged(reply, keys, known, validation);
  const lack = lackIn(verdict, reply) ?? (needed && { kind: 'needs', question: needed });
  return lack && { lack, keys, validation };
}

interface Judged {
  readonly verdict: Verdict;
  /** The last question that others had to answer first. */
  readonly needed: Question | undefined;
}

/** The verdict on a reply by the keys that were recorded, whichever zone below signed it. */
function judged(
  reply: ReplyToValidate,
  keys: Keys,
  known: ReadonlyMap<Name, Keys>,
  validation: Validation,
): Judged {
  const facts = { cuts: new Map<Name, Cut>(), keys: new Map<Name, Keys | 'none'>() };
  let needed: Question | undefined;
  for (;;) {
    const verdict = validateReply(reply, keys, facts, validation);
    if (verdict.kind !== 'needs') return { verdict, needed };
    needed = learn(verdict.need);
  }

  function learn(need: MissingFact): Question {
    switch (need.kind) {
      case 'cut': {
        const { name } = need;
        facts.cuts.set(name, known.has(name) ? { kind: 'cut', trust: RECORDED } : { kind: 'no-cut' });
        return { name, type: 'DS' };
      }
      case 'keys': {
        const { zone } = need;
        facts.keys.set(zone, known.get(zone) ?? 'none');
        return { name: zone, type: 'DNSKEY' };
      }
    }
  }
}

/** In keys that a server published: words need no chain of trust. */
const RECORDED: SecureTrust = { kind: 'secure', signers: [], keys: [], id: 'recorded' };

function lackIn(verdict: Verdict, { question }: ReplyToValidate): Lack | undefined {
  switch (verdict.kind) {
    case 'bogus':
    case 'unproven':
      return verdict.lack;
    case 'good':
      if (verdict.because !== undefined) return verdict.because.lack;
      // The reply is proven, but its name is no delegation, although the zone refers to it.
      return question.type === 'DS' ? { kind: 'no-cut', name: question.name } : undefined;
    case 'needs':
      return undefined;
  }
}

/** By zone: all keys that its servers publish. */
const recordedKeys = oncePer((evidence: Evidence): ReadonlyMap<Name, Keys> => {
  const zones = byZone(evidence).map((published) => {
    const [{ zone }] = published;
    const keys = published.flatMap(({ exchanged }) => keysIn(exchanged, zone)).filter(countsAsKey);
    return [zone, keysOf(zone, firstAlike(keys))] as const;
  });
  return new Map(zones.filter(([, { keys }]) => keys.length > 0));
});

/** The records that a reply brings to prove something: those that count, in words, and the type of those that do not. */
interface ProofRecords {
  readonly counting: readonly string[];
  readonly type: 'NSEC' | 'NSEC3';
  readonly sent: number;
}

function recordsIn({ authority }: ReplyToValidate, keys: Keys, validation: Validation): ProofRecords {
  const { nsecs, nsec3s } = denialRecords(authority, keys, { ...validation, failed: new FailedChecks() });
  const sent = denialRrsets(authority);
  return {
    counting: nsecs.length > 0 ? nsecs.map(rangeOf) : nsec3s.map(hashRangeOf),
    type: nsecs.length > 0 || !sent.some(({ type }) => type === 'NSEC3') ? 'NSEC' : 'NSEC3',
    sent: sent.length,
  };
}

function rangeOf({ owner, next }: Nsec): string {
  return `${plain(owner)} to ${plain(next)}`;
}

function hashRangeOf({ hash, next }: Nsec3): string {
  const [from, to] = [shortHash(hash), shortHash(next)];
  // Records that servers make for each reply span next to nothing (RFC 7129, appendix B).
  return from === to ? `${hash} to ${next}` : `${from} to ${to}`;
}

function shortHash(hash: string): string {
  return hash.slice(0, SHOWN_OF_HASH);
}

/** Characters of a hash that a sentence has room for, and that tell the hashes of a reply apart. */
const SHOWN_OF_HASH = 8;

/** Records that a sentence has room for. */
const MOST_RECORDS = 2;

/** "its NSEC record (a to www.a) does not cover the wildcard *.a" */
function lackWords(lack: Lack, { counting, type, sent }: ProofRecords): string {
  if (lack.kind === 'no-record' || counting.length === 0)
    return sent === 0
      ? 'it sends no NSEC or NSEC3 record'
      : `its ${type} records do not count (RFC 5155 8.1, 8.2)`;
  const isOne = counting.length === 1;
  const subject = `its ${type} ${isOne ? 'record' : 'records'} (${listed(counting, MOST_RECORDS)})`;
  const [verb, no] = isOne ? (['s', 'does not'] as const) : (['', 'do not'] as const);
  switch (lack.kind) {
    case 'not-covered':
      return `${subject} ${no} cover ${nameWords(lack)}`;
    case 'not-matched':
      return lack.of === 'closest-encloser'
        ? `${subject} ${no} match a name above ${plain(lack.name)}, its closest encloser`
        : `${subject} ${no} match ${nameWords(lack)}`;
    case 'exists':
      return `${subject} show${verb} that ${nameWords(lack)} exists`;
    case 'has-type':
      return `${subject} list${verb} ${lack.type} among the types of ${nameWords(lack)}`;
    case 'other-side':
      return lack.side === 'child'
        ? `${subject} came from the zone ${plain(lack.name)} itself (SOA is among its types), but DS belongs to the parent`
        : `${subject} ${isOne ? 'is' : 'are'} of the parent's side of the zone cut at ${plain(lack.name)} (NS without SOA), which can deny only DS`;
    case 'no-cut':
      return `${subject} show${verb} no delegation at ${plain(lack.name)} (NS is not among its types)`;
    case 'ends-authority':
      return `${subject} say${verb} nothing about names below ${plain(lack.name)}, a delegation or DNAME`;
    case 'nearer-name':
      return `${subject} show${verb} that ${plain(lack.name)} exists, so ${plain(lack.wildcard)} does not apply`;
    case 'no-opt-out':
      return `${subject} ${no} have Opt-Out set over ${plain(lack.name)} (hash ${shortHash(lack.hash)})`;
  }
}

/** "the wildcard *.a (hash 0p9mhave)" */
function nameWords({ of, name, hash }: Extract<Lack, { of: unknown }> & { readonly hash?: string }): string {
  const shown = hash === undefined ? '' : ` (hash ${shortHash(hash)})`;
  return `${OF[of]}${plain(name)}${shown}`;
}

const OF = {
  name: '',
  'next-closer': 'the next closer name ',
  wildcard: 'the wildcard ',
  'closest-encloser': 'the closest encloser of ',
} as const;

const SIGN_AGAIN = 'Sign the zone again, and update the software of the server';

function adviceFor(lack: Lack): string {
  switch (lack.kind) {
    case 'no-record':
      return 'Make the server load the signed zone and return NSEC or NSEC3 records to queries that ask for them, and let nothing in front of it strip them';
    case 'exists':
    case 'has-type':
      return 'Make every server load the same version of the signed zone, sign the zone again, and update the software of the server';
    case 'other-side':
      return lack.side === 'child'
        ? 'Update the software of the server: it must answer DS questions from the parent zone'
        : SIGN_AGAIN;
    case 'no-cut':
      return 'Add the NS records of the delegation to the signed zone, and sign it again';
    case 'no-opt-out':
      return 'Sign the zone again, with an NSEC3 record for each delegation or with Opt-Out';
    case 'not-covered':
    case 'not-matched':
    case 'ends-authority':
    case 'nearer-name':
      return SIGN_AGAIN;
  }
}
