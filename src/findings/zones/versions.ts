/* Finds the servers that have an old version of a zone. */

import { getOrMake } from '../../base/memo.ts';
import type { Name } from '../../dns/name.ts';
import { isOlderSerial, type ResourceRecord, type Soa, soaIn } from '../../dns/record.ts';
import { grouped } from '../../document/words/lists.ts';
import type { PickedServer } from '../../evaluate/end.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Evidence, hasFlag, isNegative, type Observation, oncePer, soasOf } from '../evidence.ts';
import { areSeparate, type NsGroup, nsGroupsIn } from './ns-groups.ts';

/** Whether the server at the address has an old version of the zone. */
export function isOutdated(evidence: Evidence, zone: Name, address: string): boolean {
  return outdatedKeys(evidence).has(`${zone} ${address}`);
}

/** A version of a zone that a server showed. */
interface Version {
  readonly zone: Name;
  readonly server: PickedServer;
  readonly soa: Soa;
  readonly exchanged: Exchanged;
}

/** A server that showed nothing but old versions of its zone, and one that showed the newest. */
interface OutdatedServer {
  readonly shown: readonly [Version, ...Version[]];
  /** The latest of its serials. */
  readonly serial: number;
  readonly current: Version;
}

/**
 * Every server that has an older version of its zone than another one. Serials of different primaries
 * (MNAME) cannot be compared, nor those of two providers: neither names the other, or the delegation names
 * one and the zone the other. A server that showed both versions was just being updated.
 */
export const outdatedServersIn = oncePer((evidence: Evidence) =>
  serversBehind(evidence).filter((one) => !isPrimary(one)),
);

/** Primaries, by their SOA records, that show an older serial than others do: which data are older is not known. */
export const primariesBehindIn = oncePer((evidence: Evidence) => serversBehind(evidence).filter(isPrimary));

function isPrimary({ shown: [{ server, soa }] }: OutdatedServer): boolean {
  return server.name === soa.primary;
}

const serversBehind = oncePer((evidence: Evidence): readonly OutdatedServer[] => {
  const versions = [
    ...observedVersions(evidence),
    ...publishedVersions(evidence),
    ...repeatedVersions(evidence),
  ];
  const byPrimary = grouped(versions, ({ zone, soa }) => `${zone} ${soa.primary}`);
  return byPrimary.flatMap((alike) => outdatedAmong(alike, evidence));
});

const outdatedKeys = oncePer(
  (evidence: Evidence): ReadonlySet<string> =>
    new Set(outdatedServersIn(evidence).map(({ shown: [{ zone, server }] }) => `${zone} ${server.address}`)),
);

function outdatedAmong(
  versions: readonly [Version, ...Version[]],
  evidence: Evidence,
): readonly OutdatedServer[] {
  const newest = newestByProvider(versions, evidence);
  return grouped(versions, ({ server }) => `${server.name} ${server.address}`).flatMap((shown) => {
    const current = newest(shown[0]);
    const serial = shown.map(({ soa }) => soa.serial).reduce(newer);
    return serial === current.soa.serial || isRoutine(serial, current.soa)
      ? []
      : [{ shown, serial, current }];
  });
}

/** The newest version among the servers that a server can be compared with. */
function newestByProvider(
  versions: readonly [Version, ...Version[]],
  evidence: Evidence,
): (version: Version) => Version {
  const providerOf = providersIn(evidence, versions[0].zone);
  const byProvider = grouped(versions, ({ server }) => providerOf(server).key).map((alike) => ({
    provider: providerOf(alike[0].server),
    newest: alike.reduce(later),
  }));
  const found = new Map<string, Version>();
  return (version) => {
    const own = providerOf(version.server);
    return getOrMake(found, own.key, () =>
      byProvider
        .filter(({ provider }) => !areSeparateProviders(own, provider))
        .map(({ newest }) => newest)
        .reduce(later, version),
    );
  };
}

/** Servers that can be compared with each other. */
interface Provider {
  /** Equal only for the same provider. */
  readonly key: string;
  readonly nsGroup: NsGroup | undefined;
  /** Who names them, where the delegation and the zone itself name no server in common. */
  readonly side: 'delegation' | 'zone' | 'any';
}

