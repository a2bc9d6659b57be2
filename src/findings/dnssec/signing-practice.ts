/* Checks whether a zone that verifies is signed well. */

import { type Rrset, type Signature, signaturesOf } from '../../dns/dnssec/rrset.ts';
import { validityAt } from '../../dns/dnssec/verify.ts';
import { isAtOrBelow, type Name } from '../../dns/name.ts';
import { fitsType, type ResourceRecord } from '../../dns/record.ts';
import { asked, plain } from '../../document/words/names.ts';
import { count, thousands } from '../../document/words/quantities.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Checks, inZone, type Words } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import {
  dayOf,
  rrsetsSignedBy,
  type ServerVerdict,
  type Signed,
  signaturesIn,
  verdictsIn,
} from './verdicts.ts';

/** Is a zone that verifies signed well? */
export const SIGNING_CHECKS = {
  /*
   * A signature of secure data ends within three days, or within the last tenth of its life if that is more. Signatures
   * that live only days, as those do that servers make for each reply, have to be in the last quarter of their life.
   */
  RRSIG_EXPIRES_SOON: inZone({
    when: (evidence) =>
      secureIn(evidence)
        .flatMap(({ zone, exchanged, time }) =>
          endingSoon({ zone, exchanged }, time).map((signed) => ({ zone, exchanged, signed })),
        )
        .sort((a, b) => a.signed.signature.expiration - b.signed.signature.expiration),
    words: ([{ zone, signed }]) => ({
      problem: `The signature of ${asked({ name: signed.rrset.owner, type: signed.rrset.type })} in ${plain(zone)} expires soon, on ${dayOf(signed.signature.expiration)}: validating resolvers reject it from then on`,
      advice: 'Sign the zone again before then, and make every server load the new version',
    }),
  }),
  /*
   * Data that validate have a TTL above the one that was signed, or keep longer in caches than any of their signatures is
   * valid. Signatures that end soon are RRSIG_EXPIRES_SOON's.
   */
  TTL_BEYOND_SIGNATURE: inZone({
    when: (evidence) =>
      secureIn(evidence).flatMap(({ zone, exchanged, time }) => {
        const [words] = wordsBeyond(signedRrsetsIn(exchanged, zone), time);
        return words === undefined ? [] : [{ zone, exchanged, words }];
      }),
    words: ([{ words }]) => words,
  }),
  // Names are hashed more often than once, or with a salt: both cost and protect nothing.
  NSEC3_ITERATIONS: inZone({
    when: (evidence) =>
      verdictsIn(evidence).flatMap(({ zone, exchanged }) => {
        const own = nsec3sIn(exchanged, zone).map(hashingIn);
        const most = greatest(own.map(({ iterations }) => iterations));
        const salt = own.find((one) => one.salt !== NO_SALT)?.salt;
        return most > 0 || salt !== undefined ? [{ zone, exchanged, most, salt }] : [];
      }),
    words: (alike) => {
      const most = greatest(alike.map((one) => one.most));
      const salt = alike.find((one) => one.salt !== undefined)?.salt;
      return {
        severity: most > SOME_REFUSE ? 'warning' : 'notice',
        problem: `${plain(alike[0].zone)} hashes names in NSEC3 records ${hashingWords(most, salt)}`,
        advice: 'Set the iterations to 0, with an empty salt',
      };
    },
  }),
} satisfies Checks;

const DAY = 86_400;

/** The replies that validate, and the time by which they were judged. */
function secureIn(evidence: Evidence): readonly (ServerVerdict & { readonly time: number })[] {
  const time = evidence.scope.dnssec?.time;
  if (time === undefined) return [];
  return verdictsIn(evidence).flatMap((one) => (one.verdict.status === 'secure' ? [{ ...one, time }] : []));
}

function endingSoon(
  { zone, exchanged }: Pick<ServerVerdict, 'zone' | 'exchanged'>,
  time: number,
): readonly Signed[] {
  return signaturesIn(exchanged).filter(
    ({ signature }) => signature.signer === zone && isEndingSoon(signature, time),
  );
}

