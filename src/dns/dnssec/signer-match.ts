/* Compares DS records, or trust anchors, with the keys of a zone. */

import type { Name } from '../name.ts';
import { compareOctets } from './canonical.ts';
import type { Primitives } from './crypto.ts';
import { countsAsKey, isRevoked, unrevoked, type ZoneKey } from './keys.ts';
import { type DelegationSigner, keysByDs, type SecureTrust } from './trust.ts';

/** How a DS record, or a trust anchor, relates to the keys that a zone publishes: why it names none that counts. */
type SignerMatch =
  /** A key that counts (or would, if its algorithm were supported). */
  | { readonly kind: 'match'; readonly key: ZoneKey }
  /** The key is there, and revoked (RFC 5011 2.1), which gave it another tag. */
  | { readonly kind: 'revoked'; readonly key: ZoneKey }
  /** The key is there, but is no zone key, or has another protocol (RFC 4034 2.1). */
  | { readonly kind: 'no-zone-key'; readonly key: ZoneKey }
  /** Tag and algorithm are those of a key, its digest is not. */
  | { readonly kind: 'other-digest'; readonly key: ZoneKey }
  /** The tag is that of a key of another algorithm. */
  | { readonly kind: 'other-algorithm'; readonly key: ZoneKey }
  | { readonly kind: 'no-key' };

/** What names keys, with its relation to the keys of the zone. */
export interface MatchedSigner {
  readonly tag: number;
  readonly algorithm: number;
  /** The DS record; absent for a key that is a trust anchor itself. */
  readonly signer?: DelegationSigner;
  readonly match: SignerMatch;
}

/** Each DS record and trust anchor that counts, and the key of the zone that comes nearest to it. */
export function matchedSigners(
  { signers, keys: anchors }: SecureTrust,
  zone: Name,
  keys: readonly ZoneKey[],
  digest: Primitives['digest'],
): readonly MatchedSigner[] {
  const before = new Map(keys.filter(isRevoked).map((key) => [unrevoked(key), key]));
  const known = [...keys, ...before.keys()];
  const namedBy = keysByDs(zone, known, digest);
  const matchOf = (named: ZoneKey | undefined, tag: number, algorithm: number): SignerMatch => {
    if (named === undefined) return nearest(keys, tag, algorithm);
    const revoked = before.get(named);
    return revoked === undefined ? { kind: kindOf(named), key: named } : { kind: 'revoked', key: revoked };
  };
  return [
    ...signers.map((signer) => {
      const { keyTag: tag, algorithm } = signer;
      return { tag, algorithm, signer, match: matchOf(namedBy(signer)[0], tag, algorithm) };
    }),
    ...anchors.map(({ tag, algorithm, rdata }) => {
      const named = known.find((key) => compareOctets(key.rdata, rdata) === 0);
      return { tag, algorithm, match: matchOf(named, tag, algorithm) };
    }),
  ];
}

/** The key that comes nearest to what names none. */
function nearest(keys: readonly ZoneKey[], tag: number, algorithm: number): SignerMatch {
  const alike = keys.filter((key) => key.tag === tag);
  const [key] = [...alike.filter((one) => one.algorithm === algorithm), ...alike];
  if (key === undefined) return { kind: 'no-key' };
  return { kind: key.algorithm === algorithm ? 'other-digest' : 'other-algorithm', key };
}

function kindOf(key: ZoneKey): 'match' | 'revoked' | 'no-zone-key' {
  if (countsAsKey(key)) return 'match';
  return isRevoked(key) ? 'revoked' : 'no-zone-key';
}
