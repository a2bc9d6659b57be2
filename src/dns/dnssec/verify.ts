import { concat } from '../../base/encodings.ts';
import { typeCode } from '../codes.ts';
import { isAtOrBelow, labelCount, labelsOf, type Name, nameFromLabels, nameToWire } from '../name.ts';
import { bigEndian } from '../rdata/fields.ts';
import { fitsType } from '../record.ts';
import { isSupportedAlgorithm } from './crypto.ts';
import { countsAsKey, firstAlike, type Keys, keysOf, zoneKeyIn } from './keys.ts';
import { type BogusReason, furthest } from './reasons.ts';
import { canonicalRdata, type Rrset, rrsetsIn, type Signature, signaturesOf } from './rrset.ts';
import { keysNamed, type SecureTrust } from './trust.ts';
import type { Validation } from './validation.ts';
import { type Bogus, bogus, type ReplyToValidate } from './verdict.ts';

/** Whether one of the keys signed an RRset (RFC 4035 5.3), and if not, how far its best signature came. */
export function verifyRrset(rrset: Rrset, keys: Keys, validation: Validation): Verified | Bogus {
  const failures: BogusReason[] = [];
  let byWildcard: Verified | undefined;
  for (const signature of signaturesOf(rrset)) {
    const reason = failureOf(signature, rrset, keys, validation);
    if (reason !== undefined) failures.push(reason);
    else if (signature.labels === labelsWithoutAsterisk(rrset.owner)) return { kind: 'verified' };
    else byWildcard ??= { kind: 'verified', wildcard: signedOwner(signature, rrset.owner) };
  }
  return byWildcard ?? bogus(furthest(failures));
}

/** An RRset that some key signed. */
export interface Verified {
  readonly kind: 'verified';
  /** The name of the wildcard that made it, if one did (RFC 4035 5.3.4). */
  readonly wildcard?: Name;
}

/** RFC 4035 5.3.1, from top to bottom. */
function failureOf(
  signature: Signature,
  rrset: Rrset,
  { zone, keys }: Keys,
  { time, checks, failed }: Validation,
): BogusReason | undefined {
  const { signer, algorithm, keyTag, inception, expiration, labels } = signature;
  if (signer !== zone || !isAtOrBelow(rrset.owner, zone)) return 'wrong-signer';
  if (!isSupportedAlgorithm(algorithm)) return 'unsupported-algorithm';
  const fitting = keys.filter((key) => key.tag === keyTag && key.algorithm === algorithm);
  if (fitting.length === 0) return 'wrong-key';
  const validity = validityAt(time, inception, expiration);
  if (validity !== 'valid') return validity;
  // A wildcard above the zone is not the zone's.
  if (labels > labelsWithoutAsterisk(rrset.owner) || labels < labelCount(zone)) return 'bad-signature';
  if (canonicalRdata(rrset).length === 0) return 'bad-signature';
  const data = signedData(signature, rrset);
  const isRight = fitting.some((key) => {
    if (failed?.areTooMany) return false;
    const verifies = checks.verify(key, signature, data);
    if (!verifies) failed?.count();
    return verifies;
  });
  return isRight ? undefined : 'bad-signature';
}

/** RFC 4034 3.1.3: neither the root nor an asterisk in front counts. */
function labelsWithoutAsterisk(owner: Name): number {
  return labelCount(owner) - (owner.startsWith('*.') ? 1 : 0);
}

/** RFC 4034 3.1.8.1: the signature's own data, then each record in canonical form and order. */
function signedData(signature: Signature, rrset: Rrset): Uint8Array {
  const owner = nameToWire(signedOwner(signature, rrset.owner));
  const typeAndClass = [bigEndian(typeCode(rrset.type) ?? 0, 16), bigEndian(CLASS_IN, 16)];
  const head = concat([owner, ...typeAndClass, bigEndian(signature.originalTtl, 32)]);
  const records = canonicalRdata(rrset).flatMap((rdata) => [head, bigEndian(rdata.length, 16), rdata]);
  return concat([signature.signedPart, ...records]);
}

const CLASS_IN = 1;

/** RFC 4035 5.3.2: the owner itself, or the wildcard that it was made from. */
export function signedOwner({ labels }: Signature, owner: Name): Name {
  const own = labelsOf(owner);
  if (labels >= labelsWithoutAsterisk(owner)) return owner;
  return nameFromLabels([ASTERISK, ...own.slice(own.length - labels)]);
}

const ASTERISK = Uint8Array.of(0x2a);

/** What became of the question for a zone's DNSKEY RRset. */
export type KeysFound = { readonly kind: 'keys'; readonly keys: Keys } | Bogus;

/**
 * The keys that a reply to (zone, DNSKEY) gives under the zone's trust: svc-model(7), VALIDATING 2. The reply must be
 * usable by svc-model(7), RESOLVER VIEW.
 */
export function validateKeys(
  { claim, answer }: ReplyToValidate,
  zone: Name,
  trust: SecureTrust,
  validation: Validation,
): KeysFound {
  const rrset = claim.kind === 'answer' ? rrsetsIn(answer).find(zone, 'DNSKEY') : undefined;
  return rrset === undefined ? bogus('no-keys') : keysUnder(trust, zone, rrset, validation);
}

/** The keys of a zone's DNSKEY RRset, if one that the zone's trust names signed it (RFC 4035 5.2). */
export function keysUnder(trust: SecureTrust, zone: Name, rrset: Rrset, validation: Validation): KeysFound {
  // Data that do not fit are no keys, but what was signed has them.
  const fitting = rrset.records.every(fitsType) ? canonicalRdata(rrset).map(zoneKeyIn) : [];
  const keys = firstAlike(fitting.filter((key) => countsAsKey(key) && isSupportedAlgorithm(key.algorithm)));
  const named = keysNamed(trust, zone, keys, validation.digest);
  if (named.length === 0) return bogus('no-matching-ds');
  const verified = verifyRrset(rrset, keysOf(zone, named), validation);
  return verified.kind === 'bogus' ? verified : { kind: 'keys', keys: keysOf(zone, keys) };
}

/** Where a moment is, seen from a signature's validity, both bounds inclusive. */
type Validity = 'not-yet-valid' | 'expired' | 'valid';

/**
 * Where a moment in seconds since 1970 is. Inception and expiration have 32 bits and compare as serial
 * numbers (RFC 4034 3.1.5, RFC 1982 3.2): what is less than 2³¹ ahead comes later.
 */
export function validityAt(seconds: number, inception: number, expiration: number): Validity {
  if (isAfter(inception, seconds)) return 'not-yet-valid';
  return isAfter(seconds, expiration) ? 'expired' : 'valid';
}

function isAfter(a: number, b: number): boolean {
  const ahead = (((a - b) % 2 ** 32) + 2 ** 32) % 2 ** 32;
  return ahead > 0 && ahead < 2 ** 31;
}
