import { formatDurationMs } from '../../base/duration.ts';
import type { ResolverRow } from '../../document/resolvers.ts';
import type { TraversalResult } from '../../document/result.ts';
import { plain } from '../../document/words/names.ts';
import type { Action, Advice } from '../advice.ts';
import { resolverAddress, saidWords } from '../views/wording.ts';

/** What it means that a resolver said something that no path ends in, or nothing of use; undefined where nothing is odd. */
export function explainResolver(row: ResolverRow, { query, complete }: TraversalResult): Advice | undefined {
  const { says, outcomes } = row;
  const who = `the operator of ${resolverAddress(row.server)}`;
  const name = plain(query.name);
  switch (says.kind) {
    case 'answer':
    case 'nodata':
    case 'nxdomain':
    case 'alias-loop':
      if (outcomes.length > 0) return undefined;
      return {
        means: `It says ${saidWords(row)}, which no ${complete ? '' : 'known '}path from the root ends in. It may keep what was true before a change, reach other servers than this host does, or replace replies on purpose.`,
        actions: [...waitFor(row), { who, what: `remove ${name} from its cache` }],
      };
    case 'error':
      if (says.rcode === 'SERVFAIL') return outcomes.length > 0 ? undefined : rejects(who);
      return {
        means: `It replied ${says.rcode}, so it does not serve users here.`,
        actions: [{ who: 'you', what: 'ask a resolver that serves this host' }],
      };
    case 'no-resolver':
      return {
        means: 'It refers to other servers instead of asking them, so it is no resolver for this host.',
        actions: [{ who: 'you', what: 'ask a resolver that serves this host' }],
      };
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return {
        means: 'It gave no usable reply, which says nothing about the name.',
        actions: [{ who: 'you', what: 'check its address and port, and whether it serves this host' }],
      };
  }
}

function waitFor({ ttl }: ResolverRow): readonly Action[] {
  if (ttl === null) return [];
  return [
    {
      who: 'you',
      what: `ask it again in ${formatDurationMs(ttl * MS_PER_SECOND)}, when its TTL has run out`,
    },
  ];
}

const MS_PER_SECOND = 1_000;

function rejects(who: string): Advice {
  return {
    means:
      'It replied SERVFAIL although no path fails. It may reject the data, as resolvers do that validate signatures (DNSSEC), or not reach the servers.',
    actions: [
      {
        who: 'you',
        what: 'ask it with checking disabled (dig +cd): an answer then means that validation fails',
      },
      { who, what: 'find in its log why the lookup failed' },
    ],
  };
}
