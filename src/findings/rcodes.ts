import { named, plain } from '../reading/names.ts';
import { byContact } from './by-contact.ts';
import type { Heard } from './evidence.ts';

/** NS_REFUSED: a server that paths are sent to refuses the zone. */
export const refused = byContact(
  (heard) => rcodeOf(heard) === 'REFUSED',
  (server, zone) =>
    `${named(server)} refuses queries for ${plain(zone)}: set the zone up there, or remove the server from the delegation.`,
);

/** NS_SERVFAIL: the server has the zone, but cannot serve it. */
export const servfail = byContact(
  (heard) => rcodeOf(heard) === 'SERVFAIL',
  (server, zone) =>
    `${named(server)} fails (SERVFAIL) for ${plain(zone)}: find out from its log why the zone is not loaded or has expired.`,
);

/** NS_FORMERR_NOTIMP: it rejects even a query without EDNS. */
export const rejectsPlainQueries = byContact(
  (heard) => isRejection(rcodeOf(heard)) && heard.exchanged.tries.at(-1)?.edns === false,
  (server, zone, first) =>
    `${named(server)} rejects plain queries for ${plain(zone)} with ${rcodeOf(first)}: repair or replace that server.`,
);

function isRejection(rcode: string | undefined): boolean {
  return rcode === 'FORMERR' || rcode === 'NOTIMP';
}

function rcodeOf({ response }: Heard): string | undefined {
  return response.kind === 'error' ? response.rcode : undefined;
}
