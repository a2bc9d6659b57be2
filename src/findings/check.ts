import type { Finding, Severity } from '../document/findings.ts';
import type { PickedServer } from '../evaluate/end.ts';
import type { Exchanged, Probed, ProbeKind } from '../exchanged.ts';
import type { Nameserver } from '../explore/delegation.ts';
import { getOrMake } from '../get-or-make.ts';
import type { Name } from '../wire/name.ts';
import { type Contact, type Evidence, exchangesOf, type Observation } from './evidence.ts';

/** What a finding says: two plain sentences, without their full stops. */
export interface Words {
  /** What is wrong. */
  readonly problem: string;
  /** What to do about it. */
  readonly advice: string;
}

/** A finding as its check sees it: without what the catalogue says of its code. */
export interface Draft extends Words {
  readonly zone?: Name;
  readonly server?: NonNullable<Finding['server']>;
  readonly proof: readonly Exchanged[];
  /** If it is not the usual severity of the code. */
  readonly severity?: Severity;
}

/**
 * Looks for one kind of fault. Pure; says nothing if there is too little evidence. Where there can be many
 * drafts it gives them one by one, so that others have their turn in between.
 */
export type Check = (evidence: Evidence) => Iterable<Draft>;

/** Whether something observed shows the fault. */
type Shows = (observed: Observation, evidence: Evidence) => boolean;

/** What is wrong with a server of a zone, the first that shows it being `first`. */
type ServerWords = (server: PickedServer, zone: Name, first: Observation, evidence: Evidence) => Words;

/** A check of what each server of each zone, at each of its addresses, said and how. */
export function byContact(shows: Shows, words: ServerWords): Check {
  return (evidence) => draftsAt(evidence.contacts, shows, words, evidence);
}

/** The same for a fault that nothing shows where all went smoothly. */
export function byRoughContact(shows: Shows, words: ServerWords): Check {
  return (evidence) => draftsAt(evidence.rough, shows, words, evidence);
}

function* draftsAt(
  contacts: readonly Contact[],
  shows: Shows,
  words: ServerWords,
  evidence: Evidence,
): Iterable<Draft> {
  for (const { zone, server, observed } of contacts) {
    const first = observed.find((one) => shows(one, evidence));
    if (first === undefined) continue;
    const showing = observed.filter((one) => shows(one, evidence));
    yield { zone, server, ...words(server, zone, first, evidence), proof: exchangesOf(showing) };
  }
}

/** A check of each name server that a delegation names. */
export function byDelegatedName(
  isWrong: (nameserver: Nameserver, zone: Name) => boolean,
  words: (name: Name, zone: Name) => Words,
): Check {
  return ({ referred }) =>
    referred.flatMap(({ delegation: { zone, nameservers }, observed }) =>
      nameservers
        .filter((nameserver) => isWrong(nameserver, zone))
        .map(({ name }) => ({ zone, server: { name }, ...words(name, zone), proof: exchangesOf(observed) })),
    );
}

/** A server of a zone on the main walk, and what came of the probes of its address. */
interface ProbedServer {
  readonly zone: Name;
  readonly server: PickedServer;
  readonly probes: ReadonlyMap<ProbeKind, Probed>;
}

/** The servers that were probed, in each of their zones. */
export function probedServers({ zones, recording }: Evidence): readonly ProbedServer[] {
  const byAddress = new Map<string, Map<ProbeKind, Probed>>();
  for (const probed of recording.probes) {
    getOrMake(byAddress, probed.address, () => new Map<ProbeKind, Probed>()).set(probed.probe, probed);
  }
  return [...zones.values()].flatMap(({ zone, servers }) =>
    servers.flatMap(({ address, names: [name] }): readonly ProbedServer[] => {
      const probes = byAddress.get(address);
      if (probes === undefined || name === undefined) return [];
      return [{ zone, server: { name, address }, probes }];
    }),
  );
}

/** A check of what came of the probes of one kind, for each zone of the servers. */
export function byProbe(
  kind: ProbeKind,
  shows: (probed: Probed, zone: Name, evidence: Evidence) => boolean,
  words: (server: PickedServer, zone: Name) => Words,
): Check {
  return function* (evidence) {
    for (const { zone, server, probes } of probedServers(evidence)) {
      const probed = probes.get(kind);
      if (probed === undefined || !shows(probed, zone, evidence)) continue;
      yield { zone, server, ...words(server, zone), proof: [probed] };
    }
  };
}

/** Both checks, for two ways in which one fault shows. */
export function either(one: Check, other: Check): Check {
  return function* (evidence) {
    yield* one(evidence);
    yield* other(evidence);
  };
}
