/* Finds keys that are malformed, or whose flags contradict what they sign. */

import { RSA_ALGORITHMS, rsaNumbers } from '../../dns/dnssec/crypto.ts';
import { isRevoked, isZoneKey, type ZoneKey } from '../../dns/dnssec/keys.ts';
import type { Signature } from '../../dns/dnssec/rrset.ts';
import type { Name } from '../../dns/name.ts';
import { listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Checks, inZone } from '../check.ts';
import { type Evidence, oncePer } from '../evidence.ts';
import { dsByZone, keyRepliesByZone } from './ds-records.ts';
import { keysIn } from './key-sets.ts';
import { signaturesIn, verdictsIn } from './verdicts.ts';

/** Are the keys of a zone valid? */
export const KEY_CHECKS = {
  // A key is malformed, or its flags contradict what it signs.
  DNSKEY_INVALID: inZone({
    when: (evidence) =>
      [...keyRepliesByZone(evidence)].flatMap(([zone, replies]) => {
        const signing = signersOf(evidence).get(zone) ?? new Set();
        return replies
          .map((exchanged) => ({ zone, exchanged, faulty: faultyKeysIn(exchanged, zone, signing) }))
          .filter(({ faulty }) => faulty.length > 0);
      }),
    words: (showing, evidence) => {
      const [{ zone }] = showing;
      const all = showing.flatMap(({ faulty }) => faulty);
      const named = new Set(all.map(({ key }) => makerOf(key)));
      const naming = (dsByZone(evidence).get(zone) ?? []).filter(({ records }) =>
        records.some(({ keyTag: tag, algorithm }) => named.has(makerOf({ tag, algorithm }))),
      );
      const words = [...new Set(all.map(({ key, fault }) => `key ${key.tag} ${fault}`))];
      return {
        problem: `${plain(zone)} publishes ${words.length === 1 ? 'an invalid key' : 'invalid keys'}: ${listed(words)}`,
        advice: all.every(({ fault }) => fault === UNPROVEN)
          ? 'Sign the DNSKEY records with the revoked key, too, until it is removed'
          : 'Replace the key, and the DS record at the parent if one names it, and sign the zone again',
        proof: [...showing, ...naming].map(({ exchanged }) => exchanged),
      };
    },
  }),
} satisfies Checks;

/** RFC 5011 2.1: only its own signature shows that a key is revoked. */
const UNPROVEN =
  'is revoked, but does not sign the DNSKEY records, so resolvers that hold it as a trust anchor go on trusting it';

/** Whether some of these replies are signed with a faulty key of a zone in some of these DNSKEY replies. */
export function areSignedByFaultyKeys(
  signed: Iterable<Exchanged>,
  zone: Name,
  published: readonly Exchanged[],
): boolean {
  const faulty = new Set(
    published
      .flatMap((exchanged) => keysIn(exchanged, zone))
      .filter((key) => faultOf(key) !== undefined || !isZoneKey(key))
      .map(makerOf),
  );
  return [...signed].flatMap(signaturesIn).some(({ signature }) => faulty.has(makerBy(signature)));
}

function faultyKeysIn(
  exchanged: Exchanged,
  zone: Name,
  signing: ReadonlySet<string>,
): readonly { readonly key: ZoneKey; readonly fault: string }[] {
  const keys = keysIn(exchanged, zone);
  const over = signaturesIn(exchanged).filter(({ rrset }) => rrset.type === 'DNSKEY' && rrset.owner === zone);
  const selfSigning = new Set(over.map(({ signature }) => makerBy(signature)));
  const right = new Set(keys.filter(isZoneKey).map(makerOf));
  // What strips signatures may have stripped that one, and of many not all are read.
  const [first] = over;
  const areAllRead = first !== undefined && over.length === first.rrset.signatures.length;
  return keys.flatMap((key) => {
    const maker = makerOf(key);
    const isMisused = !isZoneKey(key) && signing.has(maker) && !right.has(maker);
    const isUnproven = areAllRead && isRevoked(key) && !selfSigning.has(maker);
    const fault =
      faultOf(key) ??
      (isMisused ? 'signs without the Zone flag' : undefined) ??
      (isUnproven ? UNPROVEN : undefined);
    return fault === undefined ? [] : [{ key, fault }];
  });
}

/** By zone: tag and algorithm of the keys that made its signatures. */
const signersOf = oncePer((evidence: Evidence): ReadonlyMap<Name, ReadonlySet<string>> => {
  const makers = new Map<Name, Set<string>>();
  for (const { exchanged } of verdictsIn(evidence)) {
    for (const { signature } of signaturesIn(exchanged)) {
      const known = makers.get(signature.signer);
      if (known === undefined) makers.set(signature.signer, new Set([makerBy(signature)]));
      else known.add(makerBy(signature));
    }
  }
  return makers;
});

/** The tag and algorithm by which signatures and DS records identify a key. */
function makerOf({ tag, algorithm }: Pick<ZoneKey, 'tag' | 'algorithm'>): string {
  return `${tag} ${algorithm}`;
}

function makerBy({ keyTag, algorithm }: Signature): string {
  return makerOf({ tag: keyTag, algorithm });
}

/** What is wrong with a key's own octets, as a predicate. */
export function faultOf({ protocol, algorithm, publicKey }: ZoneKey): string | undefined {
  if (protocol !== DNSSEC_PROTOCOL) return `has protocol ${protocol} instead of ${DNSSEC_PROTOCOL}`;
  if (publicKey.length === 0) return 'is empty';
  if (RSA_ALGORITHMS.has(algorithm)) return rsaFault(publicKey);
  const length = LENGTHS.get(algorithm);
  if (length !== undefined && publicKey.length !== length)
    return `has ${publicKey.length} octets, but algorithm ${algorithm} needs ${length}`;
  return undefined;
}

/** RFC 4034 2.1.2. */
const DNSSEC_PROTOCOL = 3;

/** Octets of a public key, by algorithm (RFC 6605 4, RFC 8080 3). */
const LENGTHS: ReadonlyMap<number, number> = new Map([
  [13, 64],
  [14, 96],
  [15, 32],
  [16, 57],
]);

/** Octets of the longest modulus (RFC 3110 2). */
const MOST_MODULUS = 512;

function rsaFault(publicKey: Uint8Array): string | undefined {
  const { exponent, modulus } = rsaNumbers(publicKey);
  if (exponent.length === 0 || modulus.length === 0) return 'lacks an RSA exponent or modulus';
  if (exponent[0] === 0 || modulus[0] === 0) return 'has an RSA exponent or modulus that begins with a zero';
  return modulus.length > MOST_MODULUS ? 'has an RSA modulus of more than 4096 bits' : undefined;
}
