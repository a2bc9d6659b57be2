import { type WhatIfFlags, whatIfOf } from '../flags/what-if-flags.ts';
import { imaginedAs } from './imagined.ts';
import type { Evaluating } from './runner.ts';

/** How to evaluate the world that the flags imagine; undefined: the recorded one. Throws a `CommandError` for bad flags. */
export async function evaluatingFor(flags: WhatIfFlags): Promise<Evaluating | undefined> {
  const whatIf = whatIfOf(flags);
  if (whatIf === undefined) return undefined;
  return imaginedAs(whatIf);
}
