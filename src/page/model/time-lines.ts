import type { TraversalResult } from '../../document/result.ts';
import { grouped } from '../../document/words/lists.ts';
import { durationWords, momentWords } from '../../document/words/moments.ts';
import { changeWords, longestWords, stepWords } from '../../report/when/lead-text.ts';
import { productWords } from '../../report/when/moves.ts';
import { leadTimesOf } from '../../report/when/times.ts';

/** How long one kind of change takes to reach users. */
export interface TimeLine {
  readonly change: string;
  /** "users of BIND"; "all" where products are alike. */
  readonly who: string;
  /** "1 hour", and when that is over if the change were made when the result was seen. */
  readonly last: string;
  readonly until: string;
  /** How far along the axis half of the users, and the last of them, see it: 0 to 100. */
  readonly half: number;
  readonly whole: number;
  /** What to do, in order, with the time to wait after each step. */
  readonly steps: readonly string[];
}

/** The time lines of a result, on one axis, and what is to be noticed about them. */
export interface TimeLines {
  readonly lines: readonly TimeLine[];
  readonly axis: readonly { readonly words: string; readonly at: number }[];
  readonly notices: readonly string[];
}

/** Works out the time lines of a result. */
export function timeLines(result: TraversalResult): TimeLines {
  const { lead, notices } = leadTimesOf(result);
  const longest = Math.max(1, ...lead.flatMap(({ profiles }) => profiles.map(({ lastMs }) => lastMs ?? 0)));
  // From a second to the longest, as people think of times: a minute is as far from an hour as that from two days.
  const along = (ms: number | null) =>
    ms === null ? 100 : Math.round((1_000 * Math.log1p(ms / 1_000)) / Math.log1p(longest / 1_000)) / 10;
  const seen = new Date(result.finishedAt);
  const lines = lead.flatMap((row): TimeLine[] => {
    const alike = grouped(row.profiles, ({ lastMs }) => `${lastMs}`);
    const [worst] = [...alike].sort(([a], [b]) => (b.lastMs ?? Infinity) - (a.lastMs ?? Infinity));
    if (worst === undefined) return [];
    const { lastMs, halfMs } = worst[0];
    return [
      {
        change: changeWords(row),
        who: alike.length === 1 ? 'all' : productWords(worst.map(({ name }) => name)),
        last: longestWords(worst[0], { sums: 'hidden' }),
        until: lastMs === null ? '' : momentWords(new Date(seen.getTime() + lastMs), seen),
        half: along(halfMs),
        whole: along(lastMs),
        steps: (row.steps ?? []).map(stepWords),
      },
    ];
  });
  const [slowest] = lead.flatMap(({ profiles }) => profiles.filter(({ lastMs }) => lastMs === longest));
  const axis = [
    ...MARKED_MS.filter((ms) => along(ms) < LAST_MARK).map((ms) => ({
      words: durationWords(ms),
      at: along(ms),
    })),
    ...(slowest === undefined ? [] : [{ words: longestWords(slowest, { sums: 'hidden' }), at: 100 }]),
  ];
  return { lines, axis, notices: notices.map(({ message }) => message) };
}

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];

/** The moments that the axis names, before its end; further along there is no room for them. */
const MARKED_MS = [MINUTE_MS, HOUR_MS, 24 * HOUR_MS, 7 * 24 * HOUR_MS];
const LAST_MARK = 62;
