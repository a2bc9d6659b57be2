import type { TraversalResult } from '../../document/result.ts';
import type { End, PickedServer } from '../../evaluate/end.ts';
import { compare, type Fraction } from '../../evaluate/fraction.ts';
import { bearingOf } from '../../reading/bearing.ts';
import { contentKey, weightOf } from '../../reading/comparison.ts';

/** A share that grows in the resolver view, because other addresses of a name come before other names. */
export interface Gain {
  readonly path: Fraction;
  readonly resolver: Fraction;
  /** A failing address of a name server whose other addresses lead to what grows. */
  readonly failing: PickedServer;
}

/** Why resolvers get the answer of an end more often than paths do, if failing addresses are the reason. */
export function resolverGain(
  end: End,
  deciders: readonly PickedServer[],
  { outcomes, resolver }: TraversalResult,
): Gain | undefined {
  const isAlike = (other: End) => bearingOf(other) === 'ends-well' && contentKey(other) === contentKey(end);
  const [path, resolved] = [outcomes, resolver.outcomes].map((view) => weightOf(view.filter(isAlike)));
  const failing = outcomes.find(
    (other) => bearingOf(other) === 'fails' && deciders.some(({ name }) => name === other.server?.name),
  )?.server;
  if (path === undefined || resolved === undefined || failing === undefined || failing === null)
    return undefined;
  return compare(resolved, path) > 0 ? { path, resolver: resolved, failing } : undefined;
}
