import { formatDurationMs } from '../../base/duration.ts';
import { queryLimitWords, whyBlocked } from '../../document/words/end-words.ts';
import { plain } from '../../document/words/names.ts';
import type { UnknownEnd } from '../../evaluate/end.ts';
import { type Action, type Advice, numberOf, ownerOf, type Subject, serversText } from '../advice.ts';

/** Explains an end behind which nothing was examined. */
export function explainNotExamined({ end, servers }: Subject<UnknownEnd>): Advice {
  switch (end.kind) {
    case 'blocked':
      return explainBlocked({ end, servers });
    case 'depth-limit':
      return explainDepth(end);
    case 'query-limit':
      return advise(`The traversal was limited to ${leftUnasked(end)}.`, MORE[end.unit ?? 'queries']);
    case 'time-limit':
      if (end.reason === 'cancelled')
        return advise('The traversal was cancelled before this was answered.', 'let it run to its end');
      return advise(
        `The traversal was limited to ${formatDurationMs(end.limit)}, and this was not answered in time.`,
        'allow more time (--max-time)',
      );
    case 'work-limit':
      return advise(
        `There are so many different steps that the evaluation stopped after ${end.limit} of them.`,
        'look at fewer: a lower --max-depth, or one address family only (-4)',
      );
  }
}

type Blocked = Extract<UnknownEnd, { kind: 'blocked' }>;

function advise(why: string, what: string): Advice {
  return { means: `${why} ${UNKNOWN}`, actions: [you(what)] };
}

const UNKNOWN = 'What users get there is unknown.';

function explainBlocked({ end, servers }: Subject<Blocked>): Advice {
  const who = `${serversText(servers)} ${numberOf(servers) === 'one' ? 'was' : 'were'}`;
  switch (whyBlocked(end)) {
    case 'denied':
      return advise(
        `${who} not asked about ${plain(end.question.name)}: the deny list of whoever ran the traversal forbids it.`,
        'ask from elsewhere, or ask whoever ran it to change the list',
      );
    case 'special-purpose': {
      const what = `give the server a public address, or remove it from the delegation of ${plain(end.zone)}`;
      const inside = 'if you are inside its network, ask it all the same (--allow-special-targets)';
      return {
        means: `${who} not asked: the address is private or otherwise not reachable from the internet. ${UNKNOWN}`,
        actions: [{ who: ownerOf(end.zone), what }, you(inside)],
      };
    }
  }
}

function explainDepth({ limit, zone }: Extract<UnknownEnd, { kind: 'depth-limit' }>): Advice {
  const what = 'shorten the chain of aliases and of name servers that depend on other zones';
  return {
    means: `This path has more than ${limit} referrals, aliases and lookups and was not followed further. ${UNKNOWN} Resolvers give up on such paths too.`,
    actions: [you('follow it further (--max-depth)'), { who: ownerOf(zone), what }],
  };
}

function leftUnasked(end: Extract<UnknownEnd, { kind: 'query-limit' }>): string {
  if (end.unit === undefined) return `${end.limit} questions, and this one was not asked`;
  return `${queryLimitWords(end)}, and this question was not asked`;
}

const MORE = {
  queries: 'allow more questions (--max-queries)',
  packets: 'ask whoever runs the service to allow more packets (--max-packets)',
  octets: 'look at fewer servers: a lower --max-depth, or one address family only (-4)',
} as const;

function you(what: string): Action {
  return { who: 'you', what };
}
