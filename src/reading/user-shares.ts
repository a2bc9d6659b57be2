import type { OutcomeRow } from '../document/ends.ts';
import type { TraversalResult } from '../document/result.ts';
import { compare, ZERO } from '../evaluate/fraction.ts';
import { bearingShare } from './comparison.ts';

/** Whether some resolvers, cold, warm or validating, get no answer: nothing at all, or a denial where others get an answer. */
export function someoneGetsNoAnswer({
  resolver,
  warm,
  validating,
}: Pick<TraversalResult, 'resolver' | 'warm' | 'validating'>): boolean {
  const views = [
    resolver,
    ...(warm === undefined ? [] : [warm.resolver]),
    ...(validating === undefined ? [] : [validating, validating.firstTry]),
  ];
  return views.some(({ outcomes }) => lacksAnswers(outcomes));
}

function lacksAnswers(outcomes: readonly OutcomeRow[]): boolean {
  const fails = compare(bearingShare(outcomes, 'fails'), ZERO) > 0;
  const kinds = new Set(outcomes.map(({ kind }) => kind));
  return fails || (kinds.has('answer') && (kinds.has('nxdomain') || kinds.has('nodata')));
}
