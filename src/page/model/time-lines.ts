import type { TraversalResult } from '../../document/result.ts';
import type { LeadRow } from '../../document/when.ts';
import { grouped } from '../../document/words/lists.ts';
import { durationWords } from '../../document/words/moments.ts';
import { changeWords, longestWords, stepWords } from '../../report/when/lead-text.ts';
import { productWords } from '../../report/when/moves.ts';
import { leadTimesOf } from '../../report/when/times.ts';

/** What users see of one kind of change, and when. */
export interface TimeLine {
  readonly title: string;
  /** One for all products, or one for those that are alike. */
  readonly rows: readonly TimeRow[];
  /** What to do, in order, with the time to wait after each step. */
  readonly steps: readonly string[];
}

/** When users of some products see a change. */
export interface TimeRow {
  /** Absent: all. */
  readonly products?: string;
  readonly words: string;
  /** How far along the line half of the users, and the last of them, see it: 0 to 100. */
  readonly half: number;
  readonly last: number;
}

/** The time lines of a result, on one scale, and what is to be noticed about them. */
export interface TimeLines {
  readonly lines: readonly TimeLine[];
  readonly notices: readonly string[];
}

/** Works out the time lines of a result. */
export function timeLines(result: TraversalResult): TimeLines {
  const { lead, notices } = leadTimesOf(result);
  const longest = Math.max(1, ...lead.flatMap(({ profiles }) => profiles.map(({ lastMs }) => lastMs ?? 0)));
  // From a second to the longest, as people think of times: a minute is as far from an hour as that from two days.
  const along = (ms: number | null) =>
    ms === null ? 100 : Math.round((1_000 * Math.log1p(ms / 1_000)) / Math.log1p(longest / 1_000)) / 10;
  const lines = lead.map((row) => {
    const alike = grouped(row.profiles, rowWords);
    return {
      title: changeWords(row),
      rows: alike.map((same): TimeRow => {
        const [{ lastMs, halfMs }] = same;
        const times = { words: rowWords(same[0]), half: along(halfMs), last: along(lastMs) };
        return alike.length === 1
          ? times
          : { products: productWords(same.map(({ name }) => name)), ...times };
      }),
      steps: (row.steps ?? []).map(stepWords),
    };
  });
  return { lines, notices: notices.map(({ message }) => message) };
}

function rowWords(time: LeadRow['profiles'][number]): string {
  const words = longestWords(time, LOOK);
  return time.halfMs === null ? words : `last user after ${words}, half after ${durationWords(time.halfMs)}`;
}

const LOOK = { sums: 'hidden' } as const;
