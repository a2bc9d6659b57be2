/* Renders a result as text for people. */

import type { TraversalResult } from '../document/result.ts';
import { endWords } from '../document/words/end-words.ts';
import { count, percentages, shortFraction } from '../document/words/quantities.ts';
import { type Detail, wrapped } from '../document/words/shortened.ts';
import { type Advice, actionSentence } from './advice.ts';
import { type Explanation, explained, VIEW_WORDS } from './explanations.ts';
import { endRows, resolverRows } from './text/end-rows.ts';
import { factRows } from './text/fact-rows.ts';
import { findingRows } from './text/finding-rows.ts';
import { blocksText, type Cell, fitted, type Rows, STYLES } from './text/table.ts';
import { validatingRows, warmRows, whatIfRows } from './text/view-rows.ts';
import { lookupRows, zoneCutRows } from './text/zone-rows.ts';
import { comparisonOf } from './views/effects.ts';
import { resultIndex } from './views/result-index.ts';
import { verdictOn } from './views/verdict.ts';
import { type Wording, wordingFor } from './views/wording.ts';

/** How the text looks, and what it tells. */
export interface Look extends TextLook {
  /** Whether to say what each end means and what to do about it. */
  readonly ends?: 'listed' | 'explained';
}

/** How the text looks. */
export interface TextLook {
  readonly colour: 'on' | 'off';
  readonly detail: Detail;
  /** Columns that a line may take. */
  readonly width: number;
}

/**
 * A result as text for people: the verdict, the zone cuts from the root down, the findings, how paths
 * end, and the counters. A pure function, safe to print whatever the result holds.
 */
export function renderText(result: TraversalResult, look: Look): string {
  const { detail, width, ends } = look;
  const index = resultIndex(result);
  const { effectOf } = comparisonOf(result.outcomes);
  const wording = wordingFor(result, detail);
  const fitting = (rows: Rows) => fitted(rows, width);
  return blocksText(
    [
      titleRows(result),
      fitting(whatIfRows(result, wording)),
      fitting(zoneCutRows(index, effectOf, wording)),
      fitting(lookupRows(index, wording)),
      findingRows(result.findings, detail, width),
      endRows(result, effectOf, wording),
      fitting(resolverRows(result, effectOf, wording)),
      ends === 'explained' ? explanationRows(result, wording, width) : [],
      fitting(validatingRows(result, wording)),
      fitting(warmRows(result, wording)),
      factRows(result, detail),
    ],
    look,
  );
}

function titleRows(result: TraversalResult): Rows {
  const { name, type } = result.query;
  const { words, effect } = verdictOn(result);
  return [
    [
      { text: `${name} ${type}`, style: 'strong' },
      { text: words, style: STYLES[effect] },
    ],
  ];
}

/** Longer lines are hard to read. */
const WIDEST = 100;

/** The most ends that are explained unless full detail is wanted. */
const EXPLAINED = 12;

const INDENT = '  ';
const BULLET = '- ';

/** What each end means, what to do about it and who can; then what applies to all of them. */
export function explanationRows(result: TraversalResult, wording: Wording, width: number): Rows {
  const { ends, remarks } = explained(result);
  const shown = wording.detail === 'full' ? ends : ends.slice(0, EXPLAINED);
  const percents = percentages(shown.map(({ probability }) => probability));
  const more = ends.length - shown.length;
  const room = Math.min(width, WIDEST);
  return [
    [{ text: 'What these ends mean, and what to do', style: 'strong' }],
    ...shown.flatMap((one, at) => [heading(one, percents[at] ?? '', wording), ...adviceRows(one, room)]),
    ...(more === 0 ? [] : [[{ text: `and ${count(more, 'less probable end')} (-v explains all)` }]]),
    ...remarks.flatMap(
      (remark): Rows => [[{ text: remark.title, style: 'strong' }], ...adviceRows(remark, room)],
    ),
  ];
}

function heading(
  { view, end, effect, probability }: Explanation,
  percent: string,
  { shorten }: Wording,
): readonly Cell[] {
  return [
    { text: percent, align: 'right', style: 'strong' },
    { text: shortFraction(probability), align: 'right', style: 'faint' },
    { text: `${VIEW_WORDS[view]}${endWords(end, shorten)}`, style: STYLES[effect] },
  ];
}

function adviceRows({ means, actions }: Advice, width: number): Rows {
  const indented = (text: string, first: string) => {
    const hanging = ' '.repeat(first.length);
    return wrapped(text, width - first.length).map((line, at) => `${at === 0 ? first : hanging}${line}`);
  };
  const lines = [
    ...indented(means, INDENT),
    ...actions.flatMap((action) => indented(actionSentence(action), INDENT + BULLET)),
  ];
  return lines.map((text) => [{ text }]);
}
