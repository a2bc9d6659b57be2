import { ALL, type Weight } from './weight.ts';

/** The weight of one of `picks` picks: what a fold over paths adds up. */
export type Measure = (picks: number) => Weight;

/** Every pick is uniform: exact probabilities. */
export const PROBABILITY: Measure = (picks) => ({ parts: 1n, whole: BigInt(picks) });

/** Every pick is one: the number of distinct paths. */
export const PATHS: Measure = () => ALL;
