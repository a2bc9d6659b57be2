import { plain } from '../reading/names.ts';
import { isAtOrBelow, type Name, ROOT } from '../wire/name.ts';
import type { Check, Draft } from './draft.ts';
import type { Referred } from './evidence.ts';

/** NS_COUNT_LOW: the delegation names one server, whose loss is the zone's. */
export const countLow: Check = ({ referred }) =>
  referred.flatMap(({ delegation, heard }): Draft[] => {
    const { zone, nameservers } = delegation;
    const [only] = nameservers;
    if (only === undefined || nameservers.length > 1) return [];
    const message = `The delegation of ${plain(zone)} names a single server, ${plain(only.name)}: add at least one more, in another~step.`;
    return [{ zone, server: { name: only.name }, message, proof: heard.map(({ exchanged }) => exchanged) }];
  });

/** GLUE_MISSING: a server's name is within the zone, so only the referral can give its address, and it does not. */
export const glueMissing: Check = ({ referred }) =>
  forNames(
    referred,
    (name, zone, glue) => glue.length === 0 && isAtOrBelow(name, zone),
    (name, zone) =>
      `The delegation of ${plain(zone)} has no address for ${plain(name)}, a name inside the zone: add its glue at the parent.`,
  );

/** NS_NAME_SYNTAX: no host can have this name, or it is an address that somebody entered as a name. */
export const nameSyntax: Check = ({ referred }) =>
  forNames(
    referred,
    (name) => !isHostName(name),
    (name, zone) =>
      `The delegation of ${plain(zone)} names ${plain(name)} as a server, which ${isLikeAddress(name) ? 'looks like an address' : 'is not a host name'}: enter the name of a host.`,
  );

function forNames(
  referred: readonly Referred[],
  isWrong: (name: Name, zone: Name, glue: readonly string[]) => boolean,
  message: (name: Name, zone: Name) => string,
): readonly Draft[] {
  return referred.flatMap(({ delegation: { zone, nameservers }, heard }) =>
    nameservers
      .filter(({ name, glue }) => isWrong(name, zone, glue))
      .map(({ name }) => ({
        zone,
        server: { name },
        message: message(name, zone),
        proof: heard.map(({ exchanged }) => exchanged),
      })),
  );
}

/** RFC 952 and RFC 1123 2.1: letters, digits and inner hyphens; the last label is not a number. */
function isHostName(name: Name): boolean {
  return HOST_NAME.test(name) && !NUMERIC_END.test(name) && name !== ROOT;
}

function isLikeAddress(name: Name): boolean {
  return NUMERIC_END.test(name);
}

const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+$/;
const NUMERIC_END = /(?:^|\.)[0-9]+\.$/;
