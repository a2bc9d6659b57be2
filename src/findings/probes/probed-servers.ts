import type { PickedServer } from '../../evaluate/end.ts';
import type { Probed, ProbeKind } from '../../exchange/probed.ts';
import { getOrMake } from '../../get-or-make.ts';
import type { Name } from '../../wire/name.ts';
import type { Check, Words } from '../check.ts';
import type { Evidence } from '../evidence.ts';

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
