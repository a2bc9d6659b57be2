import type { Draw } from '../../chance.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { StepRow } from '../../document/steps.ts';
import type { End } from '../../evaluate/end.ts';
import { commonDenominator, type Fraction, ONE, readFraction, sum } from '../../evaluate/fraction.ts';
import { bearingOf } from '../bearing.ts';
import { contentKey } from '../comparison.ts';
import { resultIndex } from '../result-index.ts';
import { type PickView, picksAt } from './pick-views.ts';

/** One step of a path, and what was picked there. */
export interface Hop {
  readonly step: StepRow;
  readonly pick: PickView;
}

/** One path of the path view: its steps in order, and where it stops. */
interface OnePath {
  readonly hops: readonly Hop[];
  readonly end: End;
}

/** One path of a result, picked at each step with the shares of the path view; undefined where there is none. */
export function onePath(result: TraversalResult, draw: Draw): OnePath | undefined {
  const index = resultIndex(result);
  if (index.begin === undefined) return undefined;
  const hops: Hop[] = [];
  let next = index.next(index.begin);
  while (next.kind === 'step') {
    const { step } = next;
    const pick = drawn(picksAt({ steps: [step], share: () => ONE }, index, bearingOf), draw);
    hops.push({ step, pick });
    next = pick.next;
  }
  return { hops, end: next.end };
}

/** One of some picks whose probabilities add up to 1. */
function drawn(picks: readonly PickView[], draw: Draw): PickView {
  const shares = picks.map((pick) => ({ pick, share: pick.probability() }));
  const whole = commonDenominator(shares.map(({ share }) => share.denominator));
  let left = draw(whole);
  for (const { pick, share } of shares) {
    const { numerator, denominator } = share;
    left -= numerator * (whole / denominator);
    if (left < 0n) return pick;
  }
  throw new Error('the shares of a step do not add up to 1');
}

/** The share of paths that end in something else than this. */
export function otherwise({ outcomes }: TraversalResult, end: End): Fraction {
  const key = contentKey(end);
  const others = outcomes.filter((other) => contentKey(other) !== key);
  return sum(others.map(({ fraction }) => readFraction(fraction)));
}
