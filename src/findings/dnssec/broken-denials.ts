/* Says why a denial does not validate: on demand, from the recorded reply and the recorded keys. */

import { denialRrsets } from '../../dns/dnssec/denial-records.ts';
import { countsAsKey, firstAlike, type Keys, keysOf } from '../../dns/dnssec/keys.ts';
import type { BogusReason } from '../../dns/dnssec/reasons.ts';
import { type Rrset, rrsetsIn, signaturesOf } from '../../dns/dnssec/rrset.ts';
import type { SecureTrust } from '../../dns/dnssec/trust.ts';
import { validateReply } from '../../dns/dnssec/validate-reply.ts';
import { FailedChecks, type Validation } from '../../dns/dnssec/validation.ts';
import type { Cut, Lack, MissingFact, ReplyToValidate, Verdict } from '../../dns/dnssec/verdict.ts';
import { verifyRrset } from '../../dns/dnssec/verify.ts';
import type { Question } from '../../dns/message.ts';
import { isAtOrBelow, type Name } from '../../dns/name.ts';
import { END_TERMS } from '../../document/words/end-words.ts';
import { sentence } from '../../document/words/lists.ts';
import { asked, plain } from '../../document/words/names.ts';
import { replyClaim } from '../../explore/reply-verdict.ts';
import type { BogusWords } from '../check.ts';
import { type Evidence, oncePer } from '../evidence.ts';
import { byZone, keysIn } from './key-sets.ts';
import { adviceFor, lackWords, type ProofRecords, recordsIn, SIGN_AGAIN } from './lack-words.ts';
import type { ServerVerdict } from './verdicts.ts';

/** Replies whose denial is not proven: what the most telling one denies, and what its proof lacks. */
export function denialWords(
  shown: readonly [ServerVerdict, ...ServerVerdict[]],
  evidence: Evidence,
): BogusWords {
  // The reply to the DS question says more than the referral that made somebody ask.
  const first = shown.find((one) => claimOf(one)?.claim.kind !== 'referral') ?? shown[0];
  const reply = claimOf(first);
  const broken = reply && brokenDenial(reply, first.zone, evidence);
  if (reply === undefined || broken === undefined) {
    const { question } = first.exchanged;
    return { problem: `denies ${asked(question)} without valid proof (NSEC or NSEC3)`, advice: SIGN_AGAIN };
  }
  const { lack, records } = broken;
  const problem = claimWords(reply, lack);
  if (lack.kind === 'needs')
    return {
      problem,
      detail: `The proof depends on ${asked(lack.question)}, for which no server returns a reply that validates`,
      advice:
        'Make all servers of the zones above and below return the same replies, and sign these zones again',
    };
  return { problem, detail: sentence(lackWords(lack, records)), advice: adviceFor(lack) };
}

function claimOf({ exchanged, zone }: ServerVerdict): ReplyToValidate | undefined {
  return replyClaim(exchanged, zone);
}

/** The RRset of a reply that does not validate for a reason, by the keys of the zone that signed it; undefined if none can be told. */
export function faultyRrset(
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
  const { kind } = reply.claim;
  if (verdict.kind !== 'bogus') return undefined;
  const authority = rrsetsIn(reply.authority);
  const parts = [
    ...(verdict.lack === undefined
      ? rrsetsIn(reply.answer).all.filter(({ owner }) => isAtOrBelow(owner, zone))
      : []),
    ...authority.ofType('DS'),
    ...denialRrsets(reply.authority),
    ...(kind === 'nxdomain' || kind === 'nodata' ? authority.ofType('SOA') : []),
  ];
  const bounded = { ...validation, failed: new FailedChecks() };
  return parts.find((rrset) => {
    const [signature] = signaturesOf(rrset);
    const verified = verifyRrset(rrset, (signature && known.get(signature.signer)) ?? keys, bounded);
    return verified.kind === 'bogus' && verified.reason === reason;
  });
}

/** What the server says without proof. */
function claimWords({ claim, question }: ReplyToValidate, lack: BrokenDenial['lack']): string {
  switch (claim.kind) {
    case 'answer':
    case 'alias':
    case 'alias-loop':
      return lack.kind === 'no-cut'
        ? `returns ${asked(question)} without valid proof`
        : `returns ${asked(question)} from a wildcard without valid proof that no closer name exists`;
    case 'nxdomain':
    case 'nodata':
      return `sends ${END_TERMS[claim.kind]} for ${asked(question)} without valid proof`;
    case 'referral':
      return `refers to ${plain(claim.to)} without DS records and without valid proof that there are none`;
  }
}

/** What a proof lacks, and the records that are there. */
interface BrokenDenial {
  readonly lack: Lack | FactNeeded;
  readonly records: ProofRecords;
}

/** The reply's own proof is right, but of no use without a reply to another question. */
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
  if (lack === undefined) return undefined;
  // A zone below may have signed the denial.
  const byEach = [keys, ...known.values()].map((some) => recordsIn(reply, some, validation));
  const records = byEach.find(({ counting }) => counting.length > 0) ?? byEach[0];
  return records && { lack, records };
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

function lackIn(verdict: Verdict, { question }: Pick<ReplyToValidate, 'question'>): Lack | undefined {
  switch (verdict.kind) {
    case 'bogus':
      return verdict.reason === 'no-proof' ? verdict.lack : undefined;
    case 'unproven':
      return verdict.lack;
    case 'good':
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
