import type { TraversalResult } from '../../document/result.ts';
import { endWords } from '../../reading/end-words.ts';
import type { Wording } from '../../reading/wording.ts';
import { percentages, shortFraction } from '../../reading/words/percent.ts';
import { count } from '../../reading/words/quantities.ts';
import { wrapped } from '../../reading/words/wrapped.ts';
import { type Advice, actionSentence } from '../explain/advice.ts';
import { type Explanation, explained, WHO_ENDS } from '../explain/explanations.ts';
import { STYLES } from '../table/styles.ts';
import type { Cell, Rows } from '../table/table.ts';

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
  { view, end, bearing, probability }: Explanation,
  percent: string,
  { shorten }: Wording,
): readonly Cell[] {
  return [
    { text: percent, align: 'right', style: 'strong' },
    { text: shortFraction(probability), align: 'right', style: 'faint' },
    { text: `${WHO_ENDS[view]}${endWords(end, shorten)}`, style: STYLES[bearing] },
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
