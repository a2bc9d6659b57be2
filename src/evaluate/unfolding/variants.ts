/* Remembers what unfolding a step gave, by the facts of its context that it looked at. */

import { getOrMake } from '../../base/memo.ts';
import { type Question, questionKey } from '../../dns/message.ts';
import type { Chain, Delegation } from '../../explore/delegation.ts';
import { roleKey, type StepRole, wholeQuestion } from '../../explore/main-walks.ts';
import type { Walk } from '../step.ts';
import { type Context, type Cuts, type Footprint, reachesAsFar } from './footprint.ts';

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

/**
 * The variants of one step, of which rings of lookups make thousands. They are found by what they looked at in their
 * contexts, as nearly all look at the same facts.
 */
export class StepVariants {
  /** By the facts looked at, and by those of them that were set: as bits, for each fact has a bit of its own. */
  readonly #bySight = new Map<bigint, Map<bigint, Numbered[]>>();
  #count = 0;

  /** Whether there is none yet. */
  get isEmpty(): boolean {
    return this.#count === 0;
  }

  add(variant: Variant): void {
    const { pendingClear, pendingSet, walkedClear, walkedSet } = variant.footprint;
    const set = pendingSet | walkedSet;
    const found = getOrMake(
      this.#bySight,
      set | pendingClear | walkedClear,
      () => new Map<bigint, Numbered[]>(),
    );
    getOrMake(found, set, (): Numbered[] => []).push({ variant, number: this.#count });
    this.#count += 1;
  }

  /** The first variant that holds for another way too, if one does, and how many there are up to it. */
  holdingIn(
    way: PathSoFar,
    within: Within,
  ): { readonly holding: Variant | undefined; readonly upToIt: number } {
    const set = way.context.pending | way.context.walked;
    let first: Numbered | undefined;
    for (const [sight, found] of this.#bySight) {
      const holding = found.get(set & sight)?.find(({ variant }) => holds(variant, way, within));
      if (holding !== undefined && (first === undefined || holding.number < first.number)) first = holding;
    }
    return { holding: first?.variant, upToIt: first === undefined ? this.#count : first.number + 1 };
  }
}

interface Numbered {
  readonly variant: Variant;
  readonly number: number;
}

interface Within {
  readonly deepest: number;
  readonly cuts: Cuts;
}

/** Whether a variant that saw the same facts holds for another way too. */
function holds({ footprint, chain, depth }: Variant, way: PathSoFar, { deepest, cuts }: Within): boolean {
  return (
    reachesAsFar(footprint, depth, way.context.depth, deepest) &&
    (chain === way.chain || cuts.holdIn(way.chain, footprint.cuts))
  );
}
