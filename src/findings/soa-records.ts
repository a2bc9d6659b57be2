import type { Exchanged } from '../exchanged.ts';
import { grouped } from '../reading/grouped.ts';
import { plain, withAddress } from '../reading/words/names.ts';
import { isAtOrBelow, type Name } from '../wire/name.ts';
import type { ResourceRecord } from '../wire/record.ts';
import { byContact, type Check, type Draft } from './check.ts';
import type { Contact, Heard } from './evidence.ts';
import { serveOrRemove } from './glue.ts';
import { hasFlag, isNegative, soasOf } from './heard.ts';

/**
 * SOA_SERIAL_DIFFERS: a server has an older version of the zone than another, as the SOA records of
 * negative replies (and of answers to SOA questions) show. Serials of different primaries (MNAME) cannot
 * be compared. A server that showed both versions was just being updated.
 */
export const serialDiffers: Check = ({ contacts }) => {
  const versions = contacts.flatMap(({ zone, server, heard }) =>
    heard.flatMap((one) => versionsIn(one).map((version) => ({ ...version, zone, server }))),
  );
  return grouped(versions, ({ zone, primary }) => `${zone} ${primary}`).flatMap(laggards);
};

/** What an SOA record shows of the version of the zone that a server has. */
interface Version {
  readonly primary: string;
  readonly serial: number;
  readonly exchanged: Exchanged;
}

type VersionAt = Version & Pick<Contact, 'zone' | 'server'>;

function laggards(versions: readonly VersionAt[]): readonly Draft[] {
  const newest = versions.map(({ serial }) => serial).reduce(newer);
  const current = versions.find(({ serial }) => serial === newest);
  if (current === undefined) return [];
  return grouped(versions, ({ server }) => `${server.name} ${server.address}`)
    .filter((shown) => shown.every(({ serial }) => serial !== newest))
    .map((shown) => {
      const [{ zone, server }] = shown;
      const serial = shown.map((one) => one.serial).reduce(newer);
      return {
        zone,
        server,
        problem: `${withAddress(server)} has serial ${serial} of ${plain(zone)}, while ${withAddress(current.server)} has ${newest}`,
        advice: 'Find out why zone transfers do not reach it',
        proof: [...shown, current].map(({ exchanged }) => exchanged),
      };
    });
}

/** The later of two serials, which wrap around at 32 bits (RFC 1982 3.2). */
function newer(a: number, b: number): number {
  const ahead = (b - a) >>> 0;
  return ahead > 0 && ahead < 2 ** 31 ? b : a;
}

function versionsIn(heard: Heard): readonly Version[] {
  if (!hasFlag(heard, 'aa')) return [];
  return soasIn(heard)
    .filter(({ name }) => name === heard.zone)
    .flatMap(({ data }) => {
      // RFC 1035 3.3.13: MNAME, RNAME, SERIAL. The data of a saved result may be anything.
      const [primary = '', , serial] = data.split(' ');
      return Number.isInteger(Number(serial))
        ? [{ primary, serial: Number(serial), exchanged: heard.exchanged }]
        : [];
    });
}

function soasIn(heard: Heard): readonly ResourceRecord[] {
  if (isNegative(heard)) return soasOf(heard);
  const { meaning } = heard;
  return meaning.kind === 'answer' ? meaning.records.filter(({ type }) => type === 'SOA') : [];
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
