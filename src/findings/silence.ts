import type { Exchanged } from '../explore/recording.ts';
import { isUsable } from '../explore/response.ts';
import { named, plain } from '../reading/names.ts';
import { familyOf } from '../wire/address.ts';
import type { Draft } from './draft.ts';
import type { Contact, Evidence, Heard } from './evidence.ts';
import { isAnswered, isLost, triesOver } from './tries.ts';

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
  return familyOf(server.address) === 4 && heard.some(({ response }) => isUsable(response));
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
