import type { End } from '../../evaluate/end.ts';
import { plain } from '../../reading/names.ts';
import type { Action, Advice } from './advice.ts';
import { numberOf, ownerOf, type Subject, serversText } from './scene.ts';

type NotExamined = Extract<
  End,
  { kind: 'blocked' | 'pending' | 'depth-limit' | 'query-limit' | 'time-limit' | 'work-limit' }
>;

/** Ends that say nothing about the DNS: what lies behind them was not examined. */
export function explainNotExamined(subject: Subject<NotExamined>): Advice {
  const { end } = subject;
  const unknown = 'What users get there is not known.';
  switch (end.kind) {
    case 'blocked':
      return {
        means: `${serversText(subject)} ${numberOf(subject) === 'one' ? 'was' : 'were'} not asked: the address is private or otherwise not for the internet, where nobody can reach it.`,
        actions: [
          {
            who: ownerOf(end.zone),
            what: `give the server an address that everybody can reach, or remove it from the delegation of ${plain(end.zone)}`,
          },
          you('if you are in its network, ask it all the same (--allow-special-targets)'),
        ],
      };
    case 'pending':
      return { means: `The traversal is not done. ${unknown}`, actions: [you('wait for it to end')] };
    case 'depth-limit':
      return {
        means: `The way leads through more than ${end.limit} referrals, aliases and lookups, and was not followed further. ${unknown} Resolvers give up on such ways too.`,
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
        means: `The traversal was to ask no more than ${end.limit} questions, and this was not among them. ${unknown}`,
        actions: [you('allow more questions (--max-queries)')],
      };
    case 'time-limit':
      return {
        means: `The traversal's time was over before this was answered. ${unknown}`,
        actions: [you('allow more time (--max-time)')],
      };
    case 'work-limit':
      return {
        means: `There are so many ways to go that the evaluation stopped after ${end.limit} steps. ${unknown}`,
        actions: [you('allow fewer steps (--max-depth), or one family of addresses only (-4)')],
      };
  }
}

function you(what: string): Action {
  return { who: 'you', what };
}
