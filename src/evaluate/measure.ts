import { type Fraction, ONE, share } from './fraction.ts';

/** The weight of one of `picks` picks: what a fold over paths adds up. */
export type PickWeight = (picks: number) => Fraction;

/** Every pick is uniform: exact probabilities. */
export const PROBABILITY: PickWeight = share;

/** Every pick is one: the number of distinct paths. */
export const PATHS: PickWeight = () => ONE;
