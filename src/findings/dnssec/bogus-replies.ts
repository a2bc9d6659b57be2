import type { BogusReason } from '../../dns/dnssec/reasons.ts';
import { validityAt } from '../../dns/dnssec/verify.ts';
import { questionKey } from '../../dns/message.ts';
import { isAtOrBelow, isBelow, type Name, ROOT } from '../../dns/name.ts';
import { grouped } from '../../document/words/lists.ts';
import { asked, plain, withAddress } from '../../document/words/names.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { meaningFor } from '../../explore/classify.ts';
import type { BogusWords, Check, Checks, Draft } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { denialWords, faultyRrset } from './broken-denials.ts';
import { dsByZone } from './ds-records.ts';
import { costWords } from './outcomes.ts';
import { hasUnreadableSignatures, invalidWords } from './signature-words.ts';
import { signerWords } from './signer-words.ts';
import { dayOf, type ServerVerdict, signaturesIn, verdictsIn } from './verdicts.ts';

/** Findings about replies that are bogus, by the reason that validating gives. */
export const BOGUS_REPLY_CHECKS = {
  // Signatures have not been renewed in time, or a server still has old ones.
  RRSIG_EXPIRED: byReason(['expired'], (first, evidence) => ({
    problem: `returns signatures for ${subjectOf(first, evidence)} that ${timeWords('expired', first, evidence)}`,
    advice:
      'Sign the zone again, renew signatures well before they expire, and make every server load the new version',
    adviceThere:
      'Find out why that server does not load the current version of the zone, or does not sign it again',
  })),
  // Signatures that begin to be valid only later.
  RRSIG_NOT_YET_VALID: byReason(['not-yet-valid'], (first, evidence) => ({
    problem: `returns signatures for ${subjectOf(first, evidence)} that ${timeWords('not-yet-valid', first, evidence)}`,
    advice: 'Correct the clock of the signer, and sign the zone again',
  })),
  // Data of a signed zone without a signature.
  RRSIG_MISSING: byReason(['no-signature'], (first, evidence) => ({
    problem: hasUnreadableSignatures(first.exchanged)
      ? `returns ${subjectOf(first, evidence)} with signatures that are cut short or otherwise malformed, which resolvers ignore`
      : `returns ${subjectOf(first, evidence)} without signatures, although ${plain(first.zone)} is signed`,
    advice:
      'Make the server load the signed zone and return signatures to queries with the DO bit, and let nothing in front of it strip them',
  })),
  // Signatures that do not verify, whatever the time.
  RRSIG_INVALID: byReason(
    ['wrong-signer', 'unsupported-algorithm', 'wrong-key', 'bad-signature'],
    (first, evidence) => {
      const { problem, advice } = invalidWords(first, evidence);
      return { problem: `returns signatures for ${subjectOf(first, evidence)} that ${problem}`, advice };
    },
  ),
  // A negative answer, an answer from a wildcard, or a referral to an unsigned zone, without proof.
  DENIAL_BROKEN: byReason(['no-proof'], (_, evidence, shown) => denialWords(shown, evidence)),
  DS_NO_MATCH: byReason(['no-matching-ds'], signerWords),
  // The parent says that the zone is signed, and a server of it has no keys.
  DS_WITHOUT_DNSKEY: byReason(['no-keys'], (first) => ({
    problem:
      first.exchanged.question.type !== 'DNSKEY'
        ? `returns ${asked(first.exchanged.question)} without signatures, although the parent has DS records for ${plain(first.zone)}`
        : first.zone === ROOT
          ? 'has no DNSKEY records for the root, although there are trust anchors for it'
          : `has no DNSKEY records for ${plain(first.zone)}, although the parent has DS records for it`,
    advice: first.exchanged.planned
      ? 'Sign the zone file, or plan no DS records (--ds ZONE=none, or "ds": [] in a plan) if the parent is to remove them first; if the servers sign the zone themselves, --views without validating leaves this out'
      : first.zone === ROOT
        ? 'Make every server load the signed zone, or leave the trust anchors out'
        : 'Make every server load the signed zone, or remove the DS records at the parent',
    adviceThere: 'Make that server load the signed zone, as the others do',
  })),
} satisfies Checks;

/** What is wrong in a reply: the keys of its zone, or the RRset whose signatures are, with the name and type asked. */
function subjectOf(first: ServerVerdict, evidence: Evidence): string {
  const { exchanged, zone, verdict } = first;
  const { question } = exchanged;
  if (question.type === 'DNSKEY' && question.name === zone) return `the keys of ${plain(zone)}`;
  const faulty = verdict.status === 'bogus' ? faultyRrset(first, verdict.reason, evidence) : undefined;
  const what = faulty && asked({ name: faulty.owner, type: faulty.type });
  if (what === undefined || what === asked(question)) return asked(question);
  return `${what} (with which it ${ANSWERS[replyKind(exchanged, zone)]} ${asked(question)})`;
}

const ANSWERS = { denies: 'denies', refers: 'refers queries for', answers: 'answers' } as const;

function replyKind(exchanged: Exchanged, zone: Name): keyof typeof ANSWERS {
  const { kind } = meaningFor(exchanged, zone);
  return kind === 'nxdomain' || kind === 'nodata' ? 'denies' : kind === 'referral' ? 'refers' : 'answers';
}

const TIME_WORDS = {
  expired: { some: (day: string) => `expired on ${day}`, none: 'have expired' },
  'not-yet-valid': { some: (day: string) => `are valid only from ${day} on`, none: 'are not valid yet' },
} as const;

