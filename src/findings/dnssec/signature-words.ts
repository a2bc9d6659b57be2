/* Says why signatures do not validate, where the reply and the keys show the reason without cryptography. */

import { publicKeyOf, signatureLength } from '../../dns/dnssec/crypto.ts';
import { isRevoked, isZoneKey, type ZoneKey } from '../../dns/dnssec/keys.ts';
import type { BogusReason } from '../../dns/dnssec/reasons.ts';
import { isAtOrBelow, isBelow, labelCount, type Name } from '../../dns/name.ts';
import { fitsType } from '../../dns/record.ts';
import { asked, plain } from '../../document/words/names.ts';
import { count } from '../../document/words/quantities.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import type { Words } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { keysByZone } from './ds-records.ts';
import { faultOf } from './key-faults.ts';
import { isBySomeServersKeys } from './key-sets.ts';
import { type ServerVerdict, type Signed, signaturesIn } from './verdicts.ts';

/** The fault of the signatures of a bogus reply, as their predicate, and the remedy: "do not validate (they do not match the data)". */
export function invalidWords(one: ServerVerdict, evidence: Evidence): Words {
  const { verdict, exchanged, zone } = one;
  const reason = verdict.status === 'bogus' ? verdict.reason : undefined;
  if (reason === 'wrong-key' && isBySomeServersKeys(exchanged, zone, evidence))
    return {
      problem:
        'validate only with the keys of some servers (not every server publishes the key that made them)',
      advice: LOAD_ONE_VERSION,
    };
  const why = reason && WHY[reason]?.(one, evidence);
  if (why === undefined) return { problem: 'do not validate', advice: LOAD_ONE_VERSION };
  return { problem: `do not validate (${why.problem})`, advice: why.advice };
}

const LOAD_ONE_VERSION =
  'Make every server load the same version of the zone, and remove a key only after its last signature is gone';
const SIGN_AGAIN =
  'Sign the zone again, and let nothing between the signer and the servers cut or change its records';

/** Whether a reply has malformed signatures, which resolvers ignore. */
export function hasUnreadableSignatures({ outcome }: Exchanged): boolean {
  if (outcome.kind !== 'reply') return false;
  return [outcome.answer, outcome.authority].some((section) =>
    section.some((record) => record.type === 'RRSIG' && !fitsType(record)),
  );
}

type Why = (one: ServerVerdict, evidence: Evidence) => Words;

const WHY: Readonly<Partial<Record<BogusReason, Why>>> = {
  'wrong-signer': (one) => ({
    problem: signerWords(one),
    advice: isByTheChild(one.exchanged)
      ? 'Make the server answer DS queries from the parent zone, and update its software'
      : 'Sign the zone with its own keys',
  }),
  'unsupported-algorithm': (one) => ({
    problem: algorithmWords(one),
    advice: 'Sign the zone with a usual algorithm, such as ECDSAP256SHA256 (13)',
  }),
  'wrong-key': (one, evidence) => {
    const problem = firstWords(one, evidence, missingKeyWords);
    return problem === undefined
      ? { problem: 'the zone does not publish the key that made them', advice: LOAD_ONE_VERSION }
      : { problem, advice: 'Sign the zone with a valid key that it publishes' };
  },
  'bad-signature': (one, evidence) => {
    const problem = firstWords(one, evidence, malformedWords);
    return problem === undefined
      ? { problem: 'they do not match the data', advice: LOAD_ONE_VERSION }
      : { problem, advice: SIGN_AGAIN };
  },
};

/** RFC 4035 5.3.1: the signer is the zone that has the records. */
function signerWords({ exchanged, zone }: ServerVerdict): string {
  if (isByTheChild(exchanged)) {
    const name = plain(exchanged.question.name);
    return `the zone ${name} itself made them, but DS records belong to its parent`;
  }
  const other = signaturesIn(exchanged).find(({ signature }) => signature.signer !== zone);
  if (other === undefined) return 'another zone made them';
  const { signer } = other.signature;
  if (isBelow(zone, signer)) return `the zone above, ${plain(signer)}, made them`;
  return isAtOrBelow(other.rrset.owner, signer)
    ? `another zone, ${plain(signer)}, made them`
    : `${plain(signer)} made them, which is not a zone above ${plain(other.rrset.owner)}`;
}

