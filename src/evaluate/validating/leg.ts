import type { Fraction } from '../fraction.ts';
import type { StepServer, Walk } from '../step.ts';

/** Something that a path waits for at a step. */
export interface Timed {
  readonly weight: Fraction;
  readonly elapsedMs: number;
  /** The server whose addresses had to be looked up before, and all that this gave. */
  readonly server?: StepServer;
  readonly set?: readonly string[];
}

/** Paths that leave a step in one way, with what they waited for. */
export interface Leg {
  readonly weight: Fraction;
  /** The picks that brought the zone's keys; none where no keys were needed. */
  readonly keys: readonly Timed[];
  /** The picks that brought each further thing. */
  readonly lessons: readonly (readonly Timed[])[];
  readonly reply: Timed;
  /** Where the paths go on, unless they end. */
  readonly walk: Walk | undefined;
}
