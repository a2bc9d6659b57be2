import type { Chain } from '../explore/chain.ts';
import type { Delegation } from '../explore/delegation.ts';
import type { StepRole } from '../explore/warm.ts';
import { getOrMake } from '../get-or-make.ts';
import { type Question, questionKey } from '../wire/question.ts';
import type { Cuts } from './cuts.ts';
import { type Context, type Footprint, holdsIn } from './footprint.ts';
import type { Walk } from './step.ts';

/** What unfolding one step came to, in one context. */
export interface Variant {
  readonly walk: Walk;
  readonly footprint: Footprint;
  readonly chain: Chain;
  readonly depth: number;
}

/** A chain that a path came through, and what else it brings. */
export interface Way {
  readonly chain: Chain;
  readonly context: Context;
}

/** What steps with one last delegation have come to so far, in different contexts. */
export class Variants {
  readonly #known = new Map<Delegation, Map<string, Variant[]>>();

  /** All of one question in one role; a new one may be added. */
  at({ delegation }: Chain, question: Question, role: StepRole): Variant[] {
    const steps = getOrMake(this.#known, delegation, () => new Map<string, Variant[]>());
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
    case 'validating':
      return `${role.soFar} ${questionKey(question)}`;
    case 'proof':
      throw new Error('no path asks what is asked besides');
  }
}

/** The first variant that holds for another way too, if one does, and how many had to be looked at. */
export function variantIn(
  variants: readonly Variant[],
  { chain, context }: Way,
  { deepest, cuts }: { readonly deepest: number; readonly cuts: Cuts },
): { readonly known: Variant | undefined; readonly seen: number } {
  const found = variants.findIndex(
    (variant) =>
      holdsIn(variant.footprint, variant.depth, context, deepest) &&
      (variant.chain === chain || cuts.holdIn(chain, variant.footprint.cuts)),
  );
  return found < 0
    ? { known: undefined, seen: variants.length }
    : { known: variants[found], seen: found + 1 };
}
