import type { Exchanged } from '../exchanged.ts';
import type { Pausable } from '../pausable.ts';
import type { Exploration } from './exploration.ts';
import type { WantedQuery } from './questions.ts';

/** Lets an exploration learn what was heard of these questions. */
export function* learnAgain(
  questions: readonly WantedQuery[],
  exploration: Exploration,
  heard: ReadonlyMap<string, Exchanged>,
): Pausable<void> {
  for (const { key } of questions) {
    const exchanged = heard.get(key);
    if (exchanged !== undefined) exploration.learn(exchanged);
    yield;
  }
}
