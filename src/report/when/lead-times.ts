import { isAtOrBelow, labelCount, type Name } from '../../dns/name.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { LeadChange, LeadRow } from '../../document/when.ts';
import { grouped } from '../../document/words/lists.ts';
import { DEFAULT_PROFILES, type ProfileName } from '../../explore/profiles/profiles.ts';
import { longest, momentOfShare } from './curve.ts';
import { copyRow, type Held, lastMs, timeLeftOf } from './held.ts';
import { longestOf, type Stay, stayAtAddress, stayAtAll } from './moves.ts';
import type { SetOfZone, Way, ZoneOnWay } from './way.ts';

/** How long each kind of change on the way to an answer would take, for each profile. */
export function leadTimes({ sets, zones }: Way, profiles: readonly ProfileName[]): readonly LeadRow[] {
  // Nothing is known of a zone none of whose servers was asked.
  const way: Way = { sets, zones: zones.filter(({ servers }) => servers.size > 0) };
  const homes = new Set(way.sets.map(({ zone }) => zone));
  return [
    ...way.sets.map(({ held }) => dataRow(held, profiles)),
    ...way.zones.flatMap((zone) => (homes.has(zone.zone) ? newNameRows(zone, way, profiles) : [])),
    ...way.zones
      .filter((zone) => homes.has(zone.zone) || labelCount(zone.zone) > 1)
      .flatMap((zone) => moveRows(zone, way, profiles)),
    ...addressRows(way, profiles),
    ...way.zones.flatMap((zone) => (homes.has(zone.zone) ? keyRows(zone, way, profiles) : [])),
  ];
}

/** The profiles to compute times for: those that the options name, else the default profile of each product. */
export function profilesTold({ options }: Pick<TraversalResult, 'options'>): readonly ProfileName[] {
  const { profiles = [] } = options;
  return profiles.length > 0 ? profiles : DEFAULT_PROFILES;
}

type ProfileTime = LeadRow['profiles'][number];

/** The time until copies have expired one after another: `usual` for half of the users, `most` for the last. */
function timeOf(name: ProfileName, { usual, most }: Stay): ProfileTime {
  const why = most.map((held) => copyRow(name, held));
  if (usual === 'endless') return { name, lastMs: null, halfMs: null, why };
  const times = usual.map((held) => timeLeftOf(name, held));
  const halfMs = longest(times) === 0 ? 0 : Math.round(momentOfShare(times, 1 / 2) * 1_000);
  return { name, lastMs: lastMs(name, most), halfMs, why };
}

function rowOf(
  change: LeadChange,
  rrset: LeadRow['rrset'],
  profiles: readonly ProfileName[],
  stay: (profile: ProfileName) => Stay,
): LeadRow {
  return { change, rrset, profiles: profiles.map((name) => timeOf(name, stay(name))) };
}

/** A stay that is the same for all resolvers. */
function kept(copies: readonly Held[]): Stay {
  return { usual: copies, most: copies };
}

function dataRow(held: Held, profiles: readonly ProfileName[]): LeadRow {
  const change = held.kind === 'denial' ? 'new-name' : 'data';
  return rowOf(change, held.rrset, profiles, () => kept([held]));
}

/** A new name in a zone, unless the way ends in a denial by this zone, which has its own row. */
function newNameRows(
  { zone, denial }: ZoneOnWay,
  { sets }: Way,
  profiles: readonly ProfileName[],
): readonly LeadRow[] {
  const isDenied = sets.some((set) => set.zone === zone && set.held.kind === 'denial');
  if (denial === undefined || isDenied) return [];
  return [rowOf('new-name', denial.rrset, profiles, () => kept([denial]))];
}

/** The copies of answers from a zone and zones below it, and the zones from it to the copy that a profile holds longest. */
function below({ zone }: ZoneOnWay, { sets, zones }: Way) {
  const heldBelow = sets.filter((set) => isAtOrBelow(set.zone, zone));
  // Where nobody caches an answer, all zones down to the one that gave it count.
  const lowest = zones.filter((one) => isAtOrBelow(one.zone, zone)).at(-1)?.zone;
  return {
    held: heldBelow.map(({ held }) => held),
    zonesTo: (profile: ProfileName) => {
      const home = homeOf(
        heldBelow,
        longestOf(
          profile,
          heldBelow.map(({ held }) => held),
        )[0],
        lowest,
      );
      return zones.filter(
        (one) => isAtOrBelow(one.zone, zone) && home !== undefined && isAtOrBelow(home, one.zone),
      );
    },
  };
}

function homeOf(
  sets: readonly SetOfZone[],
  held: Held | undefined,
  lowest: Name | undefined,
): Name | undefined {
  return held === undefined ? lowest : sets.find((set) => set.held === held)?.zone;
}

