import type { Name } from '../wire/name.ts';
import { fitsType } from '../wire/record.ts';
import { type Bogus, bogus } from './bogus.ts';
import type { JudgedReply } from './claim.ts';
import { type Keys, keysOf } from './keys.ts';
import { isSupportedAlgorithm } from './primitives.ts';
import { canonicalRdata, type Rrset, rrsetsIn } from './rrset.ts';
import { namesKey, type SecureTrust } from './trust.ts';
import type { Validation } from './validation.ts';
import { verifyRrset } from './verify-rrset.ts';
import { countsAsKey, firstAlike, zoneKeyIn } from './zone-key.ts';

/** What became of the question for a zone's DNSKEY RRset. */
export type KeysFound = { readonly kind: 'keys'; readonly keys: Keys } | Bogus;

/**
 * The keys that a reply to (zone, DNSKEY) gives under the zone's trust: svc-model(7), VALIDATING 2. The reply must be
 * usable by svc-model(7), RESOLVER VIEW.
 */
export function judgeKeys(
  { claim, answer }: JudgedReply,
  zone: Name,
  trust: SecureTrust,
  validation: Validation,
): KeysFound {
  const isPlain = claim.kind === 'answer' && claim.links.length === 0;
  const rrset = isPlain ? rrsetsIn(answer).find(zone, 'DNSKEY') : undefined;
  return rrset === undefined ? bogus('no-keys') : keysUnder(trust, zone, rrset, validation);
}

/** The keys of a zone's DNSKEY RRset, if one that the zone's trust names signed it (RFC 4035 5.2). */
export function keysUnder(trust: SecureTrust, zone: Name, rrset: Rrset, validation: Validation): KeysFound {
  // Data that do not fit are no keys, but what was signed has them.
  const fitting = rrset.records.every(fitsType) ? canonicalRdata(rrset).map(zoneKeyIn) : [];
  const keys = firstAlike(fitting.filter((key) => countsAsKey(key) && isSupportedAlgorithm(key.algorithm)));
  const named = keys.filter((key) => namesKey(trust, zone, key, validation.digest));
  if (named.length === 0) return bogus('no-matching-ds');
  const verified = verifyRrset(rrset, keysOf(zone, named), validation);
  return verified.kind === 'bogus' ? verified : { kind: 'keys', keys: keysOf(zone, keys) };
}
