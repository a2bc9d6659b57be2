import { plain } from '../reading/names.ts';
import type { Name } from '../wire/name.ts';
import type { Check, Draft } from './draft.ts';
import type { Evidence } from './evidence.ts';
import { zonesOfOtherFamily } from './open-zones.ts';
import { causeOf } from './reached.ts';
import { overFamilies } from './words.ts';
import { isWorking } from './working.ts';

/**
 * ZONE_NO_WORKING_NS: all ways into a zone were tried, and none leads to a server that can be used.
 * A zone that only lookups met, and whose servers' addresses then depended on what was pending, may
 * work for those who come to it afresh: nothing is said of it.
 */
export const zoneBroken: Check = (evidence) => {
  const onMainWalk = new Set([...evidence.mainSteps].map(({ delegation }) => delegation.zone));
  const met = new Set(evidence.steps.map(({ delegation }) => delegation.zone));
  const ruledOut = new Set([
    ...evidence.openZones,
    ...zonesOfOtherFamily(evidence),
    ...workingZones(evidence),
  ]);
  for (const zone of dependentZones(evidence)) if (!onMainWalk.has(zone)) ruledOut.add(zone);
  return [...met].filter((zone) => !ruledOut.has(zone)).map((zone) => broken(evidence, zone));
};

function workingZones({ contacts }: Evidence): readonly Name[] {
  return contacts.filter(({ heard }) => heard.some(isWorking)).map(({ zone }) => zone);
}

/** Zones some server of which could not be looked up because of another lookup that was pending. */
function dependentZones({ resolutions }: Evidence): readonly Name[] {
  return resolutions
    .filter(
      ({ failed, notLookedUp }) =>
        notLookedUp.length > 0 || failed.some((end) => causeOf(end).kind === 'loop'),
    )
    .map(({ zone }) => zone);
}

function broken({ plan, contacts, referrals }: Evidence, zone: Name): Draft {
  const asked = contacts.filter((contact) => contact.zone === zone).flatMap(({ heard }) => heard);
  const heard = asked.length > 0 ? asked : (referrals.get(zone) ?? []);
  const message = `No name server of ${plain(zone)} gives a usable reply${overFamilies(plan)}, so nothing in it can be looked up: repair its servers or its delegation.`;
  return { zone, message, proof: heard.map(({ exchanged }) => exchanged) };
}
