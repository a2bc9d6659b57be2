import type { TraversalResult } from '../document/result.ts';
import { answerData } from '../document/summary.ts';
import { viewsOf } from '../document/views.ts';
import { type Detail, type Shorten, shortening } from './words/shortened.ts';

/** How much detail a text about a result gives. */
export interface Wording {
  readonly detail: Detail;
  /** Shortens the data of an answer, and keeps different answers of the result different. */
  readonly shorten: Shorten;
}

/** The wording for a result: nothing is shortened in full detail. */
export function wordingFor(result: TraversalResult, detail: Detail): Wording {
  return wordingForAll([result], detail);
}

/** The wording for results that are shown together. */
export function wordingForAll(results: readonly TraversalResult[], detail: Detail): Wording {
  if (detail === 'full') return { detail, shorten: (text) => text };
  const ends = results.flatMap(viewsOf).flatMap(({ outcomes }) => outcomes);
  const answers = ends.map((end) => answerData(end).join(', '));
  return { detail, shorten: shortening(answers) };
}
