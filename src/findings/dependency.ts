import { type End, endKey } from '../evaluate/end.ts';
import { listed } from '../reading/listed.ts';
import { plain } from '../reading/names.ts';
import { isAtOrBelow, labelCount, type Name } from '../wire/name.ts';
import type { Check, Draft } from './draft.ts';
import type { Evidence } from './evidence.ts';
import { zonesOfOtherFamily } from './open-zones.ts';
import { causeOf } from './reached.ts';

/**
 * DEPENDENCY_CYCLE: to look a name server up takes its own address. Told where the ring is entered:
 * where a lookup ends because the same name is wanted again. If none of the zone's servers is found
 * by those who come to it with nothing pending, there is no way out (error); else only some paths go
 * round (warning).
 */
export const dependencyCycle: Check = (evidence) => {
  const isWayOut = waysOut(evidence);
  const zonesByLoop = zonesRound(evidence);
  return evidence.resolutions.flatMap(({ zone, name, failed }): Draft[] => {
    const loops = failed.map(causeOf).filter((leaf) => leaf.kind === 'loop' && leaf.nameserver === name);
    if (loops.length === 0) return [];
    const zones = new Set(loops.flatMap((leaf) => [...(zonesByLoop.get(endKey(leaf)) ?? [])]));
    const others = [...zones].filter((other) => other !== zone).map(plain);
    const over = others.length === 0 ? '' : ` by way of ${listed(others)}`;
    const ring = `The address of ${plain(name)}, a server of ${plain(zone)}, depends on itself${over}`;
    const proof = referralsTo(evidence, zones);
    if (isWayOut(zone)) {
      const message = `${ring} on some paths: break the ring with glue or with a server elsewhere.`;
      return [{ zone, server: { name }, severity: 'warning', message, proof }];
    }
    const message = `${ring}, and there is no way out: give one of the zones a server whose address does not depend on the others.`;
    return [{ zone, server: { name }, message, proof }];
  });
};

function waysOut(evidence: Evidence): (zone: Name) => boolean {
  const { resolutions, openZones, mainSteps } = evidence;
  const found = new Set(resolutions.filter(({ addresses }) => addresses.size > 0).map(({ zone }) => zone));
  const afresh = new Set([...mainSteps].map(({ delegation }) => delegation.zone));
  const other = zonesOfOtherFamily(evidence);
  return (zone) => found.has(zone) || openZones.has(zone) || other.has(zone) || !afresh.has(zone);
}

/** The zones of all name servers that one and the same loop keeps from being found, by its `endKey`. */
function zonesRound({ resolutions }: Evidence): ReadonlyMap<string, ReadonlySet<Name>> {
  const rings = new Map<string, Set<Name>>();
  for (const { zone, failed, notLookedUp } of resolutions) {
    for (const end of [...failed, ...notLookedUp]) {
      const leaf: End = causeOf(end);
      if (leaf.kind !== 'loop') continue;
      const key = endKey(leaf);
      const zones = rings.get(key);
      if (zones === undefined) rings.set(key, new Set([zone]));
      else zones.add(zone);
    }
  }
  return rings;
}

function referralsTo({ referrals }: Evidence, zones: Iterable<Name>) {
  return [...zones].flatMap((zone) => referrals.get(zone) ?? []).map(({ exchanged }) => exchanged);
}

/** From this number of foreign domains on it is worth a word. */
const MANY_DOMAINS = 10;

/** DEPENDENCY_WIDE: how many domains beside the name's own must work (or may be attacked) for it. */
export const dependencyWide: Check = (evidence) => {
  const own = new Set<Name>();
  const foreign = new Set<Name>();
  for (const step of evidence.mainSteps) own.add(step.question.name);
  for (const { delegation } of evidence.steps) {
    const { zone } = delegation;
    // Directly below a top-level domain: about as many as there are operators.
    if (labelCount(zone) === 2 && ![...own].some((name) => isAtOrBelow(name, zone))) foreign.add(zone);
  }
  if (foreign.size < MANY_DOMAINS) return [];
  const names = listed([...foreign].map(plain).sort());
  const message = `Looking ${plain(evidence.plan.question.name)} up can take ${foreign.size} other domains (${names}), each of which must be kept working: use name servers in fewer domains.`;
  return [{ message, proof: referralsTo(evidence, foreign) }];
};
