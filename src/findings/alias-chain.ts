import type { Step, Visit, Walk } from '../evaluate/step.ts';
import { followAliases } from '../explore/follow-aliases.ts';
import type { Exchanged } from '../explore/recording.ts';
import type { Response } from '../explore/response.ts';
import { plain } from '../reading/names.ts';
import type { Name } from '../wire/name.ts';
import { aliasAt } from './alias-at.ts';
import type { Check, Draft } from './draft.ts';
import type { Evidence } from './evidence.ts';

/** Resolvers give up somewhere between 8 and 16 aliases in a row. */
const MANY_LINKS = 8;

/** CNAME_CHAIN_LONG: more aliases in a row than every resolver follows, or two at one name. */
export const aliasChain: Check = (evidence) => [...longChain(evidence), ...doubleAliases(evidence)];

function longChain({ evaluation, plan }: Evidence): readonly Draft[] {
  const { links, zone, proof } = new Chains().longest(evaluation.start);
  if (links <= MANY_LINKS || zone === undefined) return [];
  const message = `${plain(plan.question.name)} takes ${links} aliases in a row to come to its data, more than some resolvers follow: point the first one nearer to the end.`;
  return [{ zone, message, proof }];
}

interface Chain {
  readonly links: number;
  /** Where the first alias is. */
  readonly zone: Name | undefined;
  readonly proof: readonly Exchanged[];
}

const NO_CHAIN: Chain = { links: 0, zone: undefined, proof: [] };

/** The longest chain of aliases from each step on; the steps below a walk are acyclic. */
class Chains {
  readonly #chains = new Map<Step, Chain>();

  longest(walk: Walk): Chain {
    if (walk.kind === 'cut') return NO_CHAIN;
    const known = this.#chains.get(walk.step);
    if (known !== undefined) return known;
    const chain = this.#fold(walk.step);
    this.#chains.set(walk.step, chain);
    return chain;
  }

  #fold(step: Step): Chain {
    let best = NO_CHAIN;
    for (const visit of step.visits.values()) {
      const chain = this.#through(step, visit);
      if (chain.links > best.links) best = chain;
    }
    return best;
  }

  #through({ question, delegation: { zone } }: Step, visit: Visit): Chain {
    if (visit.kind !== 'heard') return NO_CHAIN;
    const { exchanged, response, onward } = visit;
    const after = onward.kind === 'walk' ? this.longest(onward.walk) : NO_CHAIN;
    if (exchanged.outcome.kind !== 'reply' || !FOLLOWS.has(response.kind)) return after;
    const here = followAliases(exchanged.outcome.answer, question, zone).aliases.length;
    return here === 0 ? after : { links: here + after.links, zone, proof: [exchanged, ...after.proof] };
  }
}

/** What a reply can mean in which aliases were followed. */
const FOLLOWS: ReadonlySet<Response['kind']> = new Set(['answer', 'alias', 'alias-loop']);

/** RFC 2181 10.1: a name has one canonical name, so one CNAME. */
function doubleAliases({ contacts }: Evidence): readonly Draft[] {
  return contacts.flatMap(({ zone, heard }) =>
    heard.flatMap(({ exchanged }): Draft[] => {
      const { outcome, question } = exchanged;
      if (outcome.kind !== 'reply' || aliasAt(outcome.answer, question.name).cnames.length < 2) return [];
      const message = `${plain(question.name)} in ${plain(zone)} has more than one CNAME record, of which resolvers take any: leave one.`;
      return [{ zone, message, proof: [exchanged] }];
    }),
  );
}