function isEndingSoon({ inception, expiration }: Signature, time: number): boolean {
  // Serial numbers (RFC 4034 3.1.5).
  const [life, left] = [(expiration - inception) >>> 0, (expiration - time) >>> 0];
  return left <= life && left < soonFor(life);
}

/** In seconds, of a life in seconds. */
function soonFor(life: number): number {
  return Math.max(life / 10, Math.min(3 * DAY, life / 4));
}

/** An RRset, and the signatures on it by its zone. */
interface SignedRrset {
  readonly rrset: Rrset;
  readonly signatures: readonly Signature[];
}

function signedRrsetsIn(exchanged: Exchanged, zone: Name): readonly SignedRrset[] {
  return rrsetsSignedBy(zone, exchanged).map((rrset) => ({
    rrset,
    signatures: signaturesOf(rrset).filter(({ signer }) => signer === zone),
  }));
}

/** Words for each RRset whose TTL goes beyond its signatures. */
function wordsBeyond(rrsets: readonly SignedRrset[], time: number): readonly Words[] {
  return rrsets.flatMap((rrset) => beyondWords(rrset, time) ?? []);
}

function beyondWords({ rrset, signatures }: SignedRrset, time: number): Words | undefined {
  const ttl = greatest(rrset.records.map((record) => record.ttl));
  const original = greatest(signatures.map(({ originalTtl }) => originalTtl));
  const what = asked({ name: rrset.owner, type: rrset.type });
  if (ttl > original)
    return {
      problem: `${what} has a TTL of ${count(ttl, 'second')}, but its signature allows ${thousands(original)}: a cache that does not validate keeps it longer than the zone allows`,
      advice:
        'Sign the zone again after each change of TTLs, and let nothing on the way change the TTLs of signed data',
    };
  if (signatures.some((one) => isEndingSoon(one, time))) return undefined;
  const valid = signatures.filter(
    ({ inception, expiration }) => validityAt(time, inception, expiration) === 'valid',
  );
  const end = greatest(valid.map(({ expiration }) => expiration));
  if (valid.length === 0 || ttl <= (end - time) >>> 0) return undefined;
  return {
    problem: `${what} has a TTL of ${count(ttl, 'second')}, but its signature expires earlier, on ${dayOf(end)}: a cache that does not validate returns it after that, and validating resolvers behind that cache reject it`,
    advice:
      'Renew signatures earlier, or lower the TTL to well below the time for which signatures are valid',
  };
}

/** From so many on, newer resolvers take a zone as unsigned; from the other on all do. */
const [SOME_REFUSE, ALL_REFUSE] = [50, 150];

/** The zone's NSEC3 records in a reply, of which there may be thousands. */
function nsec3sIn({ outcome }: Exchanged, zone: Name): readonly ResourceRecord[] {
  if (outcome.kind !== 'reply') return [];
  return outcome.authority.filter(
    (record) => record.type === 'NSEC3' && fitsType(record) && isAtOrBelow(record.name, zone),
  );
}

/** The greatest of any number of counts; 0 if there are none. */
function greatest(counts: readonly number[]): number {
  return counts.reduce((most, one) => Math.max(most, one), 0);
}

function hashingWords(iterations: number, salt: string | undefined): string {
  const salted = salt === undefined ? '' : `the salt ${salt.slice(0, MOST_DIGITS)}`;
  if (iterations === 0) return `with ${salted}, which makes replies longer and protects nothing`;
  const often = count(iterations, 'extra iteration');
  return `with ${often}${salted && ` and ${salted}`}${consequenceOf(iterations)}`;
}

/** Of a salt, which may have 255 octets. */
const MOST_DIGITS = 16;

function consequenceOf(iterations: number): string {
  if (iterations > ALL_REFUSE) return ', so validating resolvers treat its negative answers as unsigned';
  return iterations > SOME_REFUSE
    ? ', so some validating resolvers treat its negative answers as unsigned'
    : ', which costs servers and resolvers time and protects nothing';
}

const NO_SALT = '-';

/** RFC 5155 3.3: the third field and the fourth. */
function hashingIn({ data }: ResourceRecord): { readonly iterations: number; readonly salt: string } {
  const [, , iterations, salt = NO_SALT] = data.split(' ');
  return { iterations: Number(iterations), salt };
}
