/* The reply of a resolver as a row of a result. */

import { type Name, ROOT } from '../dns/name.ts';
import { answerData, dataOf, type OutcomeRow } from '../document/ends.ts';
import { repliedRow } from '../document/exchange-rows.ts';
import type { ResolverOutcome, ResolverRow } from '../document/resolvers.ts';
import type { Consulted } from '../exchange/exchanged.ts';
import { classifier } from '../explore/classify.ts';
import type { Meaning } from '../explore/meaning.ts';
import { ownEffect } from './views/effects.ts';

/** What a resolver replied, and which of the outcomes of the path view that is. */
export function resolverRow(consulted: Consulted, outcomes: readonly OutcomeRow[]): ResolverRow {
  const told = resolverReplyOf(consulted);
  return {
    server: consulted.resolver,
    says: told.said,
    outcomes: outcomesLike(told, outcomes),
    ttl: ttlLeft(consulted),
    reply: repliedRow(consulted),
  };
}

/** What a resolver's reply comes to, and the name that it is about once its aliases are followed. */
interface ResolverReply {
  readonly said: ResolverOutcome;
  readonly about: Name;
}

/** What a resolver's reply comes to, the aliases in it followed wherever they lead. */
function resolverReplyOf({ outcome, question }: Consulted): ResolverReply {
  const names = new Set([question.name]);
  for (const name of names) {
    // A resolver speaks for every zone, as a server of the root does, and for the targets of aliases.
    const meaning = classifier(outcome, { ...question, name })(ROOT);
    if (meaning.kind !== 'alias') return replyAbout(name, meaning, outcome, names.size > 1);
    if (names.has(meaning.target) || names.size > MOST_ALIASES) break;
    names.add(meaning.target);
  }
  return { said: { kind: 'alias-loop' }, about: question.name };
}

/** No resolver follows as many. */
const MOST_ALIASES = 127;

function replyAbout(
  name: Name,
  meaning: Exclude<Meaning, { kind: 'alias' }>,
  outcome: Consulted['outcome'],
  isAliased: boolean,
): ResolverReply {
  // RFC 2308 2.1, 2.2: behind aliases the rcode is about the last name.
  if (isAliased && outcome.kind === 'reply' && meaning.kind !== 'answer' && meaning.kind !== 'alias-loop')
    return { said: { kind: outcome.rcode === 'NXDOMAIN' ? 'nxdomain' : 'nodata' }, about: name };
  switch (meaning.kind) {
    case 'answer':
      return { said: { kind: 'answer', answer: dataOf(meaning.records) }, about: name };
    case 'lame':
      // Resolvers may leave out the SOA record of a denial.
      return { said: { kind: meaning.reason === 'empty' ? 'nodata' : 'no-resolver' }, about: name };
    case 'referral':
      return { said: { kind: 'no-resolver' }, about: name };
    case 'error':
      return { said: { kind: 'error', rcode: meaning.rcode }, about: name };
    case 'nxdomain':
    case 'nodata':
    case 'alias-loop':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return { said: { kind: meaning.kind }, about: name };
  }
}

/** Which of a view's outcomes a resolver's reply is, by their places from 0. */
function outcomesLike(told: ResolverReply, outcomes: readonly OutcomeRow[]): readonly number[] {
  return outcomes.flatMap((end, at) => (isLike(told, end) ? [at] : []));
}

function isLike({ said, about }: ResolverReply, end: OutcomeRow): boolean {
  switch (said.kind) {
    case 'answer':
      return end.kind === 'answer' && answerData(end).join('\n') === said.answer.join('\n');
    case 'nodata':
    case 'nxdomain':
      return end.kind === said.kind && end.question.name === about;
    case 'alias-loop':
      return end.kind === 'alias-loop';
    case 'error':
      // What resolvers say when no server gave them anything usable.
      return said.rcode === 'SERVFAIL' && ownEffect(end) === 'fails';
    case 'no-resolver':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return false;
  }
}

/**
 * Seconds for which a resolver keeps what it said: the least that is left of any of its records, and of the SOA
 * record of a denial (RFC 2308 5). Null where it said nothing to be kept.
 */
function ttlLeft({ outcome }: Consulted): number | null {
  if (outcome.kind !== 'reply') return null;
  const denial = outcome.authority.filter(({ type }) => type === 'SOA');
  const ttls = [...outcome.answer, ...denial].map(({ ttl }) => ttl);
  return ttls.length === 0 ? null : Math.min(...ttls);
}
