import type { Evaluation, WarmWalk } from '../../evaluate/evaluate.ts';
import type { AddressPick } from '../../evaluate/path-view.ts';
import type { Step } from '../../evaluate/step.ts';
import { walkAfter } from '../../evaluate/visit.ts';
import { lookupTypes } from '../../explore/lookup-types.ts';
import type { Recording } from '../../explore/recording.ts';
import { apexQuestion } from '../../explore/warm.ts';
import { getOrMake } from '../../get-or-make.ts';
import type { Family } from '../../wire/address.ts';
import type { Name } from '../../wire/name.ts';
import { addressesSaid, type NsSet, nsSaid, type Soa, type Statement, soaSaid } from './statements.ts';

/** What one zone of the main walk, cold or warm, says of itself: svc-model(7), COLD AND WARM. */
export interface ZoneFacts {
  readonly zone: Name;
  /** Sorted by address. */
  readonly servers: readonly ZoneServer[];
}

/**
 * An address at which paths ask for a zone, and what the server there says of the zone with authority.
 * Undefined is unknown: not asked, cut off by a limit, no reply, or a reply that says nothing of the zone.
 */
export interface ZoneServer {
  readonly address: string;
  /** The names under which paths pick it there, sorted. */
  readonly names: readonly Name[];
  readonly soa: Statement<Soa> | undefined;
  readonly ns: Statement<NsSet> | undefined;
  /** The addresses of a host in the zone; none if the server denies that there are any. */
  readonly addressesOf: (host: Name, family: Family) => Statement<readonly string[]> | undefined;
}

/** The facts of every zone that a main walk comes to; none if the recording was not made to tell. */
export function zoneFacts(
  recording: Recording,
  evaluation: Evaluation,
  coldSteps: ReadonlySet<Step>,
): ReadonlyMap<Name, ZoneFacts> {
  const facts = new Map<Name, ZoneFacts>();
  const { pathView, warm } = evaluation;
  if (recording.scope.check === 'off' || warm === undefined) return facts;
  const names: NamesByZone = new Map();
  const walks = [
    { steps: coldSteps, view: pathView },
    { steps: warmMainSteps(warm), view: warm.pathView },
  ];
  for (const { steps, view } of walks) {
    for (const step of steps) {
      for (const pick of view.picks(step)) take(step.delegation.zone, pick, names);
    }
  }
  for (const [zone, byAddress] of names) {
    const servers = [...byAddress].sort(([a], [b]) => (a < b ? -1 : 1));
    facts.set(zone, {
      zone,
      servers: servers.map(([address, own]) => zoneServer(recording, zone, address, own)),
    });
  }
  return facts;
}

type NamesByZone = Map<Name, Map<string, Set<Name>>>;

function take(zone: Name, { server, address }: AddressPick, names: NamesByZone): void {
  const byAddress = getOrMake(names, zone, () => new Map<string, Set<Name>>());
  getOrMake(byAddress, address, () => new Set<Name>()).add(server.name);
}

function zoneServer(recording: Recording, zone: Name, address: string, names: ReadonlySet<Name>): ZoneServer {
  return {
    address,
    names: [...names].sort(),
    soa: soaSaid(recording, zone, { address, question: { name: zone, type: 'SOA' } }),
    ns: nsSaid(recording, zone, { address, question: apexQuestion(zone) }),
    addressesOf: (name, family) => {
      const [lookup] = lookupTypes([family]);
      return lookup && addressesSaid(recording, zone, { address, question: { name, type: lookup.type } });
    },
  };
}

/** Every step of the warm main walk, those included that it goes on at where no own set is heard of. */
function warmMainSteps({ start }: Pick<WarmWalk, 'start'>): ReadonlySet<Step> {
  const seen = new Set<Step>(start.kind === 'step' ? [start.step] : []);
  // Iterating over a set also visits what is added on the way, so it serves as the work list.
  for (const { visits, otherwise } of seen) {
    if (otherwise?.kind === 'step') seen.add(otherwise.step);
    for (const visit of visits.values()) {
      const walk = walkAfter(visit);
      if (walk?.kind === 'step') seen.add(walk.step);
    }
  }
  return seen;
}
