/* Checks whether a zone that verifies is signed well. */

import type { ZoneKey } from '../../dns/dnssec/keys.ts';
import { isAtOrBelow, type Name } from '../../dns/name.ts';
import { fitsType } from '../../dns/record.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { count } from '../../document/words/quantities.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import type { Checks, Draft } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { byZone, keysIn } from './key-sets.ts';
import { dayOf, dsRrsetsIn, type ServerVerdict, type Signed, signaturesIn, verdictsIn } from './verdicts.ts';

/** Is a zone that verifies signed well? */
export const SIGNING_CHECKS = {
  RRSIG_EXPIRES_SOON: expiresSoon,
  ALGORITHM_WEAK: algorithmWeak,
  NSEC3_ITERATIONS: nsec3Iterations,
} satisfies Checks;

const DAY = 86_400;

/**
 * RRSIG_EXPIRES_SOON: a signature of secure data ends within three days, or within the last tenth of its life if that
 * is more. Signatures that live only days, as those do that servers make for each reply, have to be in the last
 * quarter of their life.
 */
function expiresSoon(evidence: Evidence): readonly Draft[] {
  const time = evidence.scope.dnssec?.time;
  if (time === undefined) return [];
  const secure = verdictsIn(evidence).filter(({ verdict }) => verdict.status === 'secure');
  return grouped(secure, ({ zone }) => zone).flatMap((inZone): readonly Draft[] => {
    const ending = inZone.flatMap(({ zone, server, exchanged }) =>
      endingSoon({ zone, exchanged }, time).map((signed) => ({ server, exchanged, signed })),
    );
    const [first] = ending.sort((a, b) => a.signed.signature.expiration - b.signed.signature.expiration);
    if (first === undefined) return [];
    const [{ zone }] = inZone;
    const { owner, type } = first.signed.rrset;
    return [
      {
        zone,
        problem: `The signature of ${plain(owner)} ${type} in ${plain(zone)} expires soon, on ${dayOf(first.signed.signature.expiration)}: validating resolvers reject it from then on`,
        advice: 'Sign the zone again before then, and make every server load the new version',
        proof: [...new Set(ending.map(({ exchanged }) => exchanged))],
      },
    ];
  });
}

function endingSoon(
  { zone, exchanged }: Pick<ServerVerdict, 'zone' | 'exchanged'>,
  time: number,
): readonly Signed[] {
  return signaturesIn(exchanged).filter(({ signature: { signer, inception, expiration } }) => {
    // Serial numbers (RFC 4034 3.1.5).
    const [life, left] = [(expiration - inception) >>> 0, (expiration - time) >>> 0];
    return signer === zone && left <= life && left < soonFor(life);
  });
}

/** In seconds, of a life in seconds. */
function soonFor(life: number): number {
  return Math.max(life / 10, Math.min(3 * DAY, life / 4));
}

/** ALGORITHM_WEAK: signatures or digests with SHA-1, or short RSA keys, which some validators do not count. */
function* algorithmWeak(evidence: Evidence): Iterable<Draft> {
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
}

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
function weakDigests(evidence: Evidence): readonly Draft[] {
  const withDs = verdictsIn(evidence).flatMap(({ exchanged }) => {
    return dsRrsetsIn(exchanged).map(({ owner, records }) => ({
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
    const problem = `The DS records of ${plain(first.owner)} have only SHA-1 digests`;
    return [
      { zone: first.owner, problem, advice: USE_ANOTHER, proof: weak.map(({ exchanged }) => exchanged) },
    ];
  });
}

const SHA1_DIGEST = '1';

/** RFC 4034 5.3: the third field. */
function digestOf({ data }: { readonly data: string }): string {
  return data.split(' ')[2] ?? '';
}

/** From so many on, newer resolvers take a zone as unsigned; from the other on all do. */
const [SOME_REFUSE, ALL_REFUSE] = [50, 150];

/** NSEC3_ITERATIONS: names are hashed more often than once, which costs time and protects nothing. */
function nsec3Iterations(evidence: Evidence): readonly Draft[] {
  const repeated = verdictsIn(evidence).flatMap(({ zone, exchanged }) => {
    const most = mostIterations(exchanged, zone);
    return most > 0 ? [{ zone, exchanged, most }] : [];
  });
  return grouped(repeated, ({ zone }) => zone).map((alike): Draft => {
    const [{ zone }] = alike;
    const most = greatest(alike.map((one) => one.most));
    return {
      zone,
      severity: most > SOME_REFUSE ? 'warning' : 'notice',
      problem: `${plain(zone)} hashes names in NSEC3 records with ${count(most, 'extra iteration')}${consequenceOf(most)}`,
      advice: 'Set the iterations to 0, with an empty salt',
      proof: [...new Set(alike.map(({ exchanged }) => exchanged))],
    };
  });
}

/** Of the zone's NSEC3 records in a reply, of which there may be thousands; 0 if there are none. */
function mostIterations({ outcome }: Exchanged, zone: Name): number {
  if (outcome.kind !== 'reply') return 0;
  const own = outcome.authority.filter(
    (record) => record.type === 'NSEC3' && fitsType(record) && isAtOrBelow(record.name, zone),
  );
  return greatest(own.map(({ data }) => iterationsIn(data)));
}

/** The greatest of any number of counts. */
function greatest(counts: readonly number[]): number {
  return counts.reduce((most, one) => Math.max(most, one), 0);
}

function consequenceOf(iterations: number): string {
  if (iterations > ALL_REFUSE) return ', so validating resolvers treat its negative answers as unsigned';
  return iterations > SOME_REFUSE
    ? ', so some validating resolvers treat its negative answers as unsigned'
    : ', which costs servers and resolvers time and protects nothing';
}

/** RFC 5155 3.3: the third field. */
function iterationsIn(data: string): number {
  return Number(data.split(' ')[2]);
}
