import { familyOf } from '../../wire/address.ts';
import type { Name } from '../../wire/name.ts';
import type { Check, Draft } from './draft.ts';
import type { Evidence, Heard } from './evidence.ts';
import { causeOf, isUnproven, isUntried } from './reached.ts';
import { plain } from './words.ts';
import { isWorking } from './working.ts';

/**
 * ZONE_NO_WORKING_NS: all ways into a zone were tried, and none leads to a server that can be used.
 * A zone that only lookups met, and whose servers' addresses then depended on what was pending, may
 * work for those who come to it afresh: nothing is said of it.
 */
export const zoneBroken: Check = (evidence) => {
  const zones = new Map<Name, 'on-main-walk' | 'in-lookups'>();
  for (const place of evidence.places) {
    const { zone } = place.delegation;
    if (evidence.mainPlaces.has(place)) zones.set(zone, 'on-main-walk');
    else if (!zones.has(zone)) zones.set(zone, 'in-lookups');
  }
  const ruledOut = zonesNotProven(evidence, zones);
  return [...zones.keys()].filter((zone) => !ruledOut.has(zone)).map((zone) => broken(evidence, zone));
};

function zonesNotProven(
  evidence: Evidence,
  met: ReadonlyMap<Name, 'on-main-walk' | 'in-lookups'>,
): ReadonlySet<Name> {
  const zones = new Set<Name>();
  for (const { zone, heard } of evidence.contacts) {
    const working = heard.length === 0 || heard.some((one) => isWorking(one) || isUntried(evidence, one));
    if (working) zones.add(zone);
  }
  for (const { zone, failed, notLookedUp } of evidence.resolutions) {
    if (failed.some((end) => isUnproven(evidence, end))) zones.add(zone);
    const depends = notLookedUp.length > 0 || failed.some((end) => causeOf(end).kind === 'loop');
    if (depends && met.get(zone) === 'in-lookups') zones.add(zone);
  }
  for (const place of evidence.places) {
    if (place.delegation.nameservers.some(({ glue }) => hasUntriedGlue(evidence, glue)))
      zones.add(place.delegation.zone);
  }
  return zones;
}

/** Addresses of a family that this traversal leaves out. */
function hasUntriedGlue({ plan }: Evidence, glue: readonly string[]): boolean {
  return glue.some((address) => !plan.families.includes(familyOf(address)));
}

function broken({ panels, referred }: Evidence, zone: Name): Draft {
  const heard = panels.filter((panel) => panel.zone === zone).flatMap((panel) => panel.heard);
  const referrals = referred.filter(({ delegation }) => delegation.zone === zone).flatMap((one) => one.heard);
  const proof = (heard.length > 0 ? heard : referrals).map(({ exchanged }: Heard) => exchanged);
  const message = `No name server of ${plain(zone)} gives a usable reply, so nothing in it can be looked up: repair its servers or its delegation.`;
  return { zone, message, proof };
}
