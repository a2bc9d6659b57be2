/* The paths on which a validating resolver comes through a step, with what it has learnt on each. */

import { type ProofNeed, proofNeedKey } from '../../explore/proof-knowledge.ts';
import type { End } from '../end.ts';
import { divide, type Fraction, lowestTerms, multiply, ONE, sum } from '../fraction.ts';
import type { AddressOutcomes, StepServer, Walk } from '../step.ts';

/** Paths at a step, and what they have come through there. */
export interface PathsAtStep extends Pick<PathsLeaving, 'weight' | 'keys' | 'lessons'> {
  readonly stops: FailedWaits;
}

/** By the key of what is wanted: the ends of those who wait for it in vain, each with its part of them. */
export type FailedWaits = ReadonlyMap<string, readonly FailedWait[]>;

/** An end of paths that wait for something in vain. */
export interface FailedWait extends StepWait {
  readonly end: End;
}

/** The way to the step's first question. */
export const BEGINNING: PathsAtStep = { weight: ONE, keys: [], lessons: [], stops: new Map() };

/** With the ends of those who wait for this, where there are any. */
export function withFailedWaits(
  stops: FailedWaits,
  want: ProofNeed,
  ended: readonly FailedWait[],
): FailedWaits {
  const all = total(ended);
  if (all.numerator === 0n) return stops;
  const each = ended.map((stop) => ({ ...stop, weight: divide(stop.weight, all) }));
  return new Map([...stops, [proofNeedKey(want), each]]);
}

function total(picks: readonly { readonly weight: Fraction }[]): Fraction {
  return sum(picks.map(({ weight }) => weight));
}

/** The way on for the paths that took one of these. */
export function passedOn(way: PathsAtStep, picks: readonly StepWait[]): PathsAtStep {
  return { ...way, weight: lowestTerms(multiply(way.weight, total(picks))) };
}

/** The same, with the time that it took to learn something. */
export function withLesson(way: PathsAtStep, picks: readonly StepWait[]): PathsAtStep {
  return { ...passedOn(way, picks), lessons: [...way.lessons, picks] };
}

/** Something that a path waits for at a step: the first outcome of a question that can be taken. */
export interface StepWait {
  readonly weight: Fraction;
  /** What came of that question. */
  readonly heard: AddressOutcomes<unknown>;
  /** Where it was taken; absent: all servers were asked in vain. */
  readonly pick?: PickedOutcome;
}

/** The server whose outcome is taken; `at`: and its address, of all that there were, unless a limit ended the lookup. */
interface PickedOutcome {
  readonly server: StepServer;
  readonly at?: { readonly address: string; readonly set: readonly string[] };
}

/** Paths that leave a step in one way, with what they waited for. */
export interface PathsLeaving {
  readonly weight: Fraction;
  /** The picks that brought the zone's keys; none where no keys were needed. */
  readonly keys: readonly StepWait[];
  /** The picks that brought each further thing. */
  readonly lessons: readonly (readonly StepWait[])[];
  readonly reply: StepWait;
  /** Where the paths go on, unless they end. */
  readonly walk: Walk | undefined;
}
