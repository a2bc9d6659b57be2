import type { Profile, ZoneTrait } from '../../explore/profiles/profile.ts';
import { replyKind } from '../../explore/profiles/reactions.ts';
import { stateOf } from './zone-proof.ts';
import { type Arrival, heardMs, stagesFrom } from './zone-servers.ts';

/** The sentences of a profile that say where its product may do otherwise at these zones. */
export function deviationsAt(arrivals: readonly Arrival[], profile: Profile): readonly string[] {
  const zones = arrivals.map((arrival) => traitsOf(arrival, profile));
  return profile.deviations.flatMap(({ text, at }) =>
    at !== undefined && zones.some((traits) => at.every((any) => any.some((one) => traits.has(one))))
      ? [text]
      : [],
  );
}

function traitsOf({ step: first, proof }: Arrival, profile: Profile): ReadonlySet<ZoneTrait> {
  const traits = new Set<ZoneTrait>(proof?.isSigned ? ['signed'] : []);
  if (first.servers.length === 1) traits.add('single-name');
  for (const step of stagesFrom(first)) {
    for (const server of step.servers) {
      if (server.kind !== 'glue') traits.add('without-glue');
      for (const [address, visit] of server.visits) {
        if (visit.kind === 'not-asked') continue;
        const kind = replyKind(visit.meaning, visit.exchanged);
        if (kind !== 'referral' && kind !== 'alias') traits.add(kind);
        if ((heardMs(visit) ?? 0) > profile.time.toNextTry[0]) traits.add('slow');
        if (step.minimised !== undefined) continue;
        const outcome = proof?.reply(stateOf(step, server), address);
        if (outcome?.kind === 'bogus' && outcome.failure.kind === 'bogus') traits.add(outcome.failure.reason);
      }
    }
  }
  return traits;
}
