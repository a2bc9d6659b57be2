/* The facts that tie effects to their causes, computed once. */

import { getOrMake } from '../../base/memo.ts';
import type { Name } from '../../dns/name.ts';
import { causeOf } from '../../evaluate/end.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import type { Evidence } from '../evidence.ts';
import { coldOutcomes, endProof, zonesOfOtherFamily } from '../outcomes.ts';
import { setKey } from '../zones/ns-groups.ts';
import { type Mismatch, mismatchesIn, nsSetsIn } from '../zones/ns-sets.ts';
import { isOutdated } from '../zones/versions.ts';

/** What ties look up, computed once. */
export interface Situation {
  /** By zone: the zone itself, and those in which lookups of its servers fail. */
  readonly zonesBehind: ReadonlyMap<Name, ReadonlySet<Name>>;
  /** Whether it is certain that nobody gets an answer. */
  readonly isOutage: boolean;
  /** The exchanges that show how lookups fail in the resolver view, and the zones in which they do. */
  readonly failureProof: ReadonlySet<Exchanged>;
  readonly failingZones: ReadonlySet<Name>;
  /** What was observed on the main walk, and the zones on it. */
  readonly mainExchanges: ReadonlySet<Exchanged>;
  readonly mainZones: ReadonlySet<Name>;
  /** By zone: how the delegation and the zone itself differ. */
  readonly mismatches: ReadonlyMap<Name, Mismatch>;
  /** Whether only parents with old versions name the server for the zone, the one at that address among them. */
  readonly isNamedOfOldBy: (server: Name, zone: Name, parent: Name, address: string) => boolean;
  /** A text that is equal for servers of a zone that name the same name servers, and that the same sides name. */
  readonly sideOf: (zone: Name, address: string) => string;
}

/** Looks up what ties need to know of the evidence. */
export function situationOf(evidence: Evidence): Situation {
  const { final, unknown, failed } = coldOutcomes(evidence);
  const zonesBehind = zonesBehindEach(evidence);
  const failingZones = new Set(failed.flatMap(({ end }) => [...(zonesBehind.get(causeOf(end).zone) ?? [])]));
  const mayBeReached = zonesOfOtherFamily(evidence);
  const visits = [...evidence.mainSteps].flatMap((step) => [...step.visits.values()]);
  return {
    zonesBehind,
    isOutage:
      final.length === 0 && unknown.length === 0 && ![...failingZones].some((zone) => mayBeReached.has(zone)),
    failureProof: new Set(failed.flatMap(({ end }) => endProof(evidence, end))),
    failingZones,
    mainZones: new Set([...evidence.mainSteps].map(({ delegation }) => delegation.zone)),
    mismatches: new Map(mismatchesIn(evidence).map((mismatch) => [mismatch.zone, mismatch])),
    isNamedOfOldBy: (server, zone, parent, address) => {
      const naming = (evidence.referrals.get(zone) ?? []).filter(
        ({ meaning }) =>
          meaning.kind === 'referral' && meaning.delegation.nameservers.some(({ name }) => name === server),
      );
      const from = naming.map((one) => one.server.address);
      return from.includes(address) && from.every((one) => isOutdated(evidence, parent, one));
    },
    sideOf: sidesIn(evidence),
    mainExchanges: new Set(visits.flatMap((visit) => (visit.kind === 'asked' ? [visit.exchanged] : []))),
  };
}

function sidesIn(evidence: Evidence): Situation['sideOf'] {
  const sets = new Map(nsSetsIn(evidence).map((one) => [one.zone, one]));
  const sides = new Map<string, string>();
  for (const { zone, servers } of evidence.zones.values()) {
    const known = sets.get(zone);
    for (const { address, names, ns } of servers) {
      const isIn = (set: readonly Name[]) => names.some((name) => set.includes(name));
      const isDelegated = known?.delegated.some(({ set }) => isIn(set));
      const isOwn = known?.current.some(({ set }) => isIn(set));
      sides.set(
        `${zone} ${address}`,
        `${isDelegated} ${isOwn} ${ns === undefined ? '' : setKey(ns.value.names)}`,
      );
    }
  }
  return (zone, address) => sides.get(`${zone} ${address}`) ?? '';
}

function zonesBehindEach({ resolutions }: Evidence): ReadonlyMap<Name, ReadonlySet<Name>> {
  const zones = new Map<Name, Set<Name>>();
  for (const { zone, failed } of resolutions) {
    const behind = getOrMake(zones, zone, () => new Set([zone]));
    for (const end of failed) behind.add(causeOf(end).zone);
  }
  return zones;
}
