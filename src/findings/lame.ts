import type { LameReason } from '../explore/response.ts';
import { named, plain } from '../reading/names.ts';
import { byContact } from './by-contact.ts';
import type { Heard } from './evidence.ts';

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

function isLame({ response }: Heard, reasons: readonly LameReason[]): boolean {
  return response.kind === 'lame' && reasons.includes(response.reason);
}

function referredTo({ zone, response }: Heard): string {
  const to = response.kind === 'lame' ? response.referredTo : undefined;
  return to === undefined || to === zone ? 'the zone itself' : plain(to);
}
