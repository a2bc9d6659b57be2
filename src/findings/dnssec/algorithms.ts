/* Checks with which algorithms and keys a zone is signed. */

import { countsAsKey, rsaBits, type ZoneKey } from '../../dns/dnssec/keys.ts';
import { type Rrset, signaturesOf } from '../../dns/dnssec/rrset.ts';
import type { Name } from '../../dns/name.ts';
import { listed } from '../../document/words/lists.ts';
import { asked, plain } from '../../document/words/names.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Checks, inZone } from '../check.ts';
import { type Evidence, oncePer } from '../evidence.ts';
import { dsByZone, keyRepliesByZone } from './ds-records.ts';
import { faultOf } from './key-faults.ts';
import { keysIn } from './key-sets.ts';
import { rrsetsSignedBy, type ServerVerdict, verdictsIn } from './verdicts.ts';

/** Is a zone signed with every algorithm that it promises, and with strong ones? */
export const ALGORITHM_CHECKS = {
  /*
   * Keys lack a signature by an algorithm of the DS records, or other data by an algorithm of the keys, during a rollover,
   * too. Resolvers must not insist on all (RFC 6840 5.11), but zones must have them.
   */
  ALGORITHM_INCOMPLETE: inZone({
    when: (evidence) =>
      verdictsIn(evidence)
        .filter(({ verdict }) => verdict.status === 'secure')
        .flatMap((one) =>
          [lackingOverKeys(one, evidence), lackingOverData(one, evidence)].filter(
            (found) => found !== undefined,
          ),
        ),
    words: (lacking) => {
      const algorithms = new Set(lacking.flatMap((one) => one.algorithms));
      const words = [...algorithms].map((algorithm) => {
        const alike = lacking.filter((one) => one.algorithms.includes(algorithm));
        const promising = new Set(alike.map(({ promisedBy }) => promisedBy));
        const rrsets = new Set(alike.map(({ rrset }) => rrset));
        return `by algorithm ${algorithm} (of ${listed([...promising])}) over ${listed([...rrsets])}`;
      });
      return {
        problem: `${plain(lacking[0].zone)} has no signature ${listed(words)}: validating resolvers that insist on every algorithm reject its data`,
        advice:
          'Sign every RRset with every algorithm. To change the algorithm, add the new signatures first, then the key, then the DS record, and remove the old ones in reverse order',
        proof: [...new Set(lacking.flatMap(({ proof }) => proof))],
      };
    },
  }),
  // Signatures or digests with SHA-1, or short RSA keys. Some validators ignore the weakest.
  ALGORITHM_WEAK: inZone({
    when: (evidence) => [...weakKeys(evidence), ...weakDigests(evidence)],
    words: (weak) => {
      const isWorse = weak.some(({ severity }) => severity === 'warning');
      const words = [...new Set(weak.map((one) => one.words))];
      return {
        severity: isWorse ? 'warning' : 'notice',
        problem: `${plain(weak[0].zone)} uses ${isWorse ? 'weak cryptography' : 'cryptography that is no longer recommended'}: ${listed(words)}`,
        advice: [...new Set(weak.map((one) => one.advice))].join('. '),
      };
    },
  }),
} satisfies Checks;

/** The first RRset of a reply that lacks signatures by algorithms, which are few enough for a sentence. */
interface Lacking {
  readonly zone: Name;
  readonly algorithms: readonly number[];
  /** What has the algorithms, in words. */
  readonly promisedBy: 'its DS records' | 'its keys';
  readonly rrset: string;
  readonly exchanged: Exchanged;
  readonly proof: readonly Exchanged[];
}

/** RFC 4035 2.2: the DNSKEY RRset is signed by each algorithm of the DS RRset. */
function lackingOverKeys({ exchanged, zone }: ServerVerdict, evidence: Evidence): Lacking | undefined {
  const { name, type } = exchanged.question;
  const isKeys = ({ owner, type }: Rrset) => type === 'DNSKEY' && owner === zone;
  const rrset = rrsetsSignedBy(zone, exchanged).find(isKeys);
  if (type !== 'DNSKEY' || name !== zone || rrset === undefined) return undefined;
  const given = dsByZone(evidence).get(zone) ?? [];
  const named = new Set(given.flatMap(({ records }) => records.map(({ algorithm }) => algorithm)));
  const algorithms = missingIn(rrset, zone, named);
  if (algorithms.length === 0) return undefined;
  const own = new Set(keysIn(exchanged, zone).map(({ algorithm }) => algorithm));
  // Without such a key it is the DS record that is wrong.
  const isKeyThere = algorithms.some((algorithm) => own.has(algorithm));
  const proof = isKeyThere ? [exchanged] : [exchanged, ...given.map((one) => one.exchanged)];
  return { zone, algorithms, promisedBy: 'its DS records', rrset: wordsFor(rrset), exchanged, proof };
}

