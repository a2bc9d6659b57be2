/* Counts the time that a resolver spends at the servers of a zone. */

import { add, digitsOf, type Fraction, lowestTerms, multiply } from '../fraction.ts';

/** The time that a resolver has waited, in slots. */
export type Spent = number;

/** The milliseconds of a slot: so that numbers stay few, and users notice less. */
export const SLOT_MS = 100;

/** No user waits longer. */
const MOST_SLOTS = 30_000 / SLOT_MS;

export function timeSpent(ms: number): Spent {
  return Math.min(MOST_SLOTS, Math.round(ms / SLOT_MS));
}

/** One time after the other. */
export function inTurn(one: Spent, other: Spent): Spent {
  return Math.min(MOST_SLOTS, one + other);
}

/** The times that can have been spent, with the probability of each; all together at most 1. */
export type Waits = ReadonlyMap<Spent, Fraction>;

/** The same after so much more time: what is within the most that there may be, and what is over it. */
export function later(
  waits: Waits,
  more: Spent,
  most: Spent,
): { readonly within: Waits; readonly over: Waits } {
  if (more === 0) return { within: waits, over: NEVER };
  const [within, over] = [new Map<Spent, Fraction>(), new Map<Spent, Fraction>()];
  for (const [spent, chance] of waits) {
    const at = inTurn(spent, more);
    include(at > most ? over : within, at, chance);
  }
  return { within, over };
}

const NEVER: Waits = new Map();

/** The same, with this probability. */
export function weighted(waits: Waits, weight: Fraction): Waits {
  if (weight.numerator === weight.denominator) return waits;
  return new Map([...waits].map(([spent, chance]) => [spent, multiply(chance, weight)]));
}

/** Adds times that exclude those that were added before. */
export function addAll(into: Map<Spent, Fraction>, waits: Waits): void {
  for (const [spent, chance] of waits) include(into, spent, chance);
}

/** How many hexadecimal digits the probabilities have. */
export function digitsOfWaits(waits: Waits): number {
  let digits = 0;
  for (const { denominator } of waits.values()) digits += digitsOf(denominator);
  return digits;
}

function include(waits: Map<Spent, Fraction>, spent: Spent, chance: Fraction): void {
  const known = waits.get(spent);
  waits.set(spent, known === undefined ? chance : lowestTerms(add(known, chance)));
}
