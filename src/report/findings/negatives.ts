import { isAtOrBelow, type Name } from '../../wire/name.ts';
import { byContact } from './by-contact.ts';
import type { Heard } from './evidence.ts';
import { named, plain } from './words.ts';

/** NEGATIVE_WITHOUT_SOA: without one nobody can cache that there is nothing (RFC 2308 5). */
export const negativeWithoutSoa = byContact(
  (heard) => soaOwners(heard)?.length === 0,
  (server, zone) =>
    `${named(server)} denies names or types of ${plain(zone)} without a SOA record, so that resolvers ask for them again and again: repair or update that server.`,
);

/** NEGATIVE_WRONG_SOA: the SOA is of a zone that the name is not in, or of one above the zone asked for. */
export const negativeWrongSoa = byContact(
  (heard) => hasWrongSoa(heard),
  (server, zone, first) =>
    `${named(server)} denies names or types of ${plain(zone)} with the SOA record of ${plain(soaOwners(first)?.[0] ?? zone)}: set the zone up there, or remove the server from the delegation.`,
);

function hasWrongSoa(heard: Heard): boolean {
  const owners = soaOwners(heard) ?? [];
  const { name } = heard.exchanged.question;
  // A server may have a zone below this one as well, and speak for that.
  const isRight = (owner: Name) => isAtOrBelow(owner, heard.zone) && isAtOrBelow(name, owner);
  return owners.length > 0 && !owners.some(isRight);
}

/** Owners of the SOA records of a negative reply; undefined for other replies. */
function soaOwners({ exchanged: { outcome }, response }: Heard): readonly Name[] | undefined {
  if (outcome.kind !== 'reply') return undefined;
  if (response.kind !== 'nxdomain' && response.kind !== 'nodata') return undefined;
  return outcome.authority
    .filter((record) => record.type === 'SOA' && record.class === undefined)
    .map((record) => record.name);
}
