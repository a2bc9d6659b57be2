import type { Work } from '../../base/work.ts';
import type { Name } from '../../dns/name.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { isUsable } from '../../explore/meaning.ts';
import type { Profile, ZoneTrait } from '../../explore/profiles/profile.ts';
import { isSilentOverTcp, replyKind } from '../../explore/profiles/reactions.ts';
import { saysTheSame } from '../../explore/same-reply.ts';
import { type Step, stateOf, type Visit, type Walk, walkAfter } from '../step.ts';
import { type Arrival, stagesFrom, stepAfter } from '../visit/arrivals.ts';
import { doEndAlike } from '../visit/joining.ts';
import { heardMs } from '../visit/servers.ts';

/** A sentence of a profile that says how its product may do otherwise, and the zones at which it may. */
export interface DeviationAt {
  readonly text: string;
  readonly zones: readonly Name[];
}

/** The deviations that a profile names for the servers of these zones. */
export function deviationsAt(
  arrivals: readonly Arrival[],
  profile: Profile,
  work: Work,
): readonly DeviationAt[] {
  const all = arrivals.map((arrival) => ({
    zone: arrival.step.delegation.zone,
    traits: traitsOf(arrival, profile, work),
  }));
  return profile.deviations.flatMap(({ text, at }) => {
    if (at === undefined) return [];
    const there = all.filter(({ traits }) => at.every((any) => any.some((one) => traits.has(one))));
    return there.length === 0 ? [] : [{ text, zones: [...new Set(there.map(({ zone }) => zone))] }];
  });
}

/** Whether servers that do not all say the same are looked up in several zones, so that it matters which lookup ends first. */
function doLookupsRace({ servers, visits }: Step, profile: Profile): boolean {
  const { glue, picks } = profile;
  if (picks.lookedUpJoin !== 'next-question') return false;
  const lookups = servers.flatMap((server) => {
    const lookup = server.kind === 'glue' && glue.taken === 'in-domain' ? server.lookedUp : server;
    return lookup?.kind === 'lookup' ? lookup : [];
  });
  const zones = lookups.flatMap((server) => server.lookups.map(({ walk }) => lastZone(walk))[0] ?? []);
  if (lookups.length === servers.length && !doEndAlike(lookups, profile)) return false;
  const [one, ...others] = [...visits.values()].flatMap((visit) =>
    visit.kind === 'asked' ? [visit.meaning] : [],
  );
  return new Set(zones).size > 1 && one !== undefined && !others.every((other) => saysTheSame(one, other));
}

/** The zone in which a lookup ends, by the first server of each that leads on. */
function lastZone(walk: Walk): Name | undefined {
  let zone: Name | undefined;
  for (let at: Walk | undefined = walk; at?.kind === 'step'; ) {
    const visits: readonly Visit[] = [...at.step.visits.values()];
    zone = at.step.delegation.zone;
    at = visits.map(walkAfter).find((next) => next !== undefined);
  }
  return zone;
}

/** Whether a server of an own set sends an alias whose target a resolver asks for at the delegation, where nobody else does. */
function isAliasOfOwnSet({ step, later }: Arrival): boolean {
  if (later === undefined) return false;
  return [...step.visits.values()].some((visit) => {
    const to = walkAfter(visit);
    return (
      to?.kind === 'step' &&
      visit.kind === 'asked' &&
      visit.meaning.kind === 'alias' &&
      stepAfter(later.step, to.step) === undefined
    );
  });
}

function traitsOf(arrival: Arrival, profile: Profile, work: Work): ReadonlySet<ZoneTrait> {
  const { step: first, proof } = arrival;
  const spend = (steps: number) => void work.spend(steps);
  const isBogusMinimised = ({ exchanged }: { readonly exchanged: Exchanged }): boolean => {
    const verdict = proof?.minimised(exchanged, { zone: first.delegation.zone, spend }) ?? 'unknown';
    return verdict !== 'secure' && verdict !== 'unknown';
  };
  const traits = new Set<ZoneTrait>(proof?.isSigned ? ['signed'] : []);
  if (doLookupsRace(first, profile)) traits.add('lookups-race');
  if (isAliasOfOwnSet(arrival)) traits.add('alias-of-own-set');
  const [server, ...others] = first.servers;
  if (others.length === 0 && server !== undefined && server.visits.size > 1) traits.add('single-name');
  for (const step of stagesFrom(first)) {
    for (const server of step.servers) {
      if (server.kind !== 'glue') traits.add('without-glue');
      for (const [address, visit] of server.visits) {
        if (visit.kind === 'not-asked') continue;
        const kind = replyKind(visit.meaning, visit.exchanged);
        if (kind !== 'referral' && kind !== 'alias') traits.add(kind);
        if ((heardMs(visit) ?? 0) > profile.time.toNextTry[0]) traits.add('slow');
        if (isSilentOverTcp(visit.exchanged)) traits.add('tcp-silent');
        if (visit.exchanged.tries.some(isBadVersion)) traits.add('BADVERS');
        if (step.minimised !== undefined) {
          if (isUsable(visit.meaning.kind) && isBogusMinimised(visit)) traits.add('bogus-minimised');
          continue;
        }
        const outcome = proof?.reply(stateOf(step, server), address);
        if (outcome?.kind === 'bogus' && outcome.failure.kind === 'bogus')
          traits.add('bogus').add(outcome.failure.reason);
        if (isUsable(visit.meaning.kind) && (outcome === undefined || outcome.kind === 'good'))
          traits.add('usable');
      }
    }
  }
  return traits;
}

function isBadVersion({ outcome }: Exchanged['tries'][number]): boolean {
  return outcome.kind === 'reply' && outcome.rcode === 'BADVERS';
}
