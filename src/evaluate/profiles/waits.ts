/* Counts the time that a resolver spends at a step. */

import { add, digitsOf, type Fraction, lowestTerms, multiply, ONE } from '../fraction.ts';

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

/** It happens at once. */
export const AT_ONCE: Waits = new Map([[0, ONE]]);

/** It happens after this, for certain. */
export function after(spent: Spent): Waits {
  return new Map([[spent, ONE]]);
}

/** One, and then the other, which does not depend on it. */
export function sequence(first: Waits, second: Waits): Waits {
  if (isAtOnce(first)) return second;
  if (isAtOnce(second)) return first;
  const waits = new Map<Spent, Fraction>();
  for (const [one, a] of first)
    for (const [other, b] of second) include(waits, inTurn(one, other), multiply(a, b));
  return waits;
}

/** The same, with this probability. */
export function weighted(waits: Waits, weight: Fraction): Waits {
  return new Map([...waits].map(([spent, chance]) => [spent, multiply(chance, weight)]));
}

/** Any of these, which exclude each other. */
export function together(all: Iterable<Waits>): Waits {
  const waits = new Map<Spent, Fraction>();
  for (const one of all) for (const [spent, chance] of one) include(waits, spent, chance);
  return waits;
}

/** How many hexadecimal digits the probabilities have. */
export function digitsOfWaits(waits: Waits): number {
  let digits = 0;
  for (const { denominator } of waits.values()) digits += digitsOf(denominator);
  return digits;
}

/** Adds to the probability that so much was spent. */
function include(waits: Map<Spent, Fraction>, spent: Spent, chance: Fraction): void {
  const known = waits.get(spent);
  waits.set(spent, known === undefined ? chance : lowestTerms(add(known, chance)));
}

function isAtOnce(waits: Waits): boolean {
  return waits === AT_ONCE;
}
