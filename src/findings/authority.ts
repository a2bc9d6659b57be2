import { named, plain } from '../reading/names.ts';
import { isAtOrBelow, isBelow } from '../wire/name.ts';
import { byContact } from './by-contact.ts';
import type { Evidence, Heard } from './evidence.ts';

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
  (heard) => heard.response.kind === 'referral' && hasFlag(heard, 'aa'),
  (server, zone) =>
    `${named(server)} sets the AA bit on referrals from ${plain(zone)}: most resolvers cope, but that server should be updated.`,
);

/** Whether the reply gives data or denies it, rather than referring on or failing. */
export function isFinal({ response }: Heard): boolean {
  switch (response.kind) {
    case 'answer':
    case 'alias':
    case 'alias-loop':
    case 'nxdomain':
    case 'nodata':
      return true;
    default:
      return false;
  }
}

/** Whether a reply came and has the flag. */
export function hasFlag({ exchanged }: Heard, flag: 'aa' | 'ra'): boolean {
  return exchanged.outcome.kind === 'reply' && exchanged.outcome.flags.includes(flag);
}

/** Whether the name asked is in a zone below the server's, as referrals to it show or the reply itself does. */
function isBelowCut({ zone, exchanged }: Heard, { cuts }: Evidence): boolean {
  const { outcome, question } = exchanged;
  if (outcome.kind !== 'reply') return false;
  const named = outcome.authority.filter(({ type }) => type === 'NS').map((record) => record.name);
  return [...named, ...(cuts.get(zone) ?? [])].some(
    (cut) => isBelow(cut, zone) && isAtOrBelow(question.name, cut),
  );
}
