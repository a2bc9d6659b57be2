import { zoneKeysIn } from '../../dns/dnssec/keys.ts';
import { signersIn } from '../../dns/dnssec/trust.ts';
import { isAtOrBelow, type Name, ROOT } from '../../dns/name.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { View } from '../../document/views.ts';
import type { DangerKind, DangerRow } from '../../document/when.ts';
import { grouped, listed, sentence } from '../../document/words/lists.ts';
import { durationWords } from '../../document/words/moments.ts';
import { plain } from '../../document/words/names.ts';
import { percentage } from '../../document/words/quantities.ts';
import { compare, type Fraction } from '../../evaluate/fraction.ts';
import { PROFILES, type ProfileName } from '../../explore/profiles/profiles.ts';
import { weightOf } from '../views/effects.ts';
import { type Held, lastMs, longestTtl } from './held.ts';
import { longestOf, productWords, stayAt, stayAtAddress } from './moves.ts';
import { type Comparison, moveOf } from './old-ends.ts';
import type { ZoneOnWay } from './way.ts';

/** What harms users for good, then what harms them in a change unless operators take care, the soonest over first. */
export function dangersOf(comparison: Comparison): readonly DangerRow[] {
  const { ways } = comparison;
  const pairs = ways.before.zones.flatMap((before) => {
    const after = ways.after.zones.find(({ zone }) => zone === before.zone);
    return after === undefined ? [] : [{ before, after }];
  });
  const passing = [
    ...ways.before.zones.flatMap((zone) => serverDangers(zone, comparison)),
    ...pairs.flatMap((pair) => [...nameDangers(pair, comparison), ...keyDangers(pair, comparison)]),
  ];
  return [...lastingDangers(comparison), ...passing.sort((a, b) => timeOf(a) - timeOf(b))];
}

function timeOf({ until }: DangerRow): number {
  return until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
}

/** A zone before a change and after it. */
interface Pair {
  readonly before: ZoneOnWay;
  readonly after: ZoneOnWay;
}

/** What harms users while resolvers hold copies, and for how many milliseconds each profile goes on failing after that. */
interface Harm {
  readonly copies: (profile: ProfileName) => readonly Held[];
  readonly failureKept: (profile: ProfileName) => number;
}

/** `until`: as long as copies are held, or as long as anybody fails. */
function danger(
  kind: DangerKind,
  zone: Name,
  { at, profiles }: Pick<Comparison, 'at' | 'profiles'>,
  { copies, failureKept, until }: Harm & { readonly until: 'held' | 'failing' },
  message: string,
): DangerRow {
  const moment = (ms: number) => new Date(at.getTime() + ms).toISOString();
  const times = profiles.map((name) => {
    const heldMs = lastMs(name, copies(name));
    return { name, heldMs, failingMs: heldMs + failureKept(name) };
  });
  const last = Math.max(...times.map(({ heldMs, failingMs }) => (until === 'held' ? heldMs : failingMs)));
  return {
    kind,
    zone,
    from: moment(0),
    until: moment(last),
    failing: times.map(({ name, failingMs }) => ({ name, lastAt: moment(failingMs) })),
    message: sentence(message),
  };
}

/** How long a profile remembers that no server of a zone was of use. */
function lookupFailureKept(profile: ProfileName): number {
  return PROFILES[profile].time.failureKept;
}

/** "SERVFAIL, which X keeps for 12 seconds and Y for 1 minute" */
function keptWords(profiles: readonly ProfileName[], failureKept: Harm['failureKept']): string {
  const known = profiles.filter((profile) => failureKept(profile) > 0);
  const alike = grouped(known, (profile) => `${failureKept(profile)}`);
  const parts = alike.map((same, at) => {
    const verb = at > 0 ? '' : same.length === 1 ? ' keeps' : ' keep';
    return `${productWords(same)}${verb} for ${durationWords(failureKept(same[0]))}`;
  });
  return parts.length === 0 ? 'SERVFAIL' : `SERVFAIL, which ${listed(parts, parts.length)}`;
}

function serverDangers(zone: ZoneOnWay, comparison: Comparison): readonly DangerRow[] {
  const { ways, profiles } = comparison;
  const move = moveOf(zone, ways.after);
  if (move === 'none') return [];
  const name = plain(zone.zone);
  const now = ways.after.zones.find((one) => one.zone === zone.zone)?.servers;
  const left = [...zone.servers].filter(([address]) => !now?.has(address));
  const servers = listed([...new Set(left.map(([address, host]) => `${plain(host)} (${address})`))]);
  const ifTheyStop = { failureKept: lookupFailureKept, until: 'held' } as const;
  const stopped = `. Without it, users get ${keptWords(profiles, lookupFailureKept)}`;
  if (move === 'addresses')
    return [
      danger(
        'old-servers',
        zone.zone,
        comparison,
        { copies: (profile) => stayAtAddress(profile, zone).most, ...ifTheyStop },
        `keep ${servers} running as a server of ${name} until then: resolvers hold the old address${stopped}`,
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
      { copies: (profile) => stayAt(profile, zone).most, ...ifTheyStop },
      `keep ${servers} running as servers of ${name} until then: resolvers hold the old NS records${renewed}${stopped}`,
    ),
  ];
}

