import { concat, toHex } from '../../base/encodings.ts';
import { getOrMake } from '../../base/memo.ts';
import { type Name, nameToWire, ROOT } from '../name.ts';
import { fitsType } from '../record.ts';
import { compareOctets, type Data, rdataOctets } from './canonical.ts';
import { type DigestKind, digestKindOf, isSupportedAlgorithm, type Primitives } from './crypto.ts';
import { countsAsKey, type ZoneKey, zoneKeyIn } from './keys.ts';
import type { InsecureReason } from './reasons.ts';

/**
 * What names the keys by which a zone's own keys are believed, or that nothing does: T in svc-model(7), VALIDATING.
 * Only what counts is in it. `id` is equal exactly for equal trust in a zone.
 */
export type Trust = Insecure | SecureTrust;

interface Insecure {
  readonly kind: 'insecure';
  readonly id: 'insecure';
  /** Of several reasons one; absent where there is none to name, as where a delegation is merely planned. */
  readonly why?: Insecurity;
}

/** Trust that names keys: by their digests, or (trust anchors alone) themselves. */
export interface SecureTrust {
  readonly kind: 'secure';
  readonly signers: readonly DelegationSigner[];
  readonly keys: readonly ZoneKey[];
  readonly id: string;
}

/** A DS record's data (RFC 4034 5.1). */
export interface DelegationSigner {
  readonly keyTag: number;
  readonly algorithm: number;
  readonly digestType: number;
  readonly digest: Uint8Array;
}

/** Nothing names keys: whatever the zone says is neither proven nor forged. */
export const INSECURE: Trust = { kind: 'insecure', id: 'insecure' };

/** The same for this reason. */
export function insecureTrust(why: Insecurity): Trust {
  return { kind: 'insecure', id: 'insecure', why };
}

/**
 * The trust in a zone that its DS records give, and (trust anchors alone) DNSKEY records: `insecure` if none of them
 * counts. Records of other types, and data that do not fit, do not count.
 */
export function trustFrom(records: Iterable<Data>, zone = ROOT): Trust {
  const fitting = [...records].filter(fitsType);
  const ofType = (wanted: string) =>
    fitting
      .filter(({ type }) => type === wanted)
      .map(rdataOctets)
      .filter((octets) => octets !== undefined);
  const published = ofType('DS').map(signerIn);
  const signers = published.filter(isSupported);
  const keys = ofType('DNSKEY').map(zoneKeyIn);
  const counting = keys.filter((key) => countsAsKey(key) && isSupportedAlgorithm(key.algorithm));
  return signers.length === 0 && counting.length === 0
    ? insecureTrust({ reason: 'unsupported-ds', zone, ...unsupported(published) })
    : trustBy(withoutWeaker(signers), counting);
}

/** The algorithms and digests for which DS records do not count. */
function unsupported(signers: readonly DelegationSigner[]): {
  readonly algorithms: readonly number[];
  readonly digests: readonly number[];
} {
  const algorithms = signers.map(({ algorithm }) => algorithm).filter((one) => !isSupportedAlgorithm(one));
  const digests = signers.map(({ digestType }) => digestType).filter((one) => !isSupportedDigest(one));
  return { algorithms: inOrder(algorithms), digests: inOrder(digests) };
}

