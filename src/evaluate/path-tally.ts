import { type Distribution, include } from './distribution.ts';
import { type End, unexamined } from './end.ts';
import { type Fraction, ONE, share } from './fraction.ts';

/** What a fold over paths adds up. */
export interface PathTally {
  /** The weight of one of so many picks. */
  readonly pickWeight: (picks: number) => Fraction;
  /** What of a distribution there is need to tell apart. */
  readonly kept: (distribution: Distribution) => Distribution;
}

/** Every pick is as likely as the others: folds add up exact probabilities. */
export const uniformly: PathTally = { pickWeight: share, kept: (distribution) => distribution };

/** Every pick counts as one: folds count distinct paths. */
export const countingPaths: PathTally = { pickWeight: () => ONE, kept: withOneFailure };

/** Why a path failed does not matter to how many there are, so one such end stands for all. */
function withOneFailure({ whole, portions }: Distribution): Distribution {
  const failure = [...portions.keys()].find(isFailure);
  const kept = new Map<End, bigint>();
  for (const [end, parts] of portions) include(kept, isFailure(end) ? (failure ?? end) : end, parts);
  return { whole, portions: kept };
}

function isFailure(end: End): boolean {
  return end.kind !== 'answer' && unexamined(end) === undefined;
}
