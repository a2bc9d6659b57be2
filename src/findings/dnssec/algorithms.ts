/* Checks with which algorithms and keys a zone is signed. */

import { countsAsKey, type ZoneKey } from '../../dns/dnssec/keys.ts';
import { type Rrset, signaturesOf } from '../../dns/dnssec/rrset.ts';
import type { Name } from '../../dns/name.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { asked, plain } from '../../document/words/names.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import type { Checks, Draft } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { dsByZone, keyRepliesByZone } from './ds-records.ts';
import { faultOf, RSA_ALGORITHMS, rsaNumbers } from './key-faults.ts';
import { keysIn } from './key-sets.ts';
import { type ServerVerdict, signaturesIn, verdictsIn } from './verdicts.ts';

/** Is a zone signed with every algorithm that it promises, and with strong ones? */
export const ALGORITHM_CHECKS = {
  ALGORITHM_INCOMPLETE: algorithmIncomplete,
  ALGORITHM_WEAK: algorithmWeak,
} satisfies Checks;

/** An RRset without a signature by an algorithm that it should have one by. */
interface Lacking {
  readonly zone: Name;
  readonly algorithm: number;
  /** What has the algorithm, in words. */
  readonly promisedBy: 'its DS records' | 'its keys';
  readonly rrset: string;
  readonly proof: readonly Exchanged[];
}

/**
 * ALGORITHM_INCOMPLETE: what validates lacks a signature by an algorithm of the zone's DS records (its keys) or of its
 * keys (everything else), in the midst of a rollover, too. Resolvers may do without (RFC 6840 5.11), zones must not.
 */
function algorithmIncomplete(evidence: Evidence): readonly Draft[] {
  const secure = verdictsIn(evidence).filter(({ verdict }) => verdict.status === 'secure');
  const lacking = secure.flatMap((one) => [
    ...lackingOverKeys(one, evidence),
    ...lackingOverData(one, evidence),
  ]);
  return grouped(lacking, ({ zone }) => zone).map((inZone): Draft => {
    const [{ zone }] = inZone;
    const words = grouped(inZone, ({ algorithm }) => `${algorithm}`).map((alike) => {
      const promising = new Set(alike.map(({ promisedBy }) => promisedBy));
      const rrsets = new Set(alike.map(({ rrset }) => rrset));
      return `by algorithm ${alike[0].algorithm} (of ${listed([...promising])}) over ${listed([...rrsets])}`;
    });
    return {
      zone,
      problem: `${plain(zone)} has no signature ${listed(words)}: a validating resolver that wants one by each algorithm rejects its data`,
      advice:
        'Sign every RRset with every algorithm; in a change of algorithm, add signatures first, then the key, then the DS record, and remove them in reverse',
      proof: [...new Set(inZone.flatMap(({ proof }) => proof))],
    };
  });
}

/** RFC 4035 2.2: the DNSKEY RRset is signed by each algorithm of the DS RRset. */
function lackingOverKeys({ exchanged, zone }: ServerVerdict, evidence: Evidence): readonly Lacking[] {
  const { name, type } = exchanged.question;
  const rrset = rrsetsSignedBy(zone, exchanged).find((one) => one.type === 'DNSKEY' && one.owner === zone);
  if (type !== 'DNSKEY' || name !== zone || rrset === undefined) return [];
  const own = new Set(keysIn(exchanged, zone).map(({ algorithm }) => algorithm));
  const given = dsByZone(evidence).get(zone) ?? [];
  const named = new Set(given.flatMap(({ records }) => records.map(({ algorithm }) => algorithm)));
  return missingIn(rrset, zone, named).map((algorithm) => ({
    zone,
    algorithm,
    promisedBy: 'its DS records',
    rrset: wordsFor(rrset),
    // Without such a key it is the DS record that is wrong.
    proof: own.has(algorithm) ? [exchanged] : [exchanged, ...given.map((one) => one.exchanged)],
  }));
}

/** RFC 4035 2.2: every RRset is signed by each algorithm of the DNSKEY RRset that the same server has. */
function lackingOverData({ exchanged, zone }: ServerVerdict, evidence: Evidence): readonly Lacking[] {
  const there = keyRepliesByZone(evidence)
    .get(zone)
    ?.find(({ address }) => address === exchanged.address);
  if (there === undefined) return [];
  const counting = keysIn(there, zone).filter((key) => countsAsKey(key) && faultOf(key) === undefined);
  const algorithms = new Set(counting.map(({ algorithm }) => algorithm));
  const others = rrsetsSignedBy(zone, exchanged).filter(({ type }) => type !== 'DNSKEY');
  return others.flatMap((rrset) =>
    missingIn(rrset, zone, algorithms).map(
      (algorithm): Lacking => ({
        zone,
        algorithm,
        promisedBy: 'its keys',
        rrset: wordsFor(rrset),
        proof: [exchanged],
      }),
    ),
  );
}