function moveRows(zone: ZoneOnWay, way: Way, profiles: readonly ProfileName[]): readonly LeadRow[] {
  if (zone.parent === undefined) return [];
  const { held, zonesTo } = below(zone, way);
  const staying = (profile: ProfileName) => stayAtAll(profile, zonesTo(profile));
  const row = rowOf('nameservers', { name: zone.zone, type: 'NS' }, profiles, (profile) =>
    after(staying(profile), longestOf(profile, held)),
  );
  // The old servers have given the new NS records since the first step, so no old copy follows another.
  const expired = waitFor(profiles, (profile) => longestOf(profile, stayAtAll(profile, [zone]).most));
  return [
    {
      ...row,
      steps: [
        { action: 'serve the zone with the new NS records from both old and new servers', ...NO_WAIT },
        { action: 'change the NS records at the parent', ...expired },
        { action: 'stop the old servers', ...NO_WAIT },
      ],
    },
  ];
}

type Wait = Pick<NonNullable<LeadRow['steps']>[number], 'waitMs' | 'why'>;

const NO_WAIT: Wait = { waitMs: 0, why: [] };

/** The time until the copies have expired at resolvers of every profile, one after another. */
function waitFor(profiles: readonly ProfileName[], copies: (profile: ProfileName) => readonly Held[]): Wait {
  const waits = profiles.map((profile): Wait => {
    const held = copies(profile);
    return { waitMs: lastMs(profile, held), why: held.map((copy) => copyRow(profile, copy)) };
  });
  return waits.reduce((longer, one) => (one.waitMs > longer.waitMs ? one : longer), NO_WAIT);
}

function after({ usual, most }: Stay, copies: readonly Held[]): Stay {
  return { usual: usual === 'endless' ? usual : [...usual, ...copies], most: [...most, ...copies] };
}

/** A row for each server, by the zone whose users wait longest. */
function addressRows(way: Way, profiles: readonly ProfileName[]): readonly LeadRow[] {
  const homes = new Set(way.sets.map(({ zone }) => zone));
  const rows = way.zones
    .filter((zone) => homes.has(zone.zone) || labelCount(zone.zone) > 1)
    .flatMap((zone) => addressRowsOf(zone, way, profiles));
  const longestIn = (row: LeadRow) => Math.max(...row.profiles.map(({ lastMs }) => lastMs ?? 0));
  return grouped(rows, ({ rrset }) => `${rrset.name} ${rrset.type}`).map((alike) =>
    alike.reduce((most, row) => (longestIn(row) > longestIn(most) ? row : most)),
  );
}

/** Of the server whose address is held longest. */
function addressRowsOf(zone: ZoneOnWay, way: Way, profiles: readonly ProfileName[]): readonly LeadRow[] {
  const [first] = profiles.flatMap((profile) => longestOf(profile, zone.addresses));
  if (first === undefined) return [];
  const { held } = below(zone, way);
  return [
    rowOf('address', first.rrset, profiles, (profile) =>
      after(stayAtAddress(profile, zone), longestOf(profile, held)),
    ),
  ];
}

/** The steps of new keys and DS records, such that each record that a resolver holds has its match (RFC 7583 3.2.1, 3.3.1). */
function keyRows(zone: ZoneOnWay, way: Way, profiles: readonly ProfileName[]): readonly LeadRow[] {
  const { keys, ds, noDs, own, denial, addresses } = zone;
  const expired = (copies: readonly (Held | undefined)[]) => {
    const known = copies.filter((held) => held !== undefined);
    return waitFor(profiles, (profile) => longestOf(profile, known));
  };
  const data = way.sets.filter((set) => set.zone === zone.zone).map(({ held }) => held);
  // As data: the signatures of addresses live no longer than their TTLs.
  const inZone = addresses
    .filter(({ rrset }) => isAtOrBelow(rrset.name, zone.zone))
    .map((held): Held => ({ ...held, kind: 'data' }));
  // RFC 7583 3.2.1: signatures of any RRset of the zone may be held, so the longest TTL known counts.
  const signed = [...data, own, denial, ...inZone];
  const ofKeys = keys && {
    ...rowOf('keys', { name: zone.zone, type: 'DNSKEY' }, profiles, () => kept([keys])),
    steps: [
      { action: 'publish the new key', ...expired([keys]) },
      { action: 'add its DS records, and sign with both keys', ...expired([ds, ...signed]) },
      { action: 'remove the DS records of the old key', ...expired([ds]) },
      { action: 'remove the old key and its signatures', ...NO_WAIT },
    ],
  };
  const held = ds ?? noDs;
  const ofDs = held && {
    ...rowOf('ds', { name: zone.zone, type: 'DS' }, profiles, () => kept([held])),
    steps: [
      ds === undefined
        ? { action: 'sign the zone on all its servers', ...expired(signed) }
        : { action: 'publish the new key', ...expired([keys]) },
      { action: 'add the new DS records at the parent', ...expired([held]) },
      ...(ds === undefined
        ? []
        : [
            { action: 'remove the old DS records', ...expired([ds]) },
            { action: 'remove keys without DS records, and their signatures', ...NO_WAIT },
          ]),
    ],
  };
  return [...(ofKeys ? [ofKeys] : []), ...(ofDs ? [ofDs] : [])];
}
