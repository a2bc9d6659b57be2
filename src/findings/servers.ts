import { causeOf } from '../evaluate/end.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { plain, withAddress } from '../reading/words/names.ts';
import { familyOf } from '../wire/address.ts';
import type { Name } from '../wire/name.ts';
import type { Draft } from './check.ts';
import type { Contact, Evidence, Heard } from './evidence.ts';
import { exchangesOf, isAnswered, isLost, isWorking, triesOver } from './heard.ts';
import { namedIn, unlessWrong } from './host-addresses.ts';
import { zonesOfOtherFamily } from './proof.ts';
import { isOutOfPlace } from './server-addresses.ts';
import { overFamilies } from './words.ts';

/** NS_NO_RESPONSE_UDP: no try over UDP was answered, whatever the server was asked for the zone. */
export function noResponse(evidence: Evidence): readonly Draft[] {
  const lossy = lossyAddresses(evidence);
  const working = new Set(evidence.contacts.filter(worksOverIpv4).map(nameKey));
  return evidence.rough
    .filter((contact) => isSilent(evidence, contact, lossy))
    .map((contact) => ({
      zone: contact.zone,
      server: contact.server,
      problem: `${withAddress(contact.server)} ${silenceWords(contact.heard, contact.zone)}`,
      advice: silenceAdvice(evidence, contact, working),
      proof: exchangesOf(contact.heard),
    }));
}

/** In accord with what NS_ADDR_NOT_GLOBAL and NS_V6_DEAD advise about the same address. */
function silenceAdvice(evidence: Evidence, contact: Contact, workingOverIpv4: ReadonlySet<string>): string {
  const { zone, server } = contact;
  const removal = `remove it from ${namedIn(server.name, zone, evidence)}`;
  if (isOutOfPlace(evidence, server.address)) return `Give it a public address or ${removal}`;
  const isDead = familyOf(server.address) === 6 && workingOverIpv4.has(nameKey(contact));
  const repair = isDead
    ? 'Repair its IPv6 connection or remove the IPv6 address'
    : `Repair the server or its firewall, or ${removal}`;
  return unlessWrong(server, zone, evidence, repair);
}

function silenceWords(heard: readonly Heard[], zone: Name): string {
  const tries = heard.flatMap(({ exchanged }) => triesOver('udp', exchanged));
  if (tries.some(({ outcome }) => outcome.kind === 'unreachable'))
    return `cannot be reached over UDP for ${plain(zone)}, as the network reports`;
  return tries.length === 1
    ? `did not answer a UDP query for ${plain(zone)}`
    : `answered none of ${tries.length} UDP queries for ${plain(zone)}`;
}

/** NS_LOSSY: some tries were answered, some were not. Such a server is not dead. */
export function lossy(evidence: Evidence): readonly Draft[] {
  const addresses = lossyAddresses(evidence);
  return evidence.rough.flatMap(({ zone, server, heard }): readonly Draft[] => {
    const affected = heard.filter(({ exchanged }) => triesOver('udp', exchanged).some(isLost));
    if (affected.length === 0) return [];
    const tries = heard.flatMap(({ exchanged }) => triesOver('udp', exchanged));
    if (!tries.some(isAnswered) && !addresses.has(server.address)) return [];
    const problem = `${withAddress(server)} left ${tries.filter(isLost).length} of ${tries.length} UDP queries for ${plain(zone)} unanswered`;
    const advice = 'Look for packet loss, overload or rate limiting there';
    return [{ zone, server, problem, advice, proof: exchangesOf(affected) }];
  });
}

/** NS_V6_DEAD: no IPv6 address of a name server answers, although its IPv4 and other servers' IPv6 work. */
export function deadIpv6(evidence: Evidence): readonly Draft[] {
  const lossy = lossyAddresses(evidence);
  const working = new Set(evidence.contacts.filter(worksOverIpv4).map(nameKey));
  const overIpv6 = evidence.contacts.filter(({ server }) => familyOf(server.address) === 6);
  const dead = new Set(overIpv6.filter((contact) => isSilent(evidence, contact, lossy)));
  const alive = new Set(overIpv6.filter((contact) => !dead.has(contact)).map(nameKey));
  return [...dead]
    .filter((contact) => working.has(nameKey(contact)) && !alive.has(nameKey(contact)))
    .map(({ zone, server, heard }) => ({
      zone,
      server,
      problem: `${withAddress(server)} does not answer over IPv6 for ${plain(zone)}, although ${plain(server.name)} answers over IPv4`,
      advice: 'Repair its IPv6 connection or remove the IPv6 address',
      proof: exchangesOf(heard),
    }));
}

function worksOverIpv4({ server, heard }: Contact): boolean {
  return familyOf(server.address) === 4 && heard.some(isWorking);
}

function nameKey({ zone, server }: Contact): string {
  return `${zone} ${server.name}`;
}

/** Nothing came from there for this zone, although other addresses of the family answer and it is not mere loss. */
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
  return new Set([...recording.exchanges.values()].filter(isPartlyLost).map(({ address }) => address));
}

function isPartlyLost(exchanged: Exchanged): boolean {
  if (exchanged.tries.length < 2) return false;
  const tries = triesOver('udp', exchanged);
  return tries.some(isLost) && tries.some(isAnswered);
}

/**
 * ZONE_NO_WORKING_NS: all ways into a zone were tried, and none leads to a usable server. A zone that only
 * lookups came to may still work for others if the addresses of its servers depended on what was pending:
 * it is not reported.
 */
export function zoneBroken(evidence: Evidence): readonly Draft[] {
  const onMainWalk = new Set([...evidence.mainSteps].map(({ delegation }) => delegation.zone));
  const met = new Set(evidence.steps.map(({ delegation }) => delegation.zone));
  const ruledOut = new Set([
    ...evidence.openZones,
    ...zonesOfOtherFamily(evidence),
    ...workingZones(evidence),
    ...dependentZones(evidence).filter((zone) => !onMainWalk.has(zone)),
  ]);
  return [...met].filter((zone) => !ruledOut.has(zone)).map((zone) => broken(evidence, zone));
}

function workingZones({ contacts }: Evidence): readonly Name[] {
  return contacts.filter(({ heard }) => heard.some(isWorking)).map(({ zone }) => zone);
}

/** Zones with a server that could not be looked up because another lookup was pending. */
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
  return {
    zone,
    problem: `No name server of ${plain(zone)} gives a usable reply${overFamilies(scope)}, so nothing in the zone can be looked up`,
    advice: 'Repair its name servers or correct its delegation',
    proof: exchangesOf(asked.length > 0 ? asked : (referrals.get(zone) ?? [])),
  };
}
