/* Says why no key of a zone matches the DS records at its parent, or the trust anchors. */

import { isEntryPoint, type ZoneKey } from '../../dns/dnssec/keys.ts';
import { type MatchedSigner, matchedSigners } from '../../dns/dnssec/signer-match.ts';
import { type SecureTrust, type Trust, trustFrom } from '../../dns/dnssec/trust.ts';
import { type Name, ROOT } from '../../dns/name.ts';
import { firstOfEach, grouped, listed, sentence } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { plannedTrust } from '../../explore/planned-zones.ts';
import type { BogusWords } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { byZone, dsText, keysIn } from './key-sets.ts';
import { dsRrsetsIn, type ServerVerdict, signaturesIn, verdictsIn } from './verdicts.ts';

/** Keys that no DS record or trust anchor names. */
export function signerWords({ exchanged, zone }: ServerVerdict, evidence: Evidence): BogusWords {
  const keys = keysIn(exchanged, zone);
  const signers = signersOf(zone, keys, evidence);
  const isRoot = zone === ROOT;
  const named = isRoot ? 'the trust anchors' : 'the DS records at the parent';
  return {
    problem: `has no DNSKEY for ${plain(zone)} that matches ${named}`,
    everywhere: `No DNSKEY of ${plain(zone)} matches ${named}`,
    ...(signers.length > 0 && { detail: detailOf(signers, keys, zone, evidence) }),
    advice: isRoot ? ROOT_ADVICE : adviceFor(signers, keys),
  };
}

/** "No DNSKEY has the tag 12345 (...). The parent has DS 12345 (...), the zone has DNSKEY 54321 (...)" */
function detailOf(
  signers: readonly MatchedSigner[],
  keys: readonly ZoneKey[],
  zone: Name,
  evidence: Evidence,
): string {
  const cases = grouped(signers, ({ match }) => match.kind).map((alike) => caseWords(alike, zone, evidence));
  const above =
    zone === ROOT
      ? `The trust anchors are ${signersText(signers, '')}`
      : `The parent has ${signersText(signers, 'DS ')}`;
  return `${sentence(cases.join(', and '))}. ${above}, ${zone === ROOT ? 'the root' : 'the zone'} has ${keysText(keys)}`;
}

/** The usable DS records of one server of the parent, or the trust anchors: the first set that matches none of the keys. */
function signersOf(zone: Name, keys: readonly ZoneKey[], evidence: Evidence): readonly MatchedSigner[] {
  const digest = evidence.scope.dnssec?.validation?.digest;
  if (digest === undefined) return [];
  const all = trustsIn(zone, evidence).map((trust) => matchedSigners(trust, zone, keys, digest));
  return all.find((signers) => signers.every(({ match }) => match.kind !== 'match')) ?? all[0] ?? [];
}

/** The sets of DS records that servers of the parent return, or the trust anchors. Several sets are DS_INCONSISTENT's. */
export function trustsIn(zone: Name, evidence: Evidence): readonly SecureTrust[] {
  const { dnssec, plannedDs } = evidence.scope;
  const given = zone === ROOT ? dnssec?.anchors : plannedTrust(zone, plannedDs);
  const trusts =
    given !== undefined
      ? [given]
      : verdictsIn(evidence).flatMap(({ exchanged }) =>
          dsRrsetsIn(exchanged)
            .filter(({ owner }) => owner === zone)
            .map(({ records }) => trustFrom(records)),
        );
  return firstOfEach(trusts.filter(isSecure), ({ id }) => id);
}

function isSecure(trust: Trust): trust is SecureTrust {
  return trust.kind === 'secure';
}

/** Items of either side that a sentence has room for. */
const MOST_ITEMS = 3;

function signersText(signers: readonly MatchedSigner[], noun: string): string {
  const texts = signers.map(({ tag, algorithm, signer }) =>
    signer === undefined ? `${tag} (algorithm ${algorithm})` : dsText(signer),
  );
  return listed([...new Set(texts.map((text) => `${noun}${text}`))], MOST_ITEMS);
}

