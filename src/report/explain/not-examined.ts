import { formatDurationMs } from '../../duration.ts';
import type { End } from '../../evaluate/end.ts';
import { plain } from '../../reading/words/names.ts';
import { queryLimitWords, whyBlocked } from '../../reading/words/not-asked.ts';
import type { Action, Advice } from './advice.ts';
import { numberOf, ownerOf, type Subject, serversText } from './people.ts';

/** An end that says nothing about the DNS, as nothing behind it was examined. */
type NotExamined = Extract<
  End,
  { kind: 'blocked' | 'pending' | 'depth-limit' | 'query-limit' | 'time-limit' | 'work-limit' }
>;

/** Explains an end behind which nothing was examined. */
export function explainNotExamined({ end, servers }: Subject<NotExamined>): Advice {
  const unknown = 'What users get there is unknown.';
  switch (end.kind) {
    case 'blocked':
      if (whyBlocked(end) === 'denied') return explainDenied(end, servers, unknown);
      return {
        means: `${serversText(servers)} ${numberOf(servers) === 'one' ? 'was' : 'were'} not asked: the address is private or otherwise not reachable from the internet. ${unknown}`,
        actions: [
          {
            who: ownerOf(end.zone),
            what: `give the server a public address, or remove it from the delegation of ${plain(end.zone)}`,
          },
          you('if you are inside its network, ask it all the same (--allow-special-targets)'),
        ],
      };
    case 'pending':
      return { means: `The traversal is still running. ${unknown}`, actions: [you('wait for it to finish')] };
    case 'depth-limit':
      return {
        means: `This path has more than ${end.limit} referrals, aliases and lookups and was not followed further. ${unknown} Resolvers give up on such paths too.`,
        actions: [
          you('follow it further (--max-depth)'),
          {
            who: ownerOf(end.zone),
            what: 'shorten the chain of aliases and of name servers that depend on other zones',
          },
        ],
      };
    case 'query-limit':
      return {
        means: `The traversal was limited to ${leftUnasked(end)}. ${unknown}`,
        actions: [you(MORE[end.unit ?? 'queries'])],
      };
    case 'time-limit':
      return {
        means: `The traversal was limited to ${formatDurationMs(end.limit)}, and this was not answered in time. ${unknown}`,
        actions: [you('allow more time (--max-time)')],
      };
    case 'work-limit':
      return {
        means: `There are so many different steps that the evaluation stopped after ${end.limit} of them. ${unknown}`,
        actions: [you('look at fewer: a lower --max-depth, or one address family only (-4)')],
      };
  }
}

function leftUnasked(end: Extract<NotExamined, { kind: 'query-limit' }>): string {
  if (end.unit === undefined) return `${end.limit} questions, and this one was not asked`;
  return `${queryLimitWords(end)}, and this question was not asked`;
}

const MORE = {
  queries: 'allow more questions (--max-queries)',
  packets: 'ask whoever runs the service to allow more packets (--max-packets)',
  octets: 'look at fewer servers: a lower --max-depth, or one address family only (-4)',
} as const;

function explainDenied(
  end: Extract<NotExamined, { kind: 'blocked' }>,
  servers: Subject<NotExamined>['servers'],
  unknown: string,
): Advice {
  const were = numberOf(servers) === 'one' ? 'was' : 'were';
  return {
    means: `${serversText(servers)} ${were} not asked about ${plain(end.question.name)}: the deny list of whoever ran the traversal forbids it. ${unknown}`,
    actions: [you('ask from elsewhere, or ask whoever ran it to change the list')],
  };
}

function you(what: string): Action {
  return { who: 'you', what };
}
