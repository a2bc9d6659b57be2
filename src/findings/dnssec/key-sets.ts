/* Checks whether servers agree on the keys of a zone. */

import { toHex } from '../../base/encodings.ts';
import { digestName, type ZoneKey, zoneKeysIn } from '../../dns/dnssec/keys.ts';
import type { Signature } from '../../dns/dnssec/rrset.ts';
import type { DelegationSigner } from '../../dns/dnssec/trust.ts';
import type { Name } from '../../dns/name.ts';
import { comparableData } from '../../dns/record.ts';
import { firstOfEach, grouped, listed } from '../../document/words/lists.ts';
import { plain, withAddress } from '../../document/words/names.ts';
import type { Exchanged, Try } from '../../exchange/exchanged.ts';
import { meaningFor } from '../../explore/classify.ts';
import { type Checks, inZone } from '../check.ts';
import { askedExchanges, type Evidence } from '../evidence.ts';
import { askedIn, dsRrsetsIn, type ServerVerdict, signaturesIn, verdictsIn } from './verdicts.ts';

/** Do servers agree on the keys of a zone? */
export const KEY_SET_CHECKS = {
  // Servers that work give no reply to the question for their zone's keys, so nothing can be verified.
  DNSKEY_UNREACHABLE: inZone({
    when: (evidence) => byZone(evidence).flat(),
    words: (asked, { working }) => {
      const [{ zone }] = asked;
      const isFailing = asked.every(({ exchanged }) => exchanged.outcome.kind !== 'reply');
      if (!isFailing || (working.get(zone)?.size ?? 0) === 0) return undefined;
      const overTcp = asked.every(({ exchanged }) => exchanged.tries.some(isTruncated));
      return {
        problem: `No server of ${plain(zone)} returns its DNSKEY records${overTcp ? ': they are too large for UDP, and TCP fails' : ''}, so validating resolvers cannot use its data`,
        advice: overTcp
          ? 'Open TCP port 53 on the servers and in their firewalls, or use fewer and smaller keys'
          : 'Make the servers answer queries for DNSKEY records, and let nothing in front of them drop large replies',
      };
    },
  }),
  // As in a rollover half done, or where there are two signers.
  KEYS_DIFFER: inZone({
    when: (evidence) =>
      byZone(evidence)
        .flat()
        .map((one) => ({ ...one, keys: keysIn(one.exchanged, one.zone) }))
        .filter(({ keys }) => keys.length > 0),
    words: (having) => {
      const sides = grouped(having, ({ keys }) => setOf(keys));
      if (sides.length < 2) return undefined;
      const words = sides.map(([{ server, keys }]) => `${withAddress(server)} has ${tagsOf(keys)}`);
      return {
        problem: `The servers of ${plain(having[0].zone)} publish different keys: ${listed(words)}`,
        advice:
          'Make every server publish the same keys: a resolver that has cached the keys of one server cannot validate signatures by a key that only another server publishes',
      };
    },
  }),
  // Of servers of the parent.
  DS_INCONSISTENT: inZone({
    when: (evidence) => {
      const isPlanned = (zone: Name) => evidence.scope.plannedDs?.some((one) => one.zone === zone) === true;
      return verdictsIn(evidence).flatMap(({ server, exchanged }) =>
        dsRrsetsIn(exchanged)
          .filter(({ owner }) => !isPlanned(owner))
          .map(({ owner: zone, records }) => ({ zone, server, exchanged, records })),
      );
    },
    words: (alike) => {
      const sides = firstOfEach(alike, ({ records }) => records.map(comparableData).sort().join('\n'));
      if (sides.length < 2) return undefined;
      const words = sides.map(
        ({ server, records }) =>
          `${withAddress(server)} returns ${records.map(nameOf).sort().slice(0, MOST_DS_RECORDS).join(', ')}`,
      );
      return {
        problem: `Servers of the parent return different DS records for ${plain(alike[0].zone)}: ${listed(words)}`,
        advice: 'Find out why some of them have an old version of the parent zone',
      };
    },
  }),
} satisfies Checks;

