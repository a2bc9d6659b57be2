/* Counts the time and the tries that a resolver spends at a step. */

import { add, digitsOf, type Fraction, lowestTerms, multiply, ONE } from '../fraction.ts';

/** How long a resolver has waited at a step, and how many tries were in vain: one number, so that both add up at once. */
export type Spent = number;

const MOST_TRIES = 1023;
const ONE_SLOT = MOST_TRIES + 1;

/** Time is counted in slots of so many milliseconds: numbers stay few, and what users notice is longer. */
export const SLOT_MS = 100;

/** No user waits longer. */
const MOST_SLOTS = 30_000 / SLOT_MS;

/** So much time, without a try. */
export function timeSpent(ms: number): Spent {
  return Math.min(MOST_SLOTS, Math.round(ms / SLOT_MS)) * ONE_SLOT;
}

/** The time, in slots. */
export function slotsOf(spent: Spent): number {
  return Math.floor(spent / ONE_SLOT);
}

/** The tries in vain. */
export function triesOf(spent: Spent): number {
  return spent % ONE_SLOT;
}

/** Both, one after the other. */
export function inTurn(one: Spent, other: Spent): Spent {
  const slots = Math.min(MOST_SLOTS, slotsOf(one) + slotsOf(other));
  return slots * ONE_SLOT + Math.min(MOST_TRIES, triesOf(one) + triesOf(other));
}

/** What can have been spent, with the probability of each; all together at most 1. */
export type Waits = ReadonlyMap<Spent, Fraction>;

/** It does not happen. */
export const NEVER: Waits = new Map();

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
