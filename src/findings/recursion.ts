import { named, plain } from '../reading/names.ts';
import { labelCount, ROOT } from '../wire/name.ts';
import { hasFlag, isFinal } from './authority.ts';
import { byContact } from './by-contact.ts';
import type { Check } from './draft.ts';
import type { Heard } from './evidence.ts';

/** OPEN_RECURSION: the server says that it would look things up for us, whoever we are. */
export const openRecursion = byContact(
  (heard) => hasFlag(heard, 'ra'),
  (server, zone) =>
    `${named(server)}, a server of ${plain(zone)}, says that it offers recursion to strangers (RA bit): switch recursion off there or limit it to its own clients.`,
);

/**
 * PATH_INTERCEPTED: every root server that replied behaves as a resolver does. Real ones never offer
 * recursion, and without authority they give no final data. One that does so alone is its own fault,
 * not the path's, so it takes at least two.
 */
export const pathIntercepted: Check = ({ contacts }) => {
  const fromRoot = contacts.filter(({ zone }) => zone === ROOT).flatMap(({ heard }) => heard);
  const replies = fromRoot.filter(({ exchanged }) => exchanged.outcome.kind === 'reply');
  const addresses = new Set(replies.map(({ exchanged }) => exchanged.address));
  if (addresses.size < 2 || !replies.every(isLikeResolver)) return [];
  const message =
    'All root servers that replied behave like a resolver, so something on the way seems to intercept DNS queries: trust nothing here, and run this from another network.';
  return [{ zone: ROOT, message, proof: replies.map(({ exchanged }) => exchanged) }];
};

function isLikeResolver(heard: Heard): boolean {
  if (hasFlag(heard, 'ra')) return true;
  // Below a top-level domain nothing is the root's.
  return isFinal(heard) && !hasFlag(heard, 'aa') && labelCount(heard.exchanged.question.name) > 1;
}
