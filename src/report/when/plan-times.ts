/* Words how long the changes of a plan take, in a line for each name. */

import { getOrMake } from '../../base/memo.ts';
import type { DangerRow, Times } from '../../document/when.ts';
import { durationWords } from '../../document/words/moments.ts';
import { productWords } from './moves.ts';

/** "old answers last up to 5 minutes"; empty if no resolver holds an old answer. */
export function oldAnswerWords({ at, changes = [] }: Times): string {
  const profiles = changes.flatMap((change) => change.profiles);
  const endless = [...new Set(profiles.filter(({ lastAt }) => lastAt === null).map(({ name }) => name))];
  if (endless.length > 0)
    return `old answers last as long as the old servers answer (${productWords(endless)})`;
  const ms = Math.max(0, ...profiles.map(({ lastAt }) => timeUntil(lastAt, at)));
  return ms === 0 ? '' : `old answers last up to ${durationWords(ms)}`;
}

/** A danger that passes, and the time from the change until then in words. */
export interface PassingDanger {
  readonly until: string;
  readonly message: string;
}

/** The dangers that pass, of all names, each once with the longest time, the soonest over first. */
export function passingDangers(times: readonly Times[]): readonly PassingDanger[] {
  const longest = new Map<string, { ms: number }>();
  for (const { at, dangers = [] } of times) {
    for (const { until, message } of dangers.filter(isPassing)) {
      const known = getOrMake(longest, message, () => ({ ms: 0 }));
      known.ms = Math.max(known.ms, timeUntil(until, at));
    }
  }
  return [...longest]
    .sort(([, one], [, other]) => one.ms - other.ms)
    .map(([message, { ms }]) => ({ until: `${durationWords(ms)} later`, message }));
}

/** Those that last are trouble of the planned name itself. */
function isPassing({ until }: DangerRow): boolean {
  return until !== null;
}

/** In milliseconds. */
function timeUntil(moment: string | null, at: string): number {
  return moment === null ? 0 : Date.parse(moment) - Date.parse(at);
}