/** Products that look up the addresses of old name servers at the new ones fail if these do not have them. */
function nameDangers({ before, after }: Pair, comparison: Comparison): readonly DangerRow[] {
  const profiles = comparison.profiles.filter((name) => PROFILES[name].ownSet.oldAddresses === 'new-servers');
  if (profiles.length === 0 || moveOf(before, comparison.ways.after) !== 'names') return [];
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
      { at: comparison.at, profiles },
      { copies: (profile) => stayAt(profile, before).most, failureKept: lookupFailureKept, until: 'held' },
      `keep the address records of ${names} in the new zone until then: without them, users of ${productWords(profiles)} get SERVFAIL`,
    ),
  ];
}

/** Copies of records that changed, held while the records that match them are gone (RFC 7583 2). */
function keyDangers({ before, after }: Pair, comparison: Comparison): readonly DangerRow[] {
  const oldKeys = keysIn(before.keys);
  const newKeys = isStillSigned({ before, after }, comparison) ? oldKeys : keysIn(after.keys);
  const oldDs = signersOf(before, comparison.before);
  const newDs = signersOf(after, comparison.after);
  const hasNewDs = !isSame(new Set(oldDs), new Set(newDs));
  const hasNewKeys = oldKeys.size > 0 && !isSame(oldKeys, newKeys);
  const name = plain(before.zone);
  const fits = (ds: readonly string[], keys: ReadonlySet<string>) => ds.some((one) => keys.has(one));
  const tags = new Set([...oldKeys].map(tagOf));
  const data = comparison.ways.after.sets.map(({ held }) => held);
  const failureKept = (profile: ProfileName) => {
    const { ttl, seconds } = PROFILES[profile].validation.failureKept;
    return (
      1_000 * (Math.min(ttl, ...longestOf(profile, data).map((held) => longestTtl(profile, held))) + seconds)
    );
  };
  const failing = (copy: Held | undefined, held: string, lack: string) =>
    copy === undefined
      ? []
      : [
          danger(
            'validation',
            before.zone,
            comparison,
            { copies: () => [copy], failureKept, until: 'failing' },
            `users of validating resolvers that hold the old ${held} get SERVFAIL until then: ${lack}`,
          ),
        ];
  return [
    ...(hasNewDs && oldDs.length > 0 && !fits(oldDs, newKeys)
      ? failing(before.ds, 'DS records', `no new key of ${name} matches them`)
      : []),
    ...(hasNewKeys && newDs.length > 0 && !fits(newDs, oldKeys)
      ? failing(before.keys, 'keys', `the new DS records of ${name} match none of them`)
      : []),
    ...(hasNewKeys &&
    oldDs.length > 0 &&
    after.signers.size > 0 &&
    ![...after.signers].some((tag) => tags.has(tag))
      ? failing(before.keys, 'keys', `none of them signed the new records of ${name}`)
      : []),
  ];
}

/** Without DS records nobody asks for keys: those of before are still there if the plan leaves the zone alone, or they sign. */
function isStillSigned({ before, after }: Pair, { after: { whatIf } }: Comparison): boolean {
  if (after.keys !== undefined) return false;
  const { zone } = before;
  const isPlanned = [...(whatIf?.delegate ?? []), ...(whatIf?.zone ?? [])].some((one) => one.zone === zone);
  if (whatIf?.ds?.some((one) => one.zone === zone) && !isPlanned) return true;
  const tags = new Set([...keysIn(before.keys)].map(tagOf));
  return [...after.signers].some((tag) => tags.has(tag));
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((text) => other.has(text));
}

function tagOf(key: string): number {
  return Number(key.split(' ')[0]);
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

/** What no TTL ends: users whom a change leaves with SERVFAIL, or more of them than before. */
function lastingDangers({ before, after, at }: Comparison): readonly DangerRow[] {
  const from = at.toISOString();
  const all = failingShare(after.views.resolver);
  const validating = validatingShare(after);
  const rows: DangerRow[] = [];
  if (compare(all, failingShare(before.views.resolver)) > 0)
    rows.push({
      kind: 'failure',
      ...lasting(after.views.resolver, 'users', 'its delegation or its servers'),
      from,
    });
  if (
    after.views.validating !== undefined &&
    compare(validating, all) > 0 &&
    compare(validating, validatingShare(before)) > 0
  ) {
    const whose = 'users of validating resolvers';
    rows.push({
      kind: 'validation',
      ...lasting(after.views.validating, whose, 'its DS records, keys or signatures'),
      from,
    });
  }
  return rows;
}

function lasting(
  view: Pick<View, 'outcomes'>,
  whose: string,
  remedy: string,
): Pick<DangerRow, 'zone' | 'until' | 'message'> {
  const [first] = failuresIn(view);
  const zone = first?.zone ?? ROOT;
  const share = percentage(failingShare(view));
  const message = `${share} of ${whose} get SERVFAIL for ${plain(zone)}: repair ${remedy}`;
  return { zone, until: null, message: sentence(message) };
}

function failuresIn({ outcomes }: Pick<View, 'outcomes'>) {
  return outcomes.filter(({ kind }) => kind === 'servfail');
}

function failingShare(view: Pick<View, 'outcomes'>): Fraction {
  return weightOf(failuresIn(view));
}

function validatingShare({ views: { validating, resolver } }: TraversalResult): Fraction {
  return failingShare(validating ?? resolver);
}
