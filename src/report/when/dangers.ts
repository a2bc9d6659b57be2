import type { ProfileName } from '../../base/profile-names.ts';
import { zoneKeysIn } from '../../dns/dnssec/keys.ts';
import { signersIn } from '../../dns/dnssec/trust.ts';
import { isAtOrBelow, type Name } from '../../dns/name.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { DangerKind, DangerRow } from '../../document/when.ts';
import { listed, sentence } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { type Held, lastMs } from './held.ts';
import { longestOf, productWords, stayAt } from './moves.ts';
import { type Comparison, moveOf } from './old-ends.ts';
import type { ZoneOnWay } from './way.ts';

/** What harms users in a change unless operators take care, the soonest over first. */
export function dangersOf(comparison: Comparison): readonly DangerRow[] {
  const { ways } = comparison;
  const pairs = ways.before.zones.flatMap((before) => {
    const after = ways.after.zones.find(({ zone }) => zone === before.zone);
    return after === undefined ? [] : [{ before, after }];
  });
  const all = pairs.flatMap((pair) => [
    ...serverDangers(pair.before, comparison),
    ...nameDangers(pair, comparison),
    ...keyDangers(pair, comparison),
  ]);
  return [...all].sort((a, b) => timeOf(a) - timeOf(b));
}

function timeOf({ until }: DangerRow): number {
  return until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
}

/** A zone before a change and after it. */
interface Pair {
  readonly before: ZoneOnWay;
  readonly after: ZoneOnWay;
}

function danger(
  kind: DangerKind,
  zone: Name,
  { at, profiles }: Comparison,
  copies: (profile: ProfileName) => readonly Held[],
  message: string,
): DangerRow {
  const ms = Math.max(...profiles.map((profile) => lastMs(profile, copies(profile))));
  const until = new Date(at.getTime() + ms).toISOString();
  return { kind, zone, from: at.toISOString(), until, message: sentence(message) };
}

function serverDangers(zone: ZoneOnWay, comparison: Comparison): readonly DangerRow[] {
  const { ways, profiles } = comparison;
  const move = moveOf(zone, ways.after);
  if (move === 'none') return [];
  const name = plain(zone.zone);
  const now = ways.after.zones.find((one) => one.zone === zone.zone)?.servers;
  const left = [...zone.servers].filter(([address]) => !now?.has(address));
  const servers = listed([...new Set(left.map(([address, host]) => `${plain(host)} (${address})`))]);
  if (move === 'addresses')
    return [
      danger(
        'old-servers',
        zone.zone,
        comparison,
        (profile) => longestOf(profile, zone.addresses),
        `keep ${servers} running as a server of ${name} until then: resolvers hold the old address`,
      ),
    ];
  const renewing = profiles.filter((profile) => stayAt(profile, zone).usual === 'endless');
  const renewed =
    renewing.length === 0
      ? ''
      : `; ${productWords(renewing)} will ask the old servers as long as these give the old NS records, so change the NS records there, too`;
  return [
    danger(
      'old-servers',
      zone.zone,
      comparison,
      (profile) => stayAt(profile, zone).most,
      `keep ${servers} running as servers of ${name} until then: resolvers hold the old NS records${renewed}`,
    ),
  ];
}

/** Knot Resolver looks up the addresses of old name servers at the new ones, and fails if these do not have them. */
function nameDangers({ before, after }: Pair, comparison: Comparison): readonly DangerRow[] {
  if (!comparison.profiles.includes('knot') || moveOf(before, comparison.ways.after) !== 'names') return [];
  const kept = new Set(after.servers.values());
  const gone = [...new Set(before.servers.values())].filter(
    (name) => isAtOrBelow(name, before.zone) && !kept.has(name),
  );
  if (gone.length === 0) return [];
  const names = listed(gone.map(plain));
  return [
    danger(
      'old-names',
      before.zone,
      comparison,
      (profile) => stayAt(profile, before).most,
      `keep the address records of ${names} in the new zone until then: without them, users of Knot Resolver get SERVFAIL`,
    ),
  ];
}

/** Copies that resolvers hold while the records that match these are gone (RFC 7583 2). */
function keyDangers({ before, after }: Pair, comparison: Comparison): readonly DangerRow[] {
  const [oldKeys, newKeys] = [keysIn(before.keys), keysIn(after.keys)];
  const oldDs = signersOf(before, comparison.before);
  const newDs = signersOf(after, comparison.after);
  const name = plain(before.zone);
  const fits = (ds: readonly string[], keys: ReadonlySet<string>) => ds.some((one) => keys.has(one));
  const tags = new Set([...oldKeys].map((key) => Number(key.split(' ')[0])));
  const failing = (copy: Held | undefined, held: string, lack: string) =>
    copy === undefined
      ? []
      : [
          danger(
            'validation',
            before.zone,
            comparison,
            () => [copy],
            `users of validating resolvers that hold the old ${held} get SERVFAIL until then: ${lack}`,
          ),
        ];
  return [
    ...(oldDs.length > 0 && !fits(oldDs, newKeys)
      ? failing(before.ds, 'DS records', `no new key of ${name} matches them`)
      : []),
    ...(oldKeys.size > 0 && newDs.length > 0 && !fits(newDs, oldKeys)
      ? failing(before.keys, 'keys', `the new DS records of ${name} match none of them`)
      : []),
    ...(oldKeys.size > 0 &&
    oldDs.length > 0 &&
    after.signers.size > 0 &&
    ![...after.signers].some((tag) => tags.has(tag))
      ? failing(before.keys, 'keys', `none of them signed the new records of ${name}`)
      : []),
  ];
}

/** The keys of a zone by tag and algorithm: "20326 8". */
function keysIn(held: Held | undefined): ReadonlySet<string> {
  const data = held?.given.flatMap((given) => given.data) ?? [];
  const keys = zoneKeysIn(data.map((one) => ({ type: 'DNSKEY', data: one })));
  return new Set(keys.map(({ tag, algorithm }) => `${tag} ${algorithm}`));
}

/** The keys to which DS records refer, by tag and algorithm: the planned DS records, else those from the parent. */
function signersOf({ zone, ds }: ZoneOnWay, { whatIf }: TraversalResult): readonly string[] {
  const planned = whatIf?.ds?.find((one) => one.zone === zone)?.ds;
  const data = planned ?? ds?.given.flatMap((given) => given.data) ?? [];
  return signersIn(data).map(({ keyTag, algorithm }) => `${keyTag} ${algorithm}`);
}
