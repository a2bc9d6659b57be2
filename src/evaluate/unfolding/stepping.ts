import type { Pausable } from '../../pausable.ts';
import type { Approach } from './opening.ts';
import type { Variant } from './variants.ts';

/** Unfolds steps: what unfolding one of them asks for those that it leads to. */
export interface Stepping {
  /** "Having come through these delegations, ask this": at once what is known, for most steps are met on many ways. */
  step(approach: Approach): Variant | Pausable<Variant>;
  /** Takes note of work. */
  spend(steps: number): void;
  /** Whether that was more than there may be: what is returned is void then. */
  readonly isTooMuch: boolean;
}

/** Whether a step is known already, rather than still to be unfolded. */
export function isKnown(begun: Variant | Pausable<Variant>): begun is Variant {
  return 'walk' in begun;
}
