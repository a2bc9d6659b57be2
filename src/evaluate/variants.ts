import type { Chain } from '../explore/chain.ts';
import type { StepRole } from '../explore/warm.ts';
import { getOrMake } from '../get-or-make.ts';
import { type Question, questionKey } from '../wire/question.ts';
import { type Context, type Footprint, holdsIn } from './footprint.ts';
import type { Walk } from './step.ts';

/** What unfolding one step came to, in one context. */
export interface Variant {
  readonly walk: Walk;
  readonly footprint: Footprint;
  readonly depth: number;
}

/** What a step has come to so far, in different contexts. */
export class Variants {
  readonly #known = new Map<Chain, Map<string, Variant[]>>();

  /** All of one step; a new one may be added. */
  at(chain: Chain, question: Question, role: StepRole): Variant[] {
    const steps = getOrMake(this.#known, chain, () => new Map<string, Variant[]>());
    return getOrMake(steps, stepKey(question, role), () => []);
  }
}

function stepKey(question: Question, role: StepRole): string {
  switch (role.kind) {
    case 'cold':
      return questionKey(question);
    case 'warm':
      return `warm ${questionKey(question)}`;
    case 'apex':
      return `apex ${questionKey(role.ahead)}`;
  }
}

/** The first variant that holds in a context too, if one does, and how many had to be looked at. */
export function variantIn(
  variants: readonly Variant[],
  context: Context,
  deepest: number,
): { readonly known: Variant | undefined; readonly seen: number } {
  const found = variants.findIndex(({ footprint, depth }) => holdsIn(footprint, depth, context, deepest));
  return found < 0
    ? { known: undefined, seen: variants.length }
    : { known: variants[found], seen: found + 1 };
}
