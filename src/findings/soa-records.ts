import type { PickedServer } from '../evaluate/end.ts';
import { plain, withAddress } from '../reading/words/names.ts';
import { isAtOrBelow, type Name } from '../wire/name.ts';
import { byContact, type Check } from './check.ts';
import type { Evidence, Heard } from './evidence.ts';
import { isNegative, soasOf } from './heard.ts';
import { serveOrRemove, unlessWrong } from './host-addresses.ts';
import { mismatchesIn } from './zones/ns-sets.ts';
import { laggardsIn } from './zones/versions.ts';

/** SOA_SERIAL_DIFFERS: a server has an older version of the zone than another, as SOA records show. */
export const serialDiffers: Check = (evidence) =>
  laggardsIn(evidence).map(({ shown, serial, current }) => {
    const [{ zone, server }] = shown;
    return {
      zone,
      server,
      problem: `${withAddress(server)} has serial ${serial} of ${plain(zone)}, while ${withAddress(current.server)} has ${current.soa.serial}`,
      advice: unlessWrong(server, zone, evidence, transferAdvice(server, zone, evidence)),
      proof: [...shown, current].map(({ exchanged }) => exchanged),
    };
  });

/** A server that the zone itself no longer names is sent no new versions any more. */
function transferAdvice({ name }: PickedServer, zone: Name, evidence: Evidence): string {
  const mismatch = mismatchesIn(evidence).find((one) => one.zone === zone);
  return mismatch?.onlyDelegated.includes(name)
    ? 'Remove it from the delegation, as the zone itself no longer names it'
    : 'Find out why zone transfers do not reach it';
}

/** NEGATIVE_WITHOUT_SOA: without an SOA record a denial cannot be cached (RFC 2308 5). */
export const negativeWithoutSoa = byContact(
  (heard) => isNegative(heard) && soasOf(heard).length === 0,
  (server, zone) => ({
    problem: `${withAddress(server)} denies names or types in ${plain(zone)} without an SOA record, so resolvers cannot cache that and keep asking`,
    advice: 'Repair or update that server',
  }),
);

/** NEGATIVE_WRONG_SOA: the SOA record is of a zone that the name is not in, or of one above the zone asked for. */
export const negativeWrongSoa = byContact(
  (heard) => wrongOwner(heard) !== undefined,
  (server, zone, first, evidence) => ({
    problem: `${withAddress(server)} denies names or types in ${plain(zone)} with the SOA record of ${plain(wrongOwner(first) ?? zone)}`,
    advice: serveOrRemove(server, zone, evidence),
  }),
);

function wrongOwner(heard: Heard): Name | undefined {
  if (!isNegative(heard)) return undefined;
  const { name } = heard.exchanged.question;
  const owners = soasOf(heard).map((soa) => soa.name);
  // A server may also have a zone below this one, and speak for that.
  const isRight = (owner: Name) => isAtOrBelow(owner, heard.zone) && isAtOrBelow(name, owner);
  return owners.some(isRight) ? undefined : owners[0];
}
