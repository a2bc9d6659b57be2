import { causeOf } from '../evaluate/end.ts';
import type { Exchanged } from '../exchanged.ts';
import { isUsable } from '../explore/meaning.ts';
import { named, plain } from '../reading/names.ts';
import { familyOf } from '../wire/address.ts';
import type { Name } from '../wire/name.ts';
import type { Check, Draft } from './check.ts';
import type { Contact, Evidence, Heard } from './evidence.ts';
import { isAnswered, isLost, isWorking, triesOver } from './heard.ts';
import { zonesOfOtherFamily } from './proof.ts';
import { overFamilies } from './words.ts';

/** NS_NO_RESPONSE_UDP: whatever a server was asked for a zone, no try over UDP was answered. */
export function noResponse(evidence: Evidence): readonly Draft[] {
  const lossy = lossyAddresses(evidence);
  return evidence.contacts.filter((contact) => isSilent(evidence, contact, lossy)).map(silent);
}

function silent({ zone, server, heard }: Contact): Draft {
  const tries = heard.flatMap(({ exchanged }) => triesOver('udp', exchanged));
  const refused = tries.some(({ outcome }) => outcome.kind === 'unreachable');
  const how = refused
    ? 'cannot be reached over UDP (the network says so)'
    : `left every try over UDP (${tries.length}) unanswered`;
  return {
    zone,
    server,
    message: `${named(server)} ${how} when asked for ${plain(zone)}: repair the server or its firewall, or remove it from the delegation.`,
    proof: heard.map(({ exchanged }) => exchanged),
  };
}

/** NS_LOSSY: some tries were answered, some were not. Such a server is not dead. */
export function lossy(evidence: Evidence): readonly Draft[] {
  const lossy = lossyAddresses(evidence);
  return evidence.contacts.flatMap((contact): Draft[] => {
    const { zone, server, heard } = contact;
    const affected = heard.filter(({ exchanged }) => triesOver('udp', exchanged).some(isLost));
    const tries = heard.flatMap(({ exchanged }) => triesOver('udp', exchanged));
    if (affected.length === 0 || !(tries.some(isAnswered) || lossy.has(server.address))) return [];
    const lost = tries.filter(isLost).length;
    const message = `${named(server)} left ${lost} of ${tries.length} tries over UDP unanswered when asked for ${plain(zone)}: look for packet loss, overload or rate limiting there.`;
    return [{ zone, server, message, proof: affected.map(({ exchanged }) => exchanged) }];
  });
}

/** NS_V6_DEAD: no IPv6 address of a name server answers, although its IPv4 works and other IPv6 does. */
export function deadIpv6(evidence: Evidence): readonly Draft[] {
  const lossy = lossyAddresses(evidence);
  const working = new Set<string>();
  for (const contact of evidence.contacts) if (worksOverIpv4(contact)) working.add(nameKey(contact));
  const alive = new Set<string>();
  const dead: Contact[] = [];
  for (const contact of evidence.contacts) {
    if (familyOf(contact.server.address) !== 6) continue;
    if (isSilent(evidence, contact, lossy)) dead.push(contact);
    else alive.add(nameKey(contact));
  }
  return dead
    .filter((contact) => working.has(nameKey(contact)) && !alive.has(nameKey(contact)))
    .map(({ zone, server, heard }) => ({
      zone,
      server,
      message: `${named(server)} does not answer over IPv6 for ${plain(zone)} although ${plain(server.name)} works over IPv4: repair its IPv6 or remove the address.`,
      proof: heard.map(({ exchanged }) => exchanged),
    }));
}

function worksOverIpv4({ server, heard }: Contact): boolean {
  return familyOf(server.address) === 4 && heard.some(({ meaning }) => isUsable(meaning.kind));
}

function nameKey({ zone, server }: Contact): string {
  return `${zone} ${server.name}`;
}

/** Nothing came from there for this zone, other addresses of the family do answer, and it is not mere loss. */
function isSilent(evidence: Evidence, contact: Contact, lossy: ReadonlySet<string>): boolean {
  const { server, heard } = contact;
  if (heard.length === 0 || !evidence.reached.has(familyOf(server.address))) return false;
  return heard.every(isLostWholly) && !lossy.has(server.address);
}

function isLostWholly({ exchanged }: Heard): boolean {
  const tries = triesOver('udp', exchanged);
  return tries.length > 0 && tries.every(isLost);
}

/** Addresses that answered one try of a question and not another. */
function lossyAddresses({ recording }: Evidence): ReadonlySet<string> {
  return new Set(
    [...recording.exchanges.values()].filter(isPartlyLost).map(({ address }: Exchanged) => address),
  );
}

function isPartlyLost(exchanged: Exchanged): boolean {
  const tries = triesOver('udp', exchanged);
  return tries.some(isLost) && tries.some(isAnswered);
}

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

function broken({ scope, contacts, referrals }: Evidence, zone: Name): Draft {
  const asked = contacts.filter((contact) => contact.zone === zone).flatMap(({ heard }) => heard);
  const heard = asked.length > 0 ? asked : (referrals.get(zone) ?? []);
  const message = `No name server of ${plain(zone)} gives a usable reply${overFamilies(scope)}, so nothing in it can be looked up: repair its servers or its delegation.`;
  return { zone, message, proof: heard.map(({ exchanged }) => exchanged) };
}
