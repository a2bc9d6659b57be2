import type { Exchanged, Reply } from '../../exchange/exchanged.ts';
import type { Meaning } from '../meaning.ts';
import type { Behaviour, MinimisedReaction, Profile, ReplyKind, WholeReaction } from './profile.ts';

/** What a reply to the whole name leads a resolver to. `follow`: to where it refers, or to the target of an alias. */
export function reactionToWhole(
  { whole }: Behaviour,
  meaning: Meaning,
  exchanged: Exchanged,
): 'follow' | WholeReaction {
  const kind = replyKind(meaning, exchanged);
  return kind === 'referral' || kind === 'alias' ? 'follow' : whole[kind];
}

/** The same for a reply to a minimised name. `follow`: to where it refers. */
export function reactionToMinimised(
  { minimisation }: Behaviour,
  meaning: Meaning,
  exchanged: Exchanged,
): 'follow' | MinimisedReaction {
  const kind = replyKind(meaning, exchanged);
  if (minimisation === undefined) throw new Error('nobody minimises who asks for the whole name at once');
  return kind === 'referral' ? 'follow' : minimisation.reactions[kind];
}

/** What a resolver may ask next because of a reply to a minimised name that refers to no other zone; `none`: nothing longer. */
export function stageAfter(
  profile: Profile,
  meaning: Meaning,
  exchanged: Exchanged,
): 'next-label' | 'whole-name' | 'none' {
  const reaction = reactionToMinimised(profile, meaning, exchanged);
  switch (reaction) {
    case 'next-label':
    case 'next-label-elsewhere':
      return 'next-label';
    case 'whole-name':
    case 'whole-name-elsewhere':
      return 'whole-name';
    case 'next-server':
    case 'never-again':
      return profile.minimisation.noServer === 'end-of-all' ? 'none' : 'whole-name';
    case 'follow':
    case 'end':
    case 'end-of-all':
      return 'none';
  }
}

/** What a reply is to resolvers that tell more apart than its class. */
export function replyKind(meaning: Meaning, { outcome }: Exchanged): ReplyKind | 'referral' | 'alias' {
  const reply = outcome.kind === 'reply' ? outcome : undefined;
  const isAuthoritative = reply?.flags.includes('aa') ?? false;
  switch (meaning.kind) {
    case 'answer':
      return isAuthoritative ? 'answer' : 'answer-without-aa';
    case 'nxdomain':
      return isAuthoritative || (reply !== undefined && hasSoa(reply)) ? 'nxdomain' : 'nxdomain-bare';
    case 'nodata':
      if (reply !== undefined && hasSoa(reply)) return isAuthoritative ? 'nodata' : 'nodata-without-aa';
      return reply?.answer.length === 0 ? 'nodata-without-soa' : 'other-records';
    case 'lame':
      if (meaning.reason !== 'empty') return `lame-${meaning.reason}`;
      return reply?.answer.length === 0 ? 'lame-empty' : 'lame-other-records';
    case 'error':
      return RCODES.find((rcode) => rcode === meaning.rcode) ?? 'other-rcode';
    case 'alias-loop':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
    case 'referral':
    case 'alias':
      return meaning.kind;
  }
}

const RCODES = ['FORMERR', 'SERVFAIL', 'NOTIMP', 'REFUSED', 'YXDOMAIN'] as const;

function hasSoa({ authority }: Reply): boolean {
  return authority.some((record) => record.type === 'SOA' && record.class === undefined);
}
