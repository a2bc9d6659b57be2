/* Remembers what unfolding a step gave, by the facts of its context that it looked at. */

import { getOrMake } from '../../base/memo.ts';
import { type Question, questionKey } from '../../dns/message.ts';
import type { Chain, Delegation } from '../../explore/delegation.ts';
import { roleKey, type StepRole, wholeQuestion } from '../../explore/main-walks.ts';
import type { Walk } from '../step.ts';
import type { Context, Cuts, Footprint } from './footprint.ts';

/** The results of unfolding so far, by the last delegation, question and role of the step. */
export class Variants {
  readonly #known = new Map<Delegation, Map<string, StepVariants>>();

  /** All of one question in one role; a new one may be added. */
  at({ delegation }: Chain, question: Question, role: StepRole): StepVariants {
    const steps = getOrMake(this.#known, delegation, () => new Map<string, StepVariants>());
    return getOrMake(steps, stepKey(question, role), () => new StepVariants());
  }
}

/** The result of unfolding one step in one context. */
export interface Variant {
  readonly walk: Walk;
  readonly footprint: Footprint;
  readonly chain: Chain;
  readonly depth: number;
}

/** A chain that a path came through, and what else it brings. */
interface PathSoFar {
  readonly chain: Chain;
  readonly context: Context;
}

function stepKey(question: Question, role: StepRole): string {
  return `${roleKey(role)} ${questionKey(wholeQuestion(question, role))}`;
}

/** The variants of one step, of which rings of lookups make thousands. */
export class StepVariants {
  readonly #all: { readonly variant: Variant; readonly sight: bigint; readonly set: bigint }[] = [];

  /** Whether there is none yet. */
  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  add(variant: Variant): void {
    const { clear, set } = variant.footprint;
    this.#all.push({ variant, sight: set | clear, set });
  }

  /** The first variant that holds for another way too, if one does, and how many there are up to it. */
  holdingIn(
    way: PathSoFar,
    within: Within,
  ): { readonly holding: Variant | undefined; readonly upToIt: number } {
    const { facts } = way.context;
    const at = this.#all.findIndex(
      ({ variant, sight, set }) => (facts & sight) === set && holds(variant, way, within),
    );
    return { holding: this.#all[at]?.variant, upToIt: at === -1 ? this.#all.length : at + 1 };
  }
}

interface Within {
  readonly deepest: number;
  readonly cuts: Cuts;
}

/** Whether a variant that saw the same facts holds for another way too. */
function holds({ footprint, chain, depth }: Variant, way: PathSoFar, { deepest, cuts }: Within): boolean {
  const at = way.context.depth;
  return (
    (footprint.reach === 'whole' ? at + footprint.height <= deepest : at === depth) &&
    (chain === way.chain || cuts.holdIn(way.chain, footprint.cuts))
  );
}
