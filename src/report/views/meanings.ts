/* What ends and the replies of resolvers mean to users, and who can act. */

import { formatDurationMs } from '../../base/duration.ts';
import type { ResolverRow } from '../../document/resolvers.ts';
import type { ServedBy, TraversalResult } from '../../document/result.ts';
import { END_TERMS } from '../../document/words/end-words.ts';
import { plain } from '../../document/words/names.ts';
import { percentage } from '../../document/words/quantities.ts';
import type { EndKind } from '../../evaluate/end.ts';
import { readFraction } from '../../evaluate/fraction.ts';
import type { Actor } from '../../findings/catalogue.ts';
import { operatorsOf } from './advice.ts';
import { type Effect, effectOfKind } from './effects.ts';
import { endTerm, resolverAddress, shareWords, type Wording } from './wording.ts';

/** What an end, or a reply of a resolver, means to users. */
export interface EndMeaning {
  /** "25 % of users get SERVFAIL" */
  readonly title: string;
  readonly effect: Effect;
  /** With who can act. */
  readonly means: string;
}

/** What the ends mean that users get, and those of first tries that fail; nothing of an answer that all get. */
export function meaningsIn(
  { users, firstTries, resolvers = [] }: TraversalResult,
  { shorten }: Wording,
): readonly EndMeaning[] {
  const answers = users.filter(({ kind }) => kind === 'answer').length;
  const told = users.filter(({ kind }) => kind !== 'answer' || answers > 1);
  return [
    ...told.map((row) => ({
      title: `${shareWords(row.share)} of users get ${shorten(endTerm(row))}`,
      effect: answers > 1 && row.kind === 'answer' ? ('differs' as const) : effectOfKind(row.kind),
      means: meaningOf(row),
    })),
    ...firstTries.map((row) => ({
      title: `${percentage(readFraction(row.fraction))} of first tries end in ${END_TERMS[row.kind]}`,
      effect: effectOfKind(row.kind),
      means: meaningOf(row),
    })),
    ...resolvers.map((row) => ({
      title: `The resolver ${resolverAddress(row.server)}`,
      effect: 'leads-on' as const,
      means: resolverMeaning(row),
    })),
  ].filter(({ means }) => means !== '');
}

interface Meaning {
  readonly means: string;
  /** Who can act; what to do stands with the findings. */
  readonly who: Actor;
}

const MEANINGS: Readonly<Record<EndKind, Meaning>> = {
  answer: { means: 'Others get other data, and nothing shows which are right.', who: 'owner' },
  nodata: {
    means: 'The name exists but has no such record, which is right unless users should find one.',
    who: 'owner',
  },
  nxdomain: { means: 'The name does not exist, which is right unless users should find it.', who: 'owner' },
  timeout: { means: 'No reply came. A resolver waits, and asks another server.', who: 'operator' },
  unreachable: {
    means: 'The network reports that nothing listens there. A resolver asks another server.',
    who: 'operator',
  },
  malformed: { means: 'The reply is of no use to a resolver, which asks another server.', who: 'operator' },
  error: { means: 'The server replies with an error. A resolver asks another server.', who: 'operator' },
  lame: { means: 'The server does not serve the zone. A resolver asks another server.', who: 'operator' },
  servfail: {
    means: 'No server of a zone gives a reply that the resolver can use, so users get an error.',
    who: 'owner',
  },
  bogus: {
    means: 'The data do not validate: validating resolvers refuse them, users of others notice nothing.',
    who: 'owner',
  },
  'alias-loop': {
    means: 'The aliases lead back to where they began. Resolvers give up, so users get an error.',
    who: 'owner',
  },
  'no-glue': {
    means: 'The address of a name server in its own zone is not sent along. A resolver asks another server.',
    who: 'owner',
  },
  'unresolvable-ns': {
    means: 'A name server has no address that can be found. A resolver asks another server.',
    who: 'owner',
  },
  loop: {
    means: 'To look a name server up takes its own address. A resolver asks another server.',
    who: 'owner',
  },
  blocked: { means: 'Policy forbids to ask there, so nothing is known of it.', who: 'you' },
  'depth-limit': {
    means: 'There are more referrals, aliases and lookups than --max-depth allows. Resolvers give up, too.',
    who: 'you',
  },
  'query-limit': {
    means: 'The traversal asked all that it may (--max-queries), so nothing is known of the rest.',
    who: 'you',
  },
  'time-limit': {
    means: 'The traversal had no more time (--max-time), so nothing is known of the rest.',
    who: 'you',
  },
  'work-limit': {
    means: 'There are too many different steps to evaluate: a lower --max-depth, or -4, leaves fewer.',
    who: 'you',
  },
};

function meaningOf({ kind, from }: { readonly kind: EndKind; readonly from: readonly ServedBy[] }): string {
  const { means, who } = MEANINGS[kind];
  return `${means} ${canAct(who, from)}`;
}

function canAct(who: Actor, from: readonly ServedBy[]): string {
  switch (who) {
    case 'operator':
      return `${operatorsOf(from.map(({ name }) => plain(name)))} can act.`.replace('the', 'The');
    case 'owner':
      return 'The owner of the zone can act.';
    case 'operator-if-named':
    case 'parent':
    case 'either':
    case 'you':
      return 'You can act.';
  }
}

/** What it means that a resolver said something that nothing else ends in, or nothing of use; empty where nothing is odd. */
function resolverMeaning({ says, outcomes, ttl }: ResolverRow): string {
  switch (says.kind) {
    case 'answer':
    case 'nodata':
    case 'nxdomain':
    case 'alias-loop':
      if (outcomes.length > 0) return '';
      return `No first try ends in what it says: it may keep what was true before a change, or replace replies on purpose.${askAgain(ttl)}`;
    case 'error':
      if (says.rcode !== 'SERVFAIL')
        return `It replied ${says.rcode}: it does not serve users here. Ask another one.`;
      return outcomes.length > 0
        ? ''
        : 'No first try fails: it may refuse data that do not validate. Ask it with checking disabled (dig +cd).';
    case 'no-resolver':
      return 'It refers to other servers: it is no resolver for this host. Ask another one.';
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return 'It gave no usable reply, which says nothing about the name. Check its address and port.';
  }
}

const MS_PER_SECOND = 1_000;

function askAgain(ttl: number | null): string {
  return ttl === null
    ? ''
    : ` Ask it again in ${formatDurationMs(ttl * MS_PER_SECOND)}, when its TTL has run out.`;
}
