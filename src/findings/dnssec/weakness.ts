import { grouped } from '../../reading/grouped.ts';
import { listed } from '../../reading/words/listed.ts';
import { plain } from '../../reading/words/names.ts';
import { rrsetsIn } from '../../validate/rrset.ts';
import type { ZoneKey } from '../../validate/zone-key.ts';
import { fitsType } from '../../wire/record.ts';
import type { Check, Draft } from '../check.ts';
import { judgementsIn } from './judgements.ts';
import { byZone, keysIn } from './key-sets.ts';

/** ALGORITHM_WEAK: signatures or digests with SHA-1, or short RSA keys, which some validators do not count. */
export const algorithmWeak: Check = function* (evidence) {
  for (const asked of byZone(evidence)) {
    const [{ zone }] = asked;
    const showing = asked.filter(({ exchanged }) => keysIn(exchanged, zone).some(isWeak));
    const [first] = showing;
    if (first === undefined) continue;
    const weak = keysIn(first.exchanged, zone).filter(isWeak).map(weaknessOf);
    yield {
      zone,
      problem: `${plain(zone)} is signed with weak keys: ${listed([...new Set(weak)])}`,
      advice: USE_ANOTHER,
      proof: showing.map(({ exchanged }) => exchanged),
    };
  }
  yield* weakDigests(evidence);
};

const USE_ANOTHER = 'Roll over to ECDSAP256SHA256 (algorithm 13), and to DS records with SHA-256 (digest 2)';

/** RSASHA1 and RSASHA1-NSEC3-SHA1 (RFC 9905). */
const SHA1_ALGORITHMS: ReadonlySet<number> = new Set([5, 7]);
const RSA_ALGORITHMS: ReadonlySet<number> = new Set([5, 7, 8, 10]);

const SHORT_BITS = 1_024;

function isWeak(key: ZoneKey): boolean {
  return SHA1_ALGORITHMS.has(key.algorithm) || isShort(key);
}

function weaknessOf(key: ZoneKey): string {
  const { tag, algorithm } = key;
  return isShort(key)
    ? `key ${tag} has only ${modulusBits(key)} bits`
    : `key ${tag} uses SHA-1 (algorithm ${algorithm})`;
}

function isShort(key: ZoneKey): boolean {
  return RSA_ALGORITHMS.has(key.algorithm) && modulusBits(key) < SHORT_BITS;
}

/** RFC 3110 2: the length of the exponent in one octet, or in the two after a zero; the exponent; the modulus. */
function modulusBits({ publicKey }: ZoneKey): number {
  const [short = 0, high = 0, low = 0] = publicKey;
  const start = short === 0 ? 3 + high * 256 + low : 1 + short;
  return Math.max(0, publicKey.length - start) * 8;
}

/** Zones whose DS records have no digest but SHA-1. */
const weakDigests: Check = (evidence) => {
  const withDs = judgementsIn(evidence).flatMap(({ exchanged }) => {
    const { outcome } = exchanged;
    if (outcome.kind !== 'reply') return [];
    const rrsets = [outcome.answer, outcome.authority].flatMap((section) => rrsetsIn(section).ofType('DS'));
    return rrsets.map(({ owner, records }) => ({
      owner,
      exchanged,
      digests: records.filter(fitsType).map(digestOf),
    }));
  });
  return grouped(withDs, ({ owner }) => owner).flatMap((alike): readonly Draft[] => {
    const weak = alike.filter(
      ({ digests }) => digests.length > 0 && digests.every((digest) => digest === SHA1_DIGEST),
    );
    const [first] = weak;
    if (first === undefined) return [];
    const problem = `The DS records of ${plain(first.owner)} have no digest but SHA-1`;
    return [
      { zone: first.owner, problem, advice: USE_ANOTHER, proof: weak.map(({ exchanged }) => exchanged) },
    ];
  });
};

const SHA1_DIGEST = '1';

/** RFC 4034 5.3: the third field. */
function digestOf({ data }: { readonly data: string }): string {
  return data.split(' ')[2] ?? '';
}