function inOrder(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function trustBy(signers: readonly DelegationSigner[], keys: readonly ZoneKey[]): Trust {
  const texts = [
    ...signers.map(({ keyTag, algorithm, digestType, digest }) =>
      [keyTag, algorithm, digestType, toHex(digest)].join(' '),
    ),
    ...keys.map(({ rdata }) => toHex(rdata)),
  ];
  return { kind: 'secure', signers, keys, id: [...new Set(texts)].sort().join('\n') };
}

/** The DS records of these data, in presentation format, that fit. */
export function signersIn(data: readonly string[]): readonly DelegationSigner[] {
  const records = data.map((one): Data => ({ type: 'DS', data: one })).filter(fitsType);
  return records.map(rdataOctets).flatMap((octets) => (octets === undefined ? [] : [signerIn(octets)]));
}

/** A DS record of its data, which are at least four octets long. */
export function signerIn(octets: Uint8Array): DelegationSigner {
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
  const [keyTag, algorithm, digestType] = [view.getUint16(0), view.getUint8(2), view.getUint8(3)];
  return { keyTag, algorithm, digestType, digest: octets.subarray(4) };
}

/** RFC 4035 5.2: a DS record of an unknown algorithm or digest is as good as none. */
function isSupported({ algorithm, digestType }: DelegationSigner): boolean {
  return isSupportedAlgorithm(algorithm) && isSupportedDigest(digestType);
}

function isSupportedDigest(type: number): boolean {
  return digestKindOf(type) !== undefined;
}

const SHA1 = 1;

/** RFC 4509 3: SHA-1 does not count beside a better digest. */
function withoutWeaker(signers: readonly DelegationSigner[]): readonly DelegationSigner[] {
  const better = signers.filter(({ digestType }) => digestType !== SHA1);
  return better.length > 0 ? better : signers;
}

/** Those of a zone's keys that trust in it names. */
export function keysNamed(
  { signers, keys: anchors }: SecureTrust,
  zone: Name,
  keys: readonly ZoneKey[],
  digest: Primitives['digest'],
): readonly ZoneKey[] {
  const namedBy = keysByDs(zone, keys, digest);
  const named = new Set(signers.flatMap(namedBy));
  return keys.filter(
    (key) => named.has(key) || anchors.some(({ rdata }) => compareOctets(rdata, key.rdata) === 0),
  );
}

/**
 * Finds those of a zone's keys that a DS record names (RFC 4034 5.2): by tag and algorithm alone, if its digest is of a type
 * that is not supported.
 */
export function keysByDs(
  zone: Name,
  keys: readonly ZoneKey[],
  digest: Primitives['digest'],
): (signer: DelegationSigner) => readonly ZoneKey[] {
  const alike = new Map<string, ZoneKey[]>();
  for (const key of keys) getOrMake(alike, `${key.tag} ${key.algorithm}`, (): ZoneKey[] => []).push(key);
  // There may be thousands of DS records for a key, which is digested once for each type.
  const digests = new Map<DigestKind, Map<ZoneKey, Uint8Array>>();
  const digestOf = (key: ZoneKey, kind: DigestKind) =>
    getOrMake(
      getOrMake(digests, kind, () => new Map()),
      key,
      () => keyDigest(zone, key, kind, digest),
    );
  return ({ keyTag, algorithm, digestType, digest: expected }) => {
    const candidates = alike.get(`${keyTag} ${algorithm}`) ?? [];
    const kind = digestKindOf(digestType);
    if (kind === undefined) return candidates;
    return candidates.filter((key) => compareOctets(digestOf(key, kind), expected) === 0);
  };
}

/** The digest by which a DS record names a key: of the owner's name and the key's data (RFC 4034 5.1.4). */
export function keyDigest(
  zone: Name,
  { rdata }: ZoneKey,
  kind: DigestKind,
  digest: Primitives['digest'],
): Uint8Array {
  return digest(kind, concat([nameToWire(zone), rdata]));
}

/**
 * Why something is insecure: nothing can be proven, or the proof leaves room for unsigned data (svc-model(7), VALIDATING).
 * It explains trust and verdicts and is no part of them: equal trust may have several reasons.
 */
export type Insecurity = Reason & {
  /** The zone cut below which nothing is proven; absent for a denial of anything else than DS records. */
  readonly zone?: Name;
  /** The server that proved it; absent until the server is known, and where a zone above is the reason. */
  readonly address?: string;
};

type Reason =
  | { readonly reason: Exclude<InsecureReason, 'unsupported-ds'> }
  /** Those of the zone's DS records that are not supported. */
  | {
      readonly reason: 'unsupported-ds';
      readonly algorithms: readonly number[];
      readonly digests: readonly number[];
    };
