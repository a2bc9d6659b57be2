import type { Name } from '../name.ts';
import { compareOctets } from './canonical.ts';
import { digestKindOf, type Primitives } from './crypto.ts';
import { countsAsKey, isRevoked, unrevoked, type ZoneKey } from './keys.ts';
import { type DelegationSigner, keyDigest, type SecureTrust } from './trust.ts';

/** How a DS record, or a trust anchor, relates to the keys that a zone publishes: why it names none that counts. */
export type SignerMatch =
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
  /** Of a DS record; absent for a key that is a trust anchor itself. */
  readonly digestType?: number;
  readonly match: SignerMatch;
}

/** Each DS record and trust anchor that counts, and the key of the zone that comes nearest to it. */
export function matchedSigners(
  { signers, keys: anchors }: SecureTrust,
  zone: Name,
  keys: readonly ZoneKey[],
  digest: Primitives['digest'],
): readonly MatchedSigner[] {
  return [
    ...signers.map(({ keyTag: tag, algorithm, digestType, digest: expected }) => {
      const isNamed = (key: ZoneKey) => {
        const kind = digestKindOf(digestType);
        if (kind === undefined || key.algorithm !== algorithm || key.tag !== tag) return false;
        return compareOctets(keyDigest(zone, key, kind, digest), expected) === 0;
      };
      return { tag, algorithm, digestType, match: matchAmong(keys, { tag, algorithm, isNamed }) };
    }),
    ...anchors.map(({ tag, algorithm, rdata }) => {
      const isNamed = (key: ZoneKey) => compareOctets(key.rdata, rdata) === 0;
      return { tag, algorithm, match: matchAmong(keys, { tag, algorithm, isNamed }) };
    }),
  ];
}

interface Naming extends Pick<DelegationSigner, 'algorithm'> {
  readonly tag: number;
  readonly isNamed: (key: ZoneKey) => boolean;
}

function matchAmong(keys: readonly ZoneKey[], { tag, algorithm, isNamed }: Naming): SignerMatch {
  const named = keys.find(isNamed);
  if (named !== undefined) return { kind: kindOf(named), key: named };
  const revoked = keys.find((key) => isRevoked(key) && isNamed(unrevoked(key)));
  if (revoked !== undefined) return { kind: 'revoked', key: revoked };
  const alike = keys.filter((key) => key.tag === tag);
  const [nearest] = [...alike.filter((key) => key.algorithm === algorithm), ...alike];
  if (nearest === undefined) return { kind: 'no-key' };
  return { kind: nearest.algorithm === algorithm ? 'other-digest' : 'other-algorithm', key: nearest };
}

function kindOf(key: ZoneKey): 'match' | 'revoked' | 'no-zone-key' {
  if (countsAsKey(key)) return 'match';
  return isRevoked(key) ? 'revoked' : 'no-zone-key';
}