/** "DNSKEY 12345 (algorithm 13, flags 257)" */
function keysText(keys: readonly ZoneKey[]): string {
  const texts = keys.map(
    ({ tag, algorithm, flags }) => `DNSKEY ${tag} (algorithm ${algorithm}, flags ${flags})`,
  );
  return listed(texts, MOST_ITEMS);
}

/** The fault that these signers share. */
function caseWords(
  alike: readonly [MatchedSigner, ...MatchedSigner[]],
  zone: Name,
  evidence: Evidence,
): string {
  const [{ match, tag, algorithm }] = alike;
  switch (match.kind) {
    case 'no-key': {
      const tags = [...new Set(alike.map((one) => one.tag))].map(String);
      return `no DNSKEY has the tag ${listed(tags, MOST_ITEMS)}${goneWords(alike, zone, evidence)}`;
    }
    case 'revoked':
      return `key ${tag} is revoked (now DNSKEY ${match.key.tag}, flags ${match.key.flags})`;
    case 'no-zone-key':
      return `DNSKEY ${tag} is not a zone key (flags ${match.key.flags}, protocol ${match.key.protocol})`;
    case 'other-digest':
      return `the digest in DS ${tag} is not that of DNSKEY ${tag}`;
    case 'other-algorithm':
      return `DNSKEY ${tag} has algorithm ${match.key.algorithm}, not ${algorithm}`;
    case 'match':
      return `DNSKEY ${tag} matches, but some keys in the reply are malformed, or too many share this tag`;
  }
}

/** Why keys may be missing from a reply: a key whose signatures are still served was removed too early. */
function goneWords(signers: readonly MatchedSigner[], zone: Name, evidence: Evidence): string {
  const isOneOf = (tag: number, algorithm: number) =>
    signers.some((signer) => signer.tag === tag && signer.algorithm === algorithm);
  const published = byZone(evidence)
    .flat()
    .filter((asked) => asked.zone === zone);
  if (
    published.some(({ exchanged }) => keysIn(exchanged, zone).some((key) => isOneOf(key.tag, key.algorithm)))
  )
    return ', although other servers of the zone publish it';
  if (zone === ROOT) return ' (the trust anchors are outdated, or belong to another root)';
  const isUsed = verdictsIn(evidence).some(({ exchanged }) =>
    signaturesIn(exchanged).some(
      ({ signature: { signer, keyTag, algorithm } }) => signer === zone && isOneOf(keyTag, algorithm),
    ),
  );
  return isUsed
    ? ', although its signatures are still served (the key was removed too early)'
    : ' (the key was removed, or is not published yet)';
}

const ROOT_ADVICE =
  "Compare the trust anchors with IANA's (https://data.iana.org/root-anchors/root-anchors.xml), and replace an outdated file. For a private root, give its trust anchors with --trust-anchor. If the trust anchors are right, something on the path answers in place of the root servers";

function adviceFor(signers: readonly MatchedSigner[], keys: readonly ZoneKey[]): string {
  const kinds = new Set(signers.map(({ match }) => match.kind));
  const entries = keys.filter(isEntryPoint).map(({ tag }) => String(tag));
  const current =
    entries.length === 0 ? 'the current key' : `the current key (${listed(entries, MOST_ITEMS)})`;
  if (kinds.has('other-digest') || kinds.has('other-algorithm'))
    return 'Generate DS records from the published key, for example with dnssec-dsfromkey, and replace those at the parent';
  if (kinds.has('revoked'))
    return 'Replace the DS records at the parent with those of a key that is not revoked: a key stays revoked';
  if (kinds.has('no-zone-key'))
    return 'Publish the key with the flags 256 or 257 and protocol 3, and replace the DS records at the parent with those of that key';
  return `Replace the DS records at the parent with those of ${current}, or make every server publish the key that the present ones name`;
}
