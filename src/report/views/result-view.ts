/* All that texts and pictures ask of a result, computed once before anything is printed. */

import type { TraversalResult } from '../../document/result.ts';
import type { Detail } from '../../document/words/shortened.ts';
import { ignoredWords, notCheckedWords } from './not-checked.ts';
import { provenWords, type UserGroup, userGroups } from './users.ts';
import { type Wording, wordingFor } from './wording.ts';

/** A result, and what several parts of a text need of it. */
export interface ResultView {
  readonly result: TraversalResult;
  /** Those of cold resolvers first. */
  readonly users: readonly UserGroup[];
  /** How well the answers are proven: "secure"; undefined where nothing could be. */
  readonly proof: string | undefined;
  /** The views that were left out, and the findings that the user does not want; empty if there are none. */
  readonly notChecked: string;
  readonly ignored: string;
  readonly wording: Wording;
}

/** Computes them. */
export function resultView(result: TraversalResult, detail: Detail): ResultView {
  return {
    result,
    users: userGroups(result),
    proof: provenWords(result),
    notChecked: notCheckedWords(result.notChecked),
    ignored: ignoredWords(result),
    wording: wordingFor(result, detail),
  };
}