/** What a server said when it was asked for the keys of its zone. */
type AskedForKeys = Pick<ServerVerdict, 'zone' | 'server' | 'exchanged'>;

function isTruncated({ transport, outcome }: Try): boolean {
  return transport === 'udp' && outcome.kind === 'reply' && outcome.truncated;
}

/** Whether some of these replies are signed with a key of a zone that some of these DNSKEY replies have, but not all. */
export function isSignedBySomeKeysOnly(
  replies: Iterable<Exchanged>,
  zone: Name,
  published: readonly Exchanged[],
): boolean {
  const sets = published.map((exchanged) => keysIn(exchanged, zone));
  return [...replies].flatMap(signaturesIn).some(({ signature }) => {
    const having = sets.filter((keys) => keys.some((key) => isBy(signature, zone, key)));
    return having.length > 0 && having.length < sets.length;
  });
}

/** The same of one reply, and of what all servers of the zone publish. */
export function isBySomeServersKeys(exchanged: Exchanged, zone: Name, evidence: Evidence): boolean {
  const published = byZone(evidence)
    .flat()
    .filter((asked) => asked.zone === zone)
    .map((asked) => asked.exchanged);
  return isSignedBySomeKeysOnly([exchanged], zone, published);
}

/** RFC 4035 5.3.1: what a signature says of the key that made it. */
export function isBy({ signer, keyTag, algorithm }: Signature, zone: Name, key: ZoneKey): boolean {
  return signer === zone && keyTag === key.tag && algorithm === key.algorithm;
}

/** The keys of a zone in the reply to the question for them. */
export function keysIn(exchanged: Exchanged, zone: Name): readonly ZoneKey[] {
  const meaning = meaningFor(exchanged, zone);
  if (meaning.kind !== 'answer') return [];
  return zoneKeysIn(meaning.records);
}

/** The text that is equal for equal sets of keys. */
export function setOf(keys: readonly ZoneKey[]): string {
  return keys
    .map(({ rdata }) => rdata.join(' '))
    .sort()
    .join('\n');
}

/** "keys 12345, 54321": their tags, sorted. */
function tagsOf(keys: readonly ZoneKey[]): string {
  const tags = keys.map(({ tag }) => tag).sort((a, b) => a - b);
  const more = tags.length - MOST_KEYS;
  const rest = more > 0 ? ` (and ${more} more)` : '';
  return `${tags.length === 1 ? 'key' : 'keys'} ${tags.slice(0, MOST_KEYS).join(', ')}${rest}`;
}

/** Keys of one server that a sentence has room for. */
const MOST_KEYS = 6;

/** What servers said that were asked for the keys of their zone, a group for each zone. */
export function byZone(evidence: Evidence): readonly (readonly [AskedForKeys, ...AskedForKeys[]])[] {
  const { recording, evaluation } = evidence;
  if (evaluation.validation === undefined) return [];
  const asked = askedExchanges(recording).flatMap((exchanged): readonly AskedForKeys[] => {
    const where = exchanged.question.type === 'DNSKEY' ? askedIn(exchanged, evidence) : undefined;
    return where === undefined ? [] : [{ ...where, exchanged }];
  });
  return grouped(asked, ({ zone }) => zone);
}

/** "12345 (algorithm 13, SHA-256 0a1b2c3d)": a DS record, with the beginning of its digest. */
export function dsText({ keyTag, algorithm, digestType, digest }: DelegationSigner): string {
  return `${keyTag} (algorithm ${algorithm}, ${digestName(digestType)} ${toHex(digest).slice(0, DIGITS)})`;
}

/** "key 12345 with digest 0a1b2c3d": what tells DS records apart (RFC 4034 5.1). */
export function nameOf({ data }: { readonly data: string }): string {
  const [tag, , , ...digest] = data.split(' ');
  return `key ${tag} with digest ${digest.join('').slice(0, DIGITS)}`;
}

const DIGITS = 8;

/** DS records of one server that a sentence has room for. */
const MOST_DS_RECORDS = 4;
