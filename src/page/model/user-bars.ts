/* What users get, as bars with one legend: the same groups and rows that the text prints. */

import { percentages } from '../../document/words/quantities.ts';
import { toNumber } from '../../evaluate/fraction.ts';
import { fromWords, rangeWords, toldColumns } from '../../report/text/user-rows.ts';
import { type Effect, effectOfKind, MARKS } from '../../report/views/effects.ts';
import { lateSharesWords } from '../../report/views/users.ts';
import { comparedShares, endTerm } from '../../report/views/wording.ts';
import type { Shown } from './shown.ts';

/** The bars of a result, and their legend. */
export interface UserPicture {
  readonly bars: readonly UserBar[];
  /** In the order of the parts of each bar. */
  readonly legend: readonly UserShare[];
  /** Who gets it only at a second try, in a sentence; empty: nobody. */
  readonly late: string;
}

/** A group of users. */
export interface UserBar {
  /** Empty where all get the same. */
  readonly title: string;
  /** From 0 to 1, for each row of the legend. */
  readonly sizes: readonly number[];
}

/** Something that users get. */
export interface UserShare {
  readonly key: string;
  readonly mark: string;
  /** Classes that colour it. */
  readonly tone: string;
  readonly words: string;
  /** "from ns1.example and ns2.example"; empty where that is not known. */
  readonly from: string;
  /** In percent, for each bar. */
  readonly shares: readonly string[];
  /** "75 %", "BIND 5 %, others 75 %"; groups that never get it are left out. */
  readonly told: string;
}

/** The bars of a result. */
export function userPicture(shown: Shown): UserPicture {
  const { result, wording } = shown;
  const columns = toldColumns(result, wording);
  const rows = comparedShares(columns.map(({ summary }) => summary));
  const summaries = columns.flatMap(({ summary }) => summary);
  const percents = percentages(rows.flatMap(({ shares }) => shares));
  const contested = isContested(shown);
  const late = lateSharesWords(result, 'named');
  return {
    bars: columns.map(({ head }, at) => ({
      title: columns.length === 1 ? '' : head,
      sizes: rows.map(({ shares }) => (shares[at] === undefined ? 0 : toNumber(shares[at]))),
    })),
    legend: rows.map(({ term, kind }, row) => {
      const own = effectOfKind(kind);
      const effect: Effect = contested && own === 'ends-well' ? 'differs' : own;
      const summary = summaries.find((one) => endTerm(one) === term);
      const range = columns.length === 1 && summary !== undefined ? rangeWords(summary, result) : undefined;
      const shares = columns.map((_, at) => range ?? percents[row * columns.length + at] ?? '');
      const told = columns.flatMap(({ head }, at) =>
        columns.length === 1
          ? (shares[at] ?? [])
          : shares[at] === '0 %' && result.whatIf === undefined
            ? []
            : `${head} ${shares[at]}`,
      );
      return {
        key: term,
        mark: MARKS[effect] || '✓',
        tone: `effect-${effect} tone-${row % TONES}`,
        words: wording.shorten(term),
        from: summary === undefined ? '' : fromWords(summary, result),
        shares,
        told: told.join(', '),
      };
    }),
    late: late === '' ? '' : `${late} get it only at a second try.`,
  };
}

/** Whether users get several answers, of which none can be called right. */
export function isContested({ result, wording }: Shown): boolean {
  const summaries = toldColumns(result, wording).map(({ summary }) => summary);
  const usable = comparedShares(summaries).filter(({ kind }) => effectOfKind(kind) === 'ends-well');
  return usable.length > 1 && !summaries.flat().some(({ expected }) => expected !== undefined);
}

/** Answers that follow each other have different patterns. */
const TONES = 3;