function rrsetsSignedBy(zone: Name, exchanged: Exchanged): readonly Rrset[] {
  const signed = signaturesIn(exchanged).filter(({ signature }) => signature.signer === zone);
  return [...new Set(signed.map(({ rrset }) => rrset))];
}

/** Those algorithms that no signature uses; none if some signatures were not read. */
function missingIn(rrset: Rrset, zone: Name, algorithms: ReadonlySet<number>): readonly number[] {
  const signatures = signaturesOf(rrset);
  if (signatures.length < rrset.signatures.length) return [];
  const own = new Set(signatures.filter(({ signer }) => signer === zone).map(({ algorithm }) => algorithm));
  return [...algorithms].filter((algorithm) => !own.has(algorithm)).sort((a, b) => a - b);
}

function wordsFor({ owner, type }: Rrset): string {
  return asked({ name: owner, type });
}

/** What is weak about a zone, in words, and the replies that show it. */
interface Weakness {
  readonly zone: Name;
  readonly severity: 'warning' | 'notice';
  readonly words: string;
  readonly exchanged: Exchanged;
}

/** ALGORITHM_WEAK: signatures or digests with SHA-1, or short RSA keys. Some validators do not count the weakest. */
function algorithmWeak(evidence: Evidence): readonly Draft[] {
  const all = [...weakKeys(evidence), ...weakDigests(evidence)];
  return grouped(all, ({ zone }) => zone).map((inZone): Draft => {
    const [{ zone }] = inZone;
    const isWorse = inZone.some(({ severity }) => severity === 'warning');
    const words = [...new Set(inZone.map((one) => one.words))];
    return {
      zone,
      severity: isWorse ? 'warning' : 'notice',
      problem: `${plain(zone)} uses ${isWorse ? 'weak cryptography' : 'cryptography that is no longer recommended'}: ${listed(words)}`,
      advice: USE_ANOTHER,
      proof: [...new Set(inZone.map(({ exchanged }) => exchanged))],
    };
  });
}

const USE_ANOTHER =
  'Roll over to ECDSAP256SHA256 (algorithm 13), and to DS records with SHA-256 alone (digest type 2)';

function weakKeys(evidence: Evidence): readonly Weakness[] {
  return [...keyRepliesByZone(evidence)].flatMap(([zone, replies]) =>
    replies.flatMap((exchanged) =>
      keysIn(exchanged, zone).flatMap((key) => {
        const weakness = weaknessOf(key);
        return weakness === undefined ? [] : [{ ...weakness, zone, exchanged }];
      }),
    ),
  );
}

/** RSASHA1 and RSASHA1-NSEC3-SHA1 (RFC 9905 2). */
const SHA1_ALGORITHMS: ReadonlySet<number> = new Set([5, 7]);

/** Bits of a modulus: what anybody with the means can break, and what is thought safe for years. */
const [SHORT_BITS, SAFE_BITS] = [1_024, 2_048];

function weaknessOf({
  tag,
  algorithm,
  publicKey,
}: ZoneKey): Pick<Weakness, 'severity' | 'words'> | undefined {
  const bits = RSA_ALGORITHMS.has(algorithm) ? rsaNumbers(publicKey).modulus.length * 8 : SAFE_BITS;
  if (SHA1_ALGORITHMS.has(algorithm))
    return { severity: 'warning', words: `key ${tag} uses SHA-1 (algorithm ${algorithm})` };
  // A key without any modulus is malformed, not short.
  if (bits === 0 || bits >= SAFE_BITS) return undefined;
  return bits < SHORT_BITS
    ? { severity: 'warning', words: `key ${tag} has only ${bits} bits` }
    : { severity: 'notice', words: `key ${tag} has ${bits} bits instead of 2048` };
}

const SHA1_DIGEST = 1;

/** DS records with SHA-1: the only ones of a zone, or beside better ones, which resolvers prefer (RFC 4509 3). */
function weakDigests(evidence: Evidence): readonly Weakness[] {
  return [...dsByZone(evidence).values()]
    .flat()
    .flatMap(({ zone, exchanged, records }): readonly Weakness[] => {
      const weak = records.filter(({ digestType }) => digestType === SHA1_DIGEST);
      if (weak.length === 0) return [];
      return weak.length === records.length
        ? [{ zone, exchanged, severity: 'warning', words: 'its DS records have only SHA-1 digests' }]
        : [
            {
              zone,
              exchanged,
              severity: 'notice',
              words: 'a DS record has a SHA-1 digest beside a better one',
            },
          ];
    });
}
