import type { LameReason } from '../explore/meaning.ts';
import { named, plain } from '../reading/names.ts';
import { isAtOrBelow, isBelow } from '../wire/name.ts';
import { byContact } from './check.ts';
import type { Evidence, Heard } from './evidence.ts';
import { hasFlag, isFinal } from './heard.ts';

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

function rcodeOf({ meaning }: Heard): string | undefined {
  return meaning.kind === 'error' ? meaning.rcode : undefined;
}

/** NS_UPWARD_REFERRAL: the server knows nothing of the zone and refers to the root or another ancestor. */
export const upwardReferral = byContact(
  (heard) => isLame(heard, ['upward']),
  (server, zone, first) =>
    `${named(server)} does not serve ${plain(zone)} but refers up to ${referredTo(first)}: set the zone up there, or remove the server from the delegation.`,
);

/** NS_SIDEWAYS_REFERRAL: it refers to where the path is already, or to a zone that is not on the way. */
export const sidewaysReferral = byContact(
  (heard) => isLame(heard, ['self', 'sideways']),
  (server, zone, first) =>
    `${named(server)} does not answer for ${plain(zone)} but refers to ${referredTo(first)}: set the zone up there, or remove the server from the delegation.`,
);

/** NS_EMPTY_NOERROR: NOERROR, not authoritative, and nothing in it (RFC 2308 2.2 knows no such reply). */
export const emptyReply = byContact(
  (heard) => isLame(heard, ['empty']),
  (server, zone) =>
    `${named(server)} answers for ${plain(zone)} with an empty message, neither data nor SOA nor referral: set the zone up there, or remove the server from the delegation.`,
);

function isLame({ meaning }: Heard, reasons: readonly LameReason[]): boolean {
  return meaning.kind === 'lame' && reasons.includes(meaning.reason);
}

function referredTo({ zone, meaning }: Heard): string {
  const to = meaning.kind === 'lame' ? meaning.referredTo : undefined;
  return to === undefined || to === zone ? 'the zone itself' : plain(to);
}

/**
 * NS_NOT_AUTHORITATIVE: data or a negative reply without AA, as a cache or a forwarder gives it.
 * Not so below a cut: what a server says of names it has delegated is not its own to vouch for.
 */
export const notAuthoritative = byContact(
  (heard, evidence) => isFinal(heard) && !hasFlag(heard, 'aa') && !isBelowCut(heard, evidence),
  (server, zone) =>
    `${named(server)} answers for ${plain(zone)} without authority, like a cache: set the zone up there as primary or secondary, or remove the server from the delegation.`,
);

/** NS_AA_ON_REFERRAL: the bit says "my own data", a referral says "somebody else's". */
export const authoritativeReferral = byContact(
  (heard) => heard.meaning.kind === 'referral' && hasFlag(heard, 'aa'),
  (server, zone) =>
    `${named(server)} sets the AA bit on referrals from ${plain(zone)}: most resolvers cope, but that server should be updated.`,
);

/** Whether the name asked is in a zone below the server's, as referrals to it show or the reply itself does. */
function isBelowCut({ zone, exchanged }: Heard, { cuts }: Evidence): boolean {
  const { outcome, question } = exchanged;
  if (outcome.kind !== 'reply') return false;
  const named = outcome.authority.filter(({ type }) => type === 'NS').map((record) => record.name);
  return [...named, ...(cuts.get(zone) ?? [])].some(
    (cut) => isBelow(cut, zone) && isAtOrBelow(question.name, cut),
  );
}
