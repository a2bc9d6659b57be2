/* Compares the name servers in a zone's delegation with those that the zone itself names. */

import { type Name, ROOT } from '../../dns/name.ts';
import { grouped } from '../../document/words/lists.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Evidence, oncePer, type Referred } from '../evidence.ts';
import { areSeparate, type NsGroup, nsGroupsIn, setKey } from './ns-groups.ts';
import { isOutdated } from './versions.ts';

/** The name servers of a zone, as the delegation names them and as the zone itself does. */
interface NsSets {
  readonly zone: Name;
  /** Distinct sets that referrals give, sorted; none for the root. */
  readonly delegated: readonly DelegatedSet[];
  /** Distinct sets that the zone's servers give. */
  readonly nsGroups: readonly NsGroup[];
  /** Those of them that servers give whose version of the zone is not known to be old: at least one, if there are any. */
  readonly current: readonly NsGroup[];
}

/** The names in a delegation, and the referrals that gave it. */
export interface DelegatedSet {
  readonly set: readonly Name[];
  readonly referrals: Referred['observed'];
}

/** The sets of each zone of which both sides are known. */
export const nsSetsIn = oncePer((evidence: Evidence): readonly NsSets[] =>
  [...evidence.zones.keys()]
    .map((zone) => nsSetsOf(evidence, zone))
    .filter(
      ({ delegated, nsGroups, zone }) => nsGroups.length > 0 && (delegated.length > 0 || zone === ROOT),
    ),
);

function nsSetsOf(evidence: Evidence, zone: Name): NsSets {
  const nsGroups = nsGroupsIn(evidence, zone);
  const isCurrent = ({ servers }: NsGroup) =>
    servers.some(({ address }) => !isOutdated(evidence, zone, address));
  const current = nsGroups.filter(isCurrent);
  return {
    zone,
    delegated: delegatedSets(evidence, zone),
    nsGroups,
    current: current.length > 0 ? current : nsGroups,
  };
}

function delegatedSets({ referred }: Evidence, zone: Name): readonly DelegatedSet[] {
  const given = referred
    .filter(({ delegation }) => delegation.zone === zone)
    .map(({ delegation, observed }) => ({
      set: delegation.nameservers.map(({ name }) => name),
      referrals: observed,
    }));
  return grouped(given, ({ set }) => setKey(set))
    .map((alike) => ({ set: alike[0].set, referrals: alike.flatMap(({ referrals }) => referrals) }))
    .sort((a, b) => (setKey(a.set) < setKey(b.set) ? -1 : 1));
}

/** How the delegation of a zone and the zone itself differ. */
export interface Mismatch extends NsSets {
  /** The set that the delegation has: the first, if parents disagree as well. */
  readonly parents: DelegatedSet;
  /** Every name of `current`, sorted. */
  readonly own: readonly Name[];
  readonly onlyDelegated: readonly Name[];
  readonly onlyOwn: readonly Name[];
  readonly proof: readonly Exchanged[];
}

/** Whether two providers seem to serve the zone: two that do not name each other, or of which each side names one. */
export function haveTwoProviders({ current: [one, other], own, onlyOwn }: Mismatch): boolean {
  if (own.length === onlyOwn.length) return true;
  return one !== undefined && other !== undefined && areSeparate(one, other);
}

/** The zones none of whose delegations names what any of its servers does. Where parents or servers disagree, that is another matter. */
export const mismatchesIn = oncePer((evidence: Evidence) => nsSetsIn(evidence).flatMap(mismatchOf));

function mismatchOf(sets: NsSets): readonly Mismatch[] {
  const { delegated, current } = sets;
  const [parents] = delegated;
  const own = [...new Set(current.flatMap(({ set }) => set))].sort();
  const saidByZone = new Set(current.map(({ set }) => setKey(set)));
  if (parents === undefined || delegated.some(({ set }) => saidByZone.has(setKey(set)))) return [];
  return [
    {
      ...sets,
      parents,
      own,
      onlyDelegated: parents.set.filter((name) => !own.includes(name)),
      onlyOwn: own.filter((name) => !parents.set.includes(name)),
      proof: [
        ...parents.referrals.map(({ exchanged }) => exchanged),
        ...current.flatMap(({ proof }) => proof),
      ],
    },
  ];
}
