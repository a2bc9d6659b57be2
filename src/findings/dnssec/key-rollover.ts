/* Says in which state of a rollover the keys of a zone are, and which step is safe next. */

import { type KeyPart, type RolloverState, rolloverStates } from '../../dns/dnssec/key-rollover.ts';
import { countsAsKey, isEntryPoint, type ZoneKey } from '../../dns/dnssec/keys.ts';
import { matchedSigners } from '../../dns/dnssec/signer-match.ts';
import { validityAt } from '../../dns/dnssec/verify.ts';
import { type Name, ROOT } from '../../dns/name.ts';
import { listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { outcomesIn } from '../../evaluate/evaluate.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Checks, inZone } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { byZone, isBy, keysIn, setOf } from './key-sets.ts';
import { trustsIn } from './signer-words.ts';
import { type Signed, signaturesIn, verdictsIn } from './verdicts.ts';

/** Are keys being changed? */
export const ROLLOVER_CHECKS = {
  /*
   * The keys of a zone are in the middle of a change, or one of them is not in use. Of zones above the one that has the
   * answer only a change that involves the parent is reported, and of the root none: users cannot act on others.
   */
  KEY_ROLLOVER: inZone({
    when: (evidence) =>
      byZone(evidence)
        .flat()
        .filter(({ zone, exchanged }) => zone !== ROOT && keysIn(exchanged, zone).length > 0),
    words: (asked, evidence) => {
      const [{ zone }] = asked;
      const published = asked.map(({ exchanged }) => exchanged);
      const isEnd = outcomesIn(evidence.evaluation, 'resolver').some(({ end }) => end.zone === zone);
      const shown = statesOf(zone, published, evidence)
        .filter(({ kind }) => isEnd || ABOVE.has(kind))
        .slice(0, MOST_STATES);
      if (shown.length === 0) return undefined;
      return {
        problem: `${plain(zone)} ${listed(shown.map(stateWords), MOST_STATES)}`,
        advice: shown.map(stepWords).join('. '),
      };
    },
  }),
} satisfies Checks;

/** States that are told of zones above, too. */
const ABOVE: ReadonlySet<RolloverState['kind']> = new Set(['signs-without-ds', 'ds-without-signature']);

/** States of one zone that a finding has room for. */
const MOST_STATES = 2;

/** Of what servers published: none unless all publish the same keys, which validate, and the DS records are known and the same everywhere. */
function statesOf(zone: Name, published: readonly Exchanged[], evidence: Evidence): readonly RolloverState[] {
  const { dnssec } = evidence.scope;
  const [trust, otherTrust] = trustsIn(zone, evidence);
  const [first] = published;
  if (dnssec?.validation === undefined || trust === undefined || first === undefined) return [];
  const isOneSet = new Set(published.map((exchanged) => setOf(keysIn(exchanged, zone)))).size === 1;
  const signed = signaturesSeen(zone, evidence, dnssec.time);
  if (!isOneSet || signed === undefined || otherTrust !== undefined) return [];
  const keys = keysIn(first, zone).filter(countsAsKey);
  const named = matchedSigners(trust, zone, keys, dnssec.validation.digest).flatMap(({ match }) =>
    match.kind === 'match' ? [match.key] : [],
  );
  return rolloverStates({
    keys: keys.map((key) => partOf(key, zone, signed.ofZone, named.includes(key))),
    ttls: {
      ds: longest(signed.all.filter(({ rrset }) => rrset.type === 'DS' && rrset.owner === zone)),
      keys: longest(signed.ofZone.filter(isOfKeys)),
      data: longest(signed.ofZone),
    },
    time: dnssec.time,
  });
}

interface SignaturesSeen {
  readonly all: readonly Signed[];
  readonly ofZone: readonly Signed[];
}

/** Valid signatures in replies that validate; undefined if some of the zone's replies do not. */
function signaturesSeen(zone: Name, evidence: Evidence, time: number): SignaturesSeen | undefined {
  const verdicts = verdictsIn(evidence);
  if (verdicts.some((one) => one.zone === zone && one.verdict.status === 'bogus')) return undefined;
  const all = verdicts
    .filter(({ verdict }) => verdict.status === 'secure')
    .flatMap(({ exchanged }) => signaturesIn(exchanged))
    .filter(
      ({ signature: { inception, expiration } }) => validityAt(time, inception, expiration) === 'valid',
    );
  return { all, ofZone: all.filter(({ signature }) => signature.signer === zone) };
}

function partOf(key: ZoneKey, zone: Name, ofZone: readonly Signed[], hasDs: boolean): KeyPart {
  const own = ofZone.filter(({ signature }) => isBy(signature, zone, key));
  const data = own.filter((signed) => !isOfKeys(signed));
  return {
    tag: key.tag,
    isEntryPoint: isEntryPoint(key),
    hasDs,
    signsKeys: own.some(isOfKeys),
    signed: new Set(data.map(({ rrset }) => `${rrset.owner} ${rrset.type}`)),
  };
}

function isOfKeys({ rrset }: Signed): boolean {
  return rrset.type === 'DNSKEY';
}

/** Of original TTLs: those in the replies of caches count down. */
function longest(signed: readonly Signed[]): number {
  return signed.reduce((most, { signature }) => Math.max(most, signature.originalTtl), 0);
}

/** The state, as the predicate of a sentence about the zone. */
function stateWords(state: RolloverState): string {
  switch (state.kind) {
    case 'signs-without-ds':
      return `is in the middle of a key rollover: key ${state.key} signs and has no DS record, ${othersHave(state.others)}`;
    case 'ds-without-signature':
      return `is in the middle of a key rollover: key ${state.key} has a DS record and does not sign, ${othersHave(state.others)} and ${state.others.length === 1 ? 'signs' : 'sign'}`;
    case 'double-ds':
      return `has DS records for ${keysWords(state.keys)}, all of which sign`;
    case 'standby':
      return `publishes key ${state.key}, which signs nothing and has no DS record (a standby key, or one that is being rolled in or out)`;
    case 'signs-nothing':
      return `publishes key ${state.key}, which signs none of the data seen (a standby key, or one that is being rolled in or out)`;
    case 'double-signature':
      return `signs the same data with ${keysWords(state.keys)}`;
    case 'mixed-signatures':
      return `signs some data with one key and some with another (${keysWords(state.keys)})`;
  }
}

/** The next safe step, and the earliest time for it. */
function stepWords(state: RolloverState): string {
  switch (state.kind) {
    case 'signs-without-ds':
      return `If ${state.key} is the new key, publish its DS record at ${minute(state.publishDs)} or later, and keep ${keysWords(state.others)} until ${minute(state.removeOthers)} at least. If it is the old key, remove it at ${minute(state.remove)} or later`;
    case 'ds-without-signature':
      return `If ${state.key} is the new key, sign the DNSKEY records with it, and keep ${keysWords(state.others)} until ${minute(state.removeOthers)} at least. If it is the old key, remove its DS record and then the key`;
    case 'double-ds':
      return `Remove the DS record of the old key at ${minute(state.removeDs)} or later, and the key at ${minute(state.remove)} or later. If both keys are meant to stay, as with two signers, change nothing`;
    case 'standby':
      return `To roll ${state.key} in, sign the DNSKEY records with it, and publish its DS record at ${minute(state.publishDs)} or later`;
    case 'signs-nothing':
      return `If ${state.key} is the new key, sign with it at ${minute(state.sign)} or later. If it is the old key, remove it at ${minute(state.remove)} or later`;
    case 'double-signature':
      return `At ${minute(state.remove)} or later, stop signing with the old key and remove it`;
    case 'mixed-signatures':
      return `Keep ${keysWords(state.keys)} until the new key signs everything, and until ${minute(state.remove)} at least`;
  }
}

/** "key 12345 has one", "keys 12345 and 54321 have them" */
function othersHave(tags: readonly number[]): string {
  return `${keysWords(tags)} ${tags.length === 1 ? 'has one' : 'have them'}`;
}

/** "key 12345", "keys 12345 and 54321" */
function keysWords(tags: readonly number[]): string {
  return `${tags.length === 1 ? 'key' : 'keys'} ${listed(tags.map(String))}`;
}

/** "2026-11-24 10:31 UTC", not before the moment. */
function minute(seconds: number): string {
  const end = new Date(Math.ceil(seconds / 60) * 60_000).toISOString();
  return `${end.slice(0, 10)} ${end.slice(11, 16)} UTC`;
}