/** Whether the zone below a cut answers the DS question for itself (RFC 4035 3.1.4.1). */
function isByTheChild(exchanged: Exchanged): boolean {
  const { name, type } = exchanged.question;
  return type === 'DS' && signaturesIn(exchanged).some(({ signature }) => signature.signer === name);
}

function algorithmWords({ exchanged }: ServerVerdict): string {
  const algorithms = signaturesIn(exchanged).map(({ signature }) => signature.algorithm);
  const distinct = [...new Set(algorithms)].sort((a, b) => a - b);
  return distinct.length === 1
    ? `resolvers do not support algorithm ${distinct[0]}`
    : 'resolvers do not support their algorithms';
}

/** Says what is wrong with a signature by the zone, given the zone's keys. */
type Explain = (signed: Signed, keys: readonly ZoneKey[], zone: Name) => string | undefined;

/** The words for the first RRset all of whose signatures have a fault. */
function firstWords(
  { exchanged, zone }: ServerVerdict,
  evidence: Evidence,
  explain: Explain,
): string | undefined {
  const keys = keysByZone(evidence).get(zone) ?? [];
  const signed = signaturesIn(exchanged).filter(({ signature }) => signature.signer === zone);
  const rrsets = new Set(signed.map(({ rrset }) => rrset));
  for (const rrset of rrsets) {
    const words = signed.filter((one) => one.rrset === rrset).map((one) => explain(one, keys, zone));
    if (!words.includes(undefined)) return words[0];
  }
  return undefined;
}

/** Why a key that the zone publishes does not count. */
function missingKeyWords({ signature }: Signed, keys: readonly ZoneKey[]): string | undefined {
  const { keyTag, algorithm } = signature;
  const tagged = keys.filter(({ tag }) => tag === keyTag);
  const key = tagged.find((one) => one.algorithm === algorithm);
  if (key === undefined) {
    const [other] = tagged;
    return other && `they have algorithm ${algorithm}, but key ${keyTag} has algorithm ${other.algorithm}`;
  }
  if (!isZoneKey(key)) return `key ${keyTag}, which made them, does not have the Zone flag`;
  if (isRevoked(key)) return `key ${keyTag}, which made them, is revoked`;
  return keyFault(key);
}

function keyFault(key: ZoneKey): string | undefined {
  const fault = faultOf(key);
  return fault && `key ${key.tag}, which made them, ${fault}`;
}

/** Why nobody can verify a signature, whatever the data. */
function malformedWords(
  { rrset, signature }: Signed,
  keys: readonly ZoneKey[],
  zone: Name,
): string | undefined {
  const { keyTag, algorithm, labels } = signature;
  const what = asked({ name: rrset.owner, type: rrset.type });
  // RFC 4034 3.1.3: an asterisk in front does not count.
  const most = labelCount(rrset.owner) - (rrset.owner.startsWith('*.') ? 1 : 0);
  if (labels > most)
    return `the signature of ${what} counts ${count(labels, 'label')}, but the name has ${most}`;
  if (labels < labelCount(zone))
    return `the signature of ${what} counts ${count(labels, 'label')}, fewer than the zone has`;
  const fitting = keys.filter((key) => key.tag === keyTag && key.algorithm === algorithm);
  const faults = fitting.map((key) => keyFault(key) ?? lengthFault(signature.signature, key));
  const [fault] = faults;
  return fault === undefined || faults.includes(undefined) ? undefined : fault;

  function lengthFault({ length }: Uint8Array, { publicKey, tag }: ZoneKey): string | undefined {
    const key = publicKeyOf(algorithm, publicKey);
    const right = key && signatureLength(key);
    if (right === undefined || right === length) return undefined;
    return `the signature of ${what} by key ${tag} has ${length} octets instead of ${right}`;
  }
}
