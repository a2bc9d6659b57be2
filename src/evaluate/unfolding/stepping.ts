import type { Chain } from '../../explore/chain.ts';
import type { StepRole } from '../../explore/warm.ts';
import type { Pausable } from '../../pausable.ts';
import type { Question } from '../../wire/question.ts';
import type { Context } from './footprint.ts';
import type { Variant } from './variants.ts';

/** Unfolds steps: what unfolding one of them asks for those that it leads to. */
export interface Stepping {
  /** "Having come through these delegations, ask this". */
  step(chain: Chain, question: Question, role: StepRole, context: Context): Pausable<Variant>;
  /** Takes note of work. Whether it is time to pause. */
  spend(steps: number): boolean;
  /** Whether that was more than there may be: what is returned is void then. */
  readonly isTooMuch: boolean;
}