/** RFC 4035 2.2: every RRset is signed by each algorithm of the DNSKEY RRset that the same server has. */
function lackingOverData({ exchanged, zone }: ServerVerdict, evidence: Evidence): Lacking | undefined {
  const replies = keyRepliesByZone(evidence).get(zone);
  const there = replies?.find(({ address }) => address === exchanged.address);
  if (there === undefined) return undefined;
  const promised = algorithmsIn(there);
  for (const rrset of rrsetsSignedBy(zone, exchanged)) {
    const algorithms = rrset.type === 'DNSKEY' ? [] : missingIn(rrset, zone, promised);
    if (algorithms.length > 0)
      return {
        zone,
        algorithms,
        promisedBy: 'its keys',
        rrset: wordsFor(rrset),
        exchanged,
        proof: [exchanged],
      };
  }
  return undefined;
}

/** The algorithms of a zone's keys that count, in the reply to the question for them. */
const algorithmsIn = oncePer((exchanged: Exchanged): ReadonlySet<number> => {
  const keys = keysIn(exchanged, exchanged.question.name);
  const usable = keys.filter((key) => countsAsKey(key) && faultOf(key) === undefined);
  return new Set(usable.map(({ algorithm }) => algorithm));
});

/** The first of the algorithms that no signature uses; none if some signatures were not read. */
function missingIn(rrset: Rrset, zone: Name, algorithms: ReadonlySet<number>): readonly number[] {
  const signatures = signaturesOf(rrset);
  if (signatures.length < rrset.signatures.length) return [];
  const own = new Set(signatures.filter(({ signer }) => signer === zone).map(({ algorithm }) => algorithm));
  const missing = [...algorithms].filter((algorithm) => !own.has(algorithm));
  return missing.sort((a, b) => a - b).slice(0, MOST_ALGORITHMS);
}

/** More than a sentence names; a hostile zone can have keys of 255. */
const MOST_ALGORITHMS = 8;

function wordsFor({ owner, type }: Rrset): string {
  return asked({ name: owner, type });
}

/** A weakness of a zone, in words, and a reply that shows it. */
interface Weakness {
  readonly zone: Name;
  readonly severity: 'warning' | 'notice';
  readonly words: string;
  readonly advice: string;
  readonly exchanged: Exchanged;
}

const ROLL_OVER = 'Roll over to ECDSAP256SHA256 (algorithm 13)';

function weakKeys(evidence: Evidence): readonly Weakness[] {
  return [...keyRepliesByZone(evidence)].flatMap(([zone, replies]) =>
    replies.flatMap((exchanged) =>
      keysIn(exchanged, zone).flatMap((key) => {
        const weakness = weaknessOf(key);
        return weakness === undefined ? [] : [{ ...weakness, advice: ROLL_OVER, zone, exchanged }];
      }),
    ),
  );
}

/** RSASHA1 and RSASHA1-NSEC3-SHA1 (RFC 9905 2). */
const SHA1_ALGORITHMS: ReadonlySet<number> = new Set([5, 7]);

/** Bits of a modulus: fewer than the first can be broken, and the second is thought safe for years. */
const [SHORT_BITS, SAFE_BITS] = [1_024, 2_048];

function weaknessOf(key: ZoneKey): Pick<Weakness, 'severity' | 'words'> | undefined {
  const { tag, algorithm } = key;
  if (SHA1_ALGORITHMS.has(algorithm))
    return { severity: 'warning', words: `key ${tag} uses SHA-1 (algorithm ${algorithm})` };
  // A key without any modulus is malformed, not short.
  const bits = rsaBits(key) ?? SAFE_BITS;
  if (bits >= SAFE_BITS) return undefined;
  return bits < SHORT_BITS
    ? { severity: 'warning', words: `key ${tag} has only ${bits} bits` }
    : { severity: 'notice', words: `key ${tag} has ${bits} bits instead of 2048` };
}

const SHA1_DIGEST = 1;

const ONLY_SHA1 = {
  severity: 'warning',
  words: 'its DS records have only SHA-1 digests',
  advice: 'Replace the DS records at the parent with records that use SHA-256 (digest type 2)',
} as const;

const ALSO_SHA1 = {
  severity: 'notice',
  words: 'a DS record has a SHA-1 digest beside a better one',
  advice: 'Remove the DS records with SHA-1 (digest type 1) at the parent',
} as const;

/** DS records with SHA-1: the only ones of a zone, or beside better ones, which resolvers prefer (RFC 4509 3). */
function weakDigests(evidence: Evidence): readonly Weakness[] {
  return [...dsByZone(evidence).values()]
    .flat()
    .flatMap(({ zone, exchanged, records }): readonly Weakness[] => {
      const weak = records.filter(({ digestType }) => digestType === SHA1_DIGEST);
      if (weak.length === 0) return [];
      const shown = { zone, exchanged };
      return weak.length === records.length ? [{ ...shown, ...ONLY_SHA1 }] : [{ ...shown, ...ALSO_SHA1 }];
    });
}
