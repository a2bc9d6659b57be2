import type { Severity } from '../../document/finding.ts';
import { count } from '../../document/words/quantities.ts';
import { type Shorten, wrapped } from '../../document/words/shortened.ts';
import { explanationTitle } from '../explanations.ts';
import type { FindingToDo, ToDo, ToDoTitle } from '../to-do.ts';
import type { Wording } from '../views/wording.ts';
import { type Cell, type Rows, STYLES, type Style } from './table.ts';

/**
 * What to do, each thing above what merely follows from it: severity, code and place of a finding, or the share of an
 * end; then sentences, and who can do what.
 */
export function toDoRows(items: readonly ToDo[], { detail, shorten }: Wording, width: number): Rows {
  const ends = items.filter(({ title }) => title.kind === 'ends');
  const left = new Set(detail === 'full' ? [] : ends.slice(ENDS_SHOWN));
  const rows = items
    .filter((item) => !left.has(item))
    .flatMap(({ title, sentences, actions, consequences }) => [
      titleCells(title, shorten),
      ...sentences.flatMap((text) => lineRows(text, INDENT, width)),
      ...actions.flatMap((text) => lineRows(text, `${INDENT}- `, width)),
      ...consequences.flatMap((one) => consequenceRows(one, width)),
    ]);
  return left.size === 0
    ? rows
    : [...rows, [{ text: `and ${count(left.size, 'less probable end')} (-v explains all)` }]];
}

/** The most ends that are explained unless full detail is wanted. */
const ENDS_SHOWN = 12;

/** Longer lines are hard to read. */
const WIDEST = 100;

const INDENT = '  ';

/** The sentences of a consequence are further in than those of its cause. */
function consequenceRows({ title, sentences }: FindingToDo, width: number): Rows {
  const [severity, , place] = findingCells(title);
  const code: Cell = { text: `hence ${title.code}`, style: 'strong' };
  return [[severity, code, place], ...sentences.flatMap((text) => lineRows(text, INDENT + INDENT, width))];
}

function titleCells(title: ToDoTitle, shorten: Shorten): readonly Cell[] {
  switch (title.kind) {
    case 'finding':
      return findingCells(title);
    case 'ends':
      return [{ text: explanationTitle(title.explanation, shorten), style: STYLES[title.effect] }];
    case 'result':
      return [{ text: title.words, style: 'strong' }];
  }
}

function findingCells({ severity, code, place }: FindingToDo['title']): readonly [Cell, Cell, Cell] {
  return [
    { text: severity, style: SEVERITY_STYLES[severity] },
    { text: code, style: 'strong' },
    { text: place },
  ];
}

const SEVERITY_STYLES: Readonly<Record<Severity, Style>> = {
  critical: 'bad',
  error: 'bad',
  warning: 'unknown',
  notice: 'plain',
  info: 'faint',
};

/** A text in lines that are easy to read, whatever the width; `first` stands before the first line, and indents all others. */
export function lineRows(text: string, first: string, width: number, style: Style = 'plain'): Rows {
  const hanging = ' '.repeat(first.length);
  return wrapped(text, Math.min(width, WIDEST) - first.length).map((line, at) => [
    { text: `${at === 0 ? first : hanging}${line}`, style },
  ]);
}
