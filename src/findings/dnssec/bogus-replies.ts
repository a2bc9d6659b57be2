import { asked, plain } from '../../reading/words/names.ts';
import type { BogusReason } from '../../validate/bogus-reason.ts';
import { validityAt } from '../../validate/serial-time.ts';
import type { Evidence } from '../evidence.ts';
import { byReason } from './by-reason.ts';
import type { HeardVerdict } from './judgements.ts';
import { isBySomeServersKeys } from './key-sets.ts';
import { dayOf, signaturesIn } from './signatures.ts';

/** RRSIG_EXPIRED: signatures have not been renewed in time, or a server still has old ones. */
export const signatureExpired = byReason(['expired'], (first, evidence) => ({
  problem: `gives signatures for ${subjectOf(first)} that ${timeWords('expired', first, evidence)}`,
  advice:
    'Sign the zone again, see to it that this happens in good time, and that every server loads the new version',
}));

/** RRSIG_NOT_YET_VALID: signatures that begin to be valid only later. */
export const signatureNotYetValid = byReason(['not-yet-valid'], (first, evidence) => ({
  problem: `gives signatures for ${subjectOf(first)} that ${timeWords('not-yet-valid', first, evidence)}`,
  advice: 'Set the clock of the machine that signs right, and sign the zone again',
}));

/** RRSIG_MISSING: data of a signed zone without a signature. */
export const signatureMissing = byReason(['no-signature'], (first) => ({
  problem: `gives ${subjectOf(first)} without signatures, although ${plain(first.zone)} is signed`,
  advice:
    'Have the server load the signed zone and answer queries for signatures, and let nothing in front of it remove them',
}));

/** RRSIG_INVALID: signatures that do not verify, whatever the time. */
export const signatureInvalid = byReason(
  ['wrong-signer', 'unsupported-algorithm', 'wrong-key', 'bad-signature'],
  (first, evidence) => ({
    problem: `gives signatures for ${subjectOf(first)} that ${invalidWords(first, evidence)}`,
    advice:
      'Have every server load one version of the zone, and remove a key only when nothing that it signed is left',
  }),
);

/** DENIAL_BROKEN: a negative answer, or a referral to an unsigned zone, that is not proven. */
export const denialBroken = byReason(['no-proof'], (first) => ({
  problem: `denies ${subjectOf(first)} without valid proof (NSEC or NSEC3)`,
  advice: 'Sign the zone again, and update the software of the server',
}));

/** DS_NO_MATCH: the DS records name no key that the zone has. */
export const dsNoMatch = byReason(['no-matching-ds'], (first) => ({
  problem: `gives keys for ${plain(first.zone)} of which the DS records of the parent name none`,
  advice:
    'Replace the DS records at the parent by those of the present key, or publish the key that they name on every server',
}));

/** DS_WITHOUT_DNSKEY: the parent says that the zone is signed, and a server of it has no keys. */
export const dsWithoutKeys = byReason(['no-keys'], (first) => ({
  problem: `has no DNSKEY records for ${plain(first.zone)}, although the parent has DS records for it`,
  advice: 'Have every server load the signed zone, or remove the DS records at the parent',
}));

/** What a reply is about: the name and type asked, or the keys of its zone. */
function subjectOf({ exchanged: { question }, zone }: HeardVerdict): string {
  return question.type === 'DNSKEY' && question.name === zone
    ? `the keys of ${plain(zone)}`
    : asked(question);
}

const WHY: Readonly<Partial<Record<BogusReason, string>>> = {
  'wrong-signer': 'another zone made them',
  'unsupported-algorithm': 'their algorithm is not one that resolvers support',
  'wrong-key': 'the zone does not publish the key that made them',
  'bad-signature': 'they do not fit the data',
};

function invalidWords({ verdict, exchanged, zone }: HeardVerdict, evidence: Evidence): string {
  const reason = verdict.status === 'bogus' ? verdict.reason : undefined;
  if (reason === 'wrong-key' && isBySomeServersKeys(exchanged, zone, evidence))
    return 'verify only with the keys of some servers (not every server publishes the key that made them)';
  const why = reason && WHY[reason];
  return why === undefined ? 'do not verify' : `do not verify (${why})`;
}

const TIME_WORDS = {
  expired: { some: (day: string) => `expired on ${day}`, none: 'have expired' },
  'not-yet-valid': { some: (day: string) => `are valid only from ${day} on`, none: 'are not valid yet' },
} as const;

/** When that was or will be, if the reply itself has such a signature: what is wrong may be that of a DS question. */
function timeWords(
  validity: keyof typeof TIME_WORDS,
  { exchanged }: HeardVerdict,
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
