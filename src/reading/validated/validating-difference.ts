import type { TraversalResult } from '../../document/result.ts';
import type { View } from '../../document/views.ts';
import { compare, type Fraction } from '../../evaluate/fraction.ts';
import { knownShares } from '../cold-and-warm.ts';
import { bearingShare } from '../comparison.ts';
import { isIntercepted } from '../finding-place.ts';
import { sureDifference } from '../sure-difference.ts';

type Viewed = Pick<TraversalResult, 'resolver' | 'validating' | 'findings'>;

/** How what validating resolvers' users get compares with what others get. */
type ValidatingDifference =
  /** Nobody asked for that, or somebody else answered for the servers. */
  | 'not-validated'
  /** Nothing differs for certain. */
  | 'same'
  | 'differs';

/** Compares the validating views of a result with its resolver view: svc-model(7), VALIDATING. */
export function validatingDifference(result: Viewed): ValidatingDifference {
  const { validating, resolver } = result;
  if (validating === undefined || isIntercepted(result)) return 'not-validated';
  const differs = ({ summary }: Pick<View, 'summary'>) =>
    sureDifference(knownShares(resolver.summary), knownShares(summary)) !== 'nothing';
  return [validating, validating.firstTry].some(differs) ? 'differs' : 'same';
}

/** The shares of validating resolvers' users who get nothing. */
export interface ValidatingFailures {
  /** Where the resolver tries another server if a reply does not verify. */
  readonly tryingOn: Fraction;
  /** Where it takes the first reply. */
  readonly firstTry: Fraction;
}

/** How many of validating resolvers' users get nothing, if these are more than of others; else undefined. */
export function validatingFailures(result: Viewed): ValidatingFailures | undefined {
  const { validating, resolver } = result;
  if (validating === undefined || isIntercepted(result)) return undefined;
  const anyway = bearingShare(resolver.outcomes, 'fails');
  const failing = ({ outcomes }: View) => bearingShare(outcomes, 'fails');
  const failures = { tryingOn: failing(validating), firstTry: failing(validating.firstTry) };
  return Object.values(failures).some((share) => compare(share, anyway) > 0) ? failures : undefined;
}