/** Whether two providers are different providers, of which neither gets versions of the zone from the other. */
function areSeparateProviders(one: Provider, other: Provider): boolean {
  if (one.side !== other.side && one.side !== 'any' && other.side !== 'any') return true;
  return one.nsGroup !== undefined && other.nsGroup !== undefined && areSeparate(one.nsGroup, other.nsGroup);
}

/** More sets than this tell nothing of who works with whom. */
const MOST_NS_GROUPS = 20;

function providersIn(evidence: Evidence, zone: Name): (server: PickedServer) => Provider {
  const all = nsGroupsIn(evidence, zone);
  const nsGroups = all.length > MOST_NS_GROUPS ? [] : all;
  const campAt = new Map(
    nsGroups.flatMap((nsGroup) => nsGroup.servers.map(({ address }) => [address, nsGroup] as const)),
  );
  const own = new Set(all.flatMap(({ set }) => set));
  const delegated = new Set(
    evidence.referred
      .filter(({ delegation }) => delegation.zone === zone)
      .flatMap(({ delegation }) => delegation.nameservers.map(({ name }) => name)),
  );
  const isDisjoint = ![...delegated].some((name) => own.has(name));
  return ({ name, address }) => {
    const nsGroup = campAt.get(address);
    const side = !isDisjoint ? 'any' : delegated.has(name) ? 'delegation' : own.has(name) ? 'zone' : 'any';
    return { key: `${side} ${nsGroup && nsGroups.indexOf(nsGroup)}`, nsGroup, side };
  };
}

function later(a: Version, b: Version): Version {
  return newer(a.soa.serial, b.soa.serial) === a.soa.serial ? a : b;
}

function newer(a: number, b: number): number {
  return isOlderSerial(a, b) ? b : a;
}

/**
 * Whether serials are times, as those of zones that change all the time, and the older one is no older
 * than secondaries may be (RFC 1034 4.3.5, REFRESH).
 */
function isRoutine(serial: number, current: Soa): boolean {
  const areTimes = [serial, current.serial].every((one) => one >= TIMES.from && one < TIMES.before);
  return areTimes && current.serial - serial <= current.refresh;
}

/** Seconds since 1970 from 2001 to 2033; dates such as 2026112200 are above. */
const TIMES = { from: 1_000_000_000, before: 2_000_000_000 } as const;

/** Versions that the SOA records of denials, and of answers to SOA questions, show. */
function observedVersions({ contacts }: Evidence): readonly Version[] {
  return contacts.flatMap(({ zone, server, observed }) =>
    observed
      .filter((one) => hasFlag(one, 'aa'))
      .flatMap((one) =>
        soasIn(one)
          .filter(({ name }) => name === zone)
          .flatMap((record) => {
            const soa = soaIn(record);
            return soa === undefined ? [] : [{ zone, server, soa, exchanged: one.exchanged }];
          }),
      ),
  );
}

function soasIn(observed: Observation): readonly ResourceRecord[] {
  if (isNegative(observed)) return soasOf(observed);
  const { meaning } = observed;
  return meaning.kind === 'answer' ? meaning.records.filter(({ type }) => type === 'SOA') : [];
}

/** Versions that servers of the zones on the way showed when they were asked for them. */
function publishedVersions({ zones }: Evidence): readonly Version[] {
  return [...zones.values()].flatMap(({ zone, servers }) =>
    servers.flatMap(({ address, names, soa }) =>
      soa === undefined
        ? []
        : names.map((name) => ({
            zone,
            server: { name, address },
            soa: soa.value,
            exchanged: soa.exchanged,
          })),
    ),
  );
}

/** Versions that servers showed when their answers were asked for again. */
function repeatedVersions({ evaluation, contacts }: Evidence): readonly Version[] {
  return evaluation.varying.repeated.flatMap(({ zone, servers }) =>
    servers.flatMap(({ address, versions }) => {
      const own = contacts.filter((contact) => contact.zone === zone && contact.server.address === address);
      return own.flatMap(({ server }) =>
        versions.flatMap(({ soa, exchanged }) =>
          hasFlag({ exchanged }, 'aa') ? [{ zone, server, soa, exchanged }] : [],
        ),
      );
    }),
  );
}
