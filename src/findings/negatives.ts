import { named, plain } from '../reading/names.ts';
import { isAtOrBelow, type Name } from '../wire/name.ts';
import { byContact } from './by-contact.ts';
import type { Heard } from './evidence.ts';
import { isNegative, soasOf } from './soa.ts';

/** NEGATIVE_WITHOUT_SOA: without one nobody can cache that there is nothing (RFC 2308 5). */
export const negativeWithoutSoa = byContact(
  (heard) => isNegative(heard) && soasOf(heard).length === 0,
  (server, zone) =>
    `${named(server)} denies names or types of ${plain(zone)} without a SOA record, so that resolvers ask for them again and again: repair or update that server.`,
);

/** NEGATIVE_WRONG_SOA: the SOA is of a zone that the name is not in, or of one above the zone asked for. */
export const negativeWrongSoa = byContact(
  (heard) => wrongOwner(heard) !== undefined,
  (server, zone, first) =>
    `${named(server)} denies names or types of ${plain(zone)} with the SOA record of ${plain(wrongOwner(first) ?? zone)}: set the zone up there, or remove the server from the delegation.`,
);

function wrongOwner(heard: Heard): Name | undefined {
  if (!isNegative(heard)) return undefined;
  const { name } = heard.exchanged.question;
  const owners = soasOf(heard).map((soa) => soa.name);
  // A server may have a zone below this one as well, and speak for that.
  const isRight = (owner: Name) => isAtOrBelow(owner, heard.zone) && isAtOrBelow(name, owner);
  return owners.some(isRight) ? undefined : owners[0];
}
