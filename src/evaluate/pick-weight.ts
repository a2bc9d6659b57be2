import { type Fraction, ONE, share } from './fraction.ts';

/** The weight of one of `picks` picks: what a fold over paths adds up. */
export type PickWeight = (picks: number) => Fraction;

/** Every pick is as likely as the others: folds add up exact probabilities. */
export const uniformly: PickWeight = share;

/** Every pick counts as one: folds count distinct paths. */
export const countingPaths: PickWeight = () => ONE;
