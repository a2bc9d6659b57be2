import { fitsType } from '../../dns/record.ts';
import type { Exchanged, Reply, TryOutcome } from '../../exchange/exchanged.ts';
import type { Meaning } from '../meaning.ts';
import type {
  Behaviour,
  FallbackReaction,
  MinimisedReaction,
  Profile,
  ReplyKind,
  WholeReaction,
} from './profile.ts';

/** What a reply to the whole name leads a resolver to. `follow`: to where it refers, or to the target of an alias. */
export function reactionToWhole(
  { whole, fallbacks }: Behaviour,
  meaning: Meaning,
  exchanged: Exchanged,
): 'follow' | WholeReaction {
  if (fallbackIn(exchanged, fallbacks) === 'next-server') return 'next-server';
  const kind = replyKind(meaning, exchanged);
  return kind === 'referral' || kind === 'alias' ? 'follow' : whole[kind];
}

/** The same for a reply to a minimised name. `follow`: to where it refers. */
export function reactionToMinimised(
  { minimisation, fallbacks }: Behaviour,
  meaning: Meaning,
  exchanged: Exchanged,
): 'follow' | MinimisedReaction {
  if (fallbackIn(exchanged, fallbacks) === 'next-server') return 'next-server';
  const kind = replyKind(meaning, exchanged);
  if (minimisation === undefined) throw new Error('nobody minimises who asks for the whole name at once');
  return kind === 'referral' ? 'follow' : minimisation.reactions[kind];
}

/** What becomes of an exchange for which a server was asked in more than one way; undefined: in one way only. */
export function fallbackIn(
  { tries }: Exchanged,
  fallbacks: Behaviour['fallbacks'],
): FallbackReaction | undefined {
  const [, ...others] = tries;
  if (others.length === 0) return undefined;
  const reactions = new Set(
    tries.slice(0, -1).flatMap(({ outcome }) => fallbackAfter(outcome, fallbacks) ?? []),
  );
  return BY_WEIGHT.find((one) => reactions.has(one));
}

/** Whether a truncated reply was all that a server sent: over TCP nothing came. */
export function isSilentOverTcp({ outcome, transport, tries }: Exchanged): boolean {
  const isTruncated = tries.some((one) => one.outcome.kind === 'reply' && one.outcome.truncated);
  return isTruncated && transport === 'tcp' && outcome.kind !== 'reply' && outcome.kind !== 'malformed';
}

const BY_WEIGHT = ['next-server', 'rather-elsewhere', 'same-server'] as const;

function fallbackAfter(outcome: TryOutcome, fallbacks: Behaviour['fallbacks']): FallbackReaction | undefined {
  switch (outcome.kind) {
    case 'case-mismatch':
      return fallbacks['case-lost'];
    case 'reply': {
      if (outcome.truncated) return fallbacks.truncated;
      if (outcome.rcode === 'FORMERR') return fallbacks[outcome.opt ? 'FORMERR-with-opt' : 'FORMERR'];
      return outcome.rcode === 'NOTIMP' || outcome.rcode === 'BADVERS' ? fallbacks[outcome.rcode] : undefined;
    }
    case 'timeout':
    case 'closed':
    case 'unreachable':
      return undefined;
  }
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
      if (meaning.records.some((record) => !fitsType(record))) return 'answer-malformed';
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
    case 'malformed':
    case 'unreachable':
    case 'timeout':
    case 'referral':
    case 'alias':
      return meaning.kind;
    case 'alias-loop':
      return 'alias';
  }
}

const RCODES = ['FORMERR', 'SERVFAIL', 'NOTIMP', 'REFUSED', 'YXDOMAIN'] as const;

function hasSoa({ authority }: Reply): boolean {
  return authority.some((record) => record.type === 'SOA' && record.class === undefined);
}
