import type { OutcomeRow } from '../document/ends.ts';
import type { TraversalResult } from '../document/result.ts';
import { compare, ZERO } from '../evaluate/fraction.ts';
import { bearingShare } from './comparison.ts';

/** Whether some resolvers, cold or warm, get no answer: nothing at all, or a denial where others get an answer. */
export function someoneGetsNoAnswer({ resolver, warm }: Pick<TraversalResult, 'resolver' | 'warm'>): boolean {
  return [resolver, ...(warm === undefined ? [] : [warm.resolver])].some(({ outcomes }) =>
    lacksAnswers(outcomes),
  );
}

function lacksAnswers(outcomes: readonly OutcomeRow[]): boolean {
  const fails = compare(bearingShare(outcomes, 'fails'), ZERO) > 0;
  const kinds = new Set(outcomes.map(({ kind }) => kind));
  return fails || (kinds.has('answer') && (kinds.has('nxdomain') || kinds.has('nodata')));
}