/** When the signature expired or becomes valid, if it is in this reply: it may be in the reply to a DS question instead. */
function timeWords(
  validity: keyof typeof TIME_WORDS,
  { exchanged }: ServerVerdict,
  { scope }: Evidence,
): string {
  const words = TIME_WORDS[validity];
  const time = scope.dnssec?.time;
  const wrong = signaturesIn(exchanged).find(
    ({ signature: { inception, expiration } }) =>
      time !== undefined && validityAt(time, inception, expiration) === validity,
  );
  if (wrong === undefined) return words.none;
  const { inception, expiration } = wrong.signature;
  return words.some(dayOf(validity === 'expired' ? expiration : inception));
}

/** A verdict in the zone that has to be repaired, and the zone of the step if that is another. */
interface PlacedVerdict extends ServerVerdict {
  readonly within?: Name;
}

const UNSIGNED: readonly BogusReason[] = ['no-signature', 'no-proof'];

type Shown = readonly [PlacedVerdict, ...PlacedVerdict[]];

/** Makes the words; the problem is a predicate, whose subject is a server or every server. */
type Fault = (first: ServerVerdict, evidence: Evidence, shown: Shown) => BogusWords;

/**
 * A check of replies that are bogus for one of these reasons: a draft for each address, or one for the zone where all
 * that were validated are alike.
 */
function byReason(reasons: readonly BogusReason[], fault: Fault): Check {
  return (evidence) => {
    const drafts: Draft[] = [];
    const all: readonly PlacedVerdict[] = verdictsIn(evidence).map(
      (one) => ofUnsignedChild(one, evidence) ?? one,
    );
    const wrong = all.filter((one) => isBogusFor(one, reasons));
    for (const inZone of grouped(wrong, ({ zone }) => zone)) {
      const [{ zone, within }] = inZone;
      const validated = new Set(all.filter((one) => one.zone === zone).map(({ server }) => server.address));
      const addresses = grouped(inZone, ({ server }) => server.address);
      const isEverywhere =
        within !== undefined || (addresses.length > 1 && addresses.length === validated.size);
      const isElsewhereRight = addresses.length < validated.size;
      if (isEverywhere && areAlike(addresses, fault, evidence))
        drafts.push(draftOf(zone, inZone, fault, evidence));
      else
        for (const atAddress of addresses) {
          const draft = draftOf(zone, atAddress, fault, evidence, atAddress[0].server);
          const { adviceThere } = fault(atAddress[0], evidence, atAddress);
          drafts.push(
            isElsewhereRight && adviceThere !== undefined ? { ...draft, advice: adviceThere } : draft,
          );
        }
    }
    return drafts;
  };

  function draftOf(
    zone: Name,
    shown: Shown,
    fault: Fault,
    evidence: Evidence,
    server?: ServerVerdict['server'],
  ): Draft {
    const { problem, detail, advice, everywhere } = fault(shown[0], evidence, shown);
    const claim =
      server === undefined
        ? (everywhere ?? `Every server of ${plain(zone)} ${problem}`)
        : `${withAddress(server)} ${problem}`;
    const { within } = shown[0];
    const cost =
      within === undefined ? costWords(evidence, zone, reasons) : costWords(evidence, within, UNSIGNED);
    return {
      zone,
      ...(server && { server }),
      problem: [`${claim}, ${cost}`, ...(detail === undefined ? [] : [detail])].join('. '),
      advice,
      proof: shown.map(({ exchanged }) => exchanged),
    };
  }
}

/** Whether the same words hold at each address, where the same question was asked: only then they hold for all. */
function areAlike(addresses: readonly Shown[], fault: Fault, evidence: Evidence): boolean {
  const byQuestion = grouped(addresses, ([{ exchanged }]) => questionKey(exchanged.question));
  return byQuestion.every((asked) => {
    const words = asked.map((shown) => fault(shown[0], evidence, shown));
    return new Set(words.map(({ problem, detail = '' }) => `${problem}. ${detail}`)).size === 1;
  });
}

/**
 * What servers of the parent, of which none refers to the zone below, say of that zone without any signature: where the parent has
 * DS records for it, these say that there are keys.
 */
function ofUnsignedChild(one: ServerVerdict, evidence: Evidence): PlacedVerdict | undefined {
  const child = [...dsByZone(evidence).keys()].find((below) => isOfChild(one, below, evidence));
  if (child === undefined) return undefined;
  const all = verdictsIn(evidence).filter(
    (other) => other.zone === one.zone && isOfChild(other, child, evidence),
  );
  const isUnsigned = (other: ServerVerdict) =>
    isBogusFor(other, UNSIGNED) && signaturesIn(other.exchanged).length === 0;
  const isSigned = (other: ServerVerdict) =>
    other.verdict.status === 'secure' || (other.verdict.status === 'bogus' && !isUnsigned(other));
  return isUnsigned(one) && !all.some(isSigned)
    ? { ...one, zone: child, within: one.zone, verdict: { status: 'bogus', reason: 'no-keys' } }
    : undefined;
}

function isOfChild({ zone, exchanged }: ServerVerdict, child: Name, { cuts }: Evidence): boolean {
  const { name, type } = exchanged.question;
  const isIn = (type === 'DS' ? isBelow : isAtOrBelow)(name, child);
  return isIn && isBelow(child, zone) && !cuts.get(zone)?.has(child);
}

function isBogusFor({ verdict }: ServerVerdict, reasons: readonly BogusReason[]): boolean {
  return verdict.status === 'bogus' && reasons.includes(verdict.reason);
}
