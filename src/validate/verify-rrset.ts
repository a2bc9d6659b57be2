import { concat } from '../encodings.ts';
import { isAtOrBelow, labelCount, labelsOf, type Name, nameFromLabels, nameToWire } from '../wire/name.ts';
import { bigEndian } from '../wire/rdata/field.ts';
import { typeCode } from '../wire/type.ts';
import { type Bogus, bogus, furthest } from './bogus.ts';
import type { BogusReason } from './bogus-reason.ts';
import type { Keys } from './keys.ts';
import { isSupportedAlgorithm } from './primitives.ts';
import { canonicalRdata, type Rrset } from './rrset.ts';
import { validityAt } from './serial-time.ts';
import { type Signature, signaturesOf } from './signature.ts';
import type { Validation } from './validation.ts';

/** An RRset that some key signed. */
export interface Verified {
  readonly kind: 'verified';
  /** The name of the wildcard that made it, if one did (RFC 4035 5.3.4). */
  readonly wildcard?: Name;
}

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
function signedOwner({ labels }: Signature, owner: Name): Name {
  const own = labelsOf(owner);
  if (labels >= labelsWithoutAsterisk(owner)) return owner;
  return nameFromLabels([ASTERISK, ...own.slice(own.length - labels)]);
}

const ASTERISK = Uint8Array.of(0x2a);
