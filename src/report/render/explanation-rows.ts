import type { TraversalResult } from '../../document/result.ts';
import { endWords } from '../../reading/end-words.ts';
import { percentages, shortFraction } from '../../reading/percent.ts';
import { count } from '../../reading/quantities.ts';
import { type Detail, shortened } from '../../reading/shortened.ts';
import { wrapped } from '../../reading/wrapped.ts';
import { type Explanation, explanations } from '../explain/explanations.ts';
import type { Rows } from '../table/table.ts';
import { STYLES } from '../text/section-rows.ts';

/** Longer lines are hard to read. */
const WIDEST = 100;

/** So many ends are explained if nothing else is asked for. */
const EXPLAINED = 12;

const INDENT = '  ';
const BULLET = '- ';

/** What each end means and what to do about it, by whom. */
export function explanationRows(result: TraversalResult, detail: Detail, width: number): Rows {
  const all = explanations(result);
  const shown = detail === 'full' ? all : all.slice(0, EXPLAINED);
  const percents = percentages(shown.map(({ probability }) => probability));
  const more = all.length - shown.length;
  return [
    [{ text: 'What these ends mean, and what to do', style: 'strong' }],
    ...shown.flatMap((one, at) => [
      heading(one, percents[at] ?? '', detail),
      ...lines(one, Math.min(width, WIDEST)).map((text) => [{ text }]),
    ]),
    ...(more === 0 ? [] : [[{ text: `and ${count(more, 'less probable end')} (-v explains all)` }]]),
  ];
}

function heading({ view, end, bearing, probability }: Explanation, percent: string, detail: Detail) {
  const isGood = bearing === 'ends-well' || bearing === 'differs';
  const words = isGood ? shortened(endWords(end), detail) : endWords(end);
  const whose = view === 'resolver' ? 'of resolvers end in ' : '';
  return [
    { text: percent, align: 'right', style: 'strong' },
    { text: shortFraction(probability), align: 'right', style: 'faint' },
    { text: `${whose}${words}`, style: STYLES[bearing] },
  ] as const;
}

function lines({ means, actions }: Explanation, width: number): readonly string[] {
  const indented = (text: string, first: string) => {
    const hanging = ' '.repeat(first.length);
    return wrapped(text, width - first.length).map((line, at) => `${at === 0 ? first : hanging}${line}`);
  };
  return [
    ...indented(means, INDENT),
    ...actions.flatMap(({ who, what }) => indented(`${capital(who)}: ${what}.`, INDENT + BULLET)),
  ];
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
