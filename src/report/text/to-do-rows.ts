import type { Finding, Severity } from '../../document/finding.ts';
import { listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { count } from '../../document/words/quantities.ts';
import { type Shorten, wrapped } from '../../document/words/shortened.ts';
import type { FindingCode } from '../../findings/catalogue.ts';
import { explanationTitle } from '../explanations.ts';
import type { FindingToDo, ToDo, ToDoTitle } from '../to-do.ts';
import { adviceOf, cut, isImpact, problemOf } from '../views/faults.ts';
import { type AlikeFindings, findingFamilies } from '../views/findings.ts';
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

/**
 * What to do in a line for each fault, the worst first: what is wrong, what helps, and the code. What merely follows is one
 * line for all of them.
 */
export function faultRows(findings: readonly Finding[], width: number): Rows {
  const families = findingFamilies(findings, 'terse').filter(
    ({ alike: [first] }) => first.severity !== 'info' || !isImpact(first),
  );
  const effects = families.flatMap(({ consequences }) => consequences.flatMap(([first]) => effectOf(first)));
  const more = families.length - FAULTS_SHOWN;
  return [
    ...families.slice(0, FAULTS_SHOWN).flatMap(({ alike }) => {
      const [first] = alike;
      const told = [faultWords(alike), adviceWords(first)].filter((words) => words !== '');
      const text = `${told.join('. ')}. ${first.code}`;
      return hangingRows(text, INDENT, width, SEVERITY_STYLES[first.severity]);
    }),
    ...(more > 0
      ? [[{ text: `${INDENT}and ${count(more, 'finding')} more (-v)`, style: 'faint' as const }]]
      : []),
    ...(effects.length === 0
      ? []
      : hangingRows(`hence ${listed([...new Set(effects)], effects.length)}`, INDENT, width, 'faint')),
  ];
}

/** Who wants more reads on. */
const FAULTS_SHOWN = 5;

/** The longest that is told whole of what is wrong. */
const WHOLE = 150;

function faultWords(alike: AlikeFindings): string {
  const whole = problemOf(alike, 'whole');
  return whole.length > WHOLE ? cut(whole) : whole;
}

/** Advice that goes into cases is for those who read all. */
function adviceWords(finding: Finding): string {
  const advice = adviceOf(finding);
  return advice.length > WHOLE ? cut(advice) : advice;
}

/** What follows from a fault, as users notice it; nothing for what only shows another side of the fault. */
function effectOf({ code, server, zone, message }: Finding): readonly string[] {
  const place = server?.name ?? zone;
  if (code === 'SINGLE_POINT_OF_FAILURE' && place !== undefined)
    return message.includes('behind validating')
      ? [`validated answers hang on ${plain(place)} alone`]
      : [`the name hangs on ${plain(place)} alone`];
  return EFFECTS.get(code) ?? [];
}

const EFFECTS: ReadonlyMap<string, readonly string[]> = new Map<FindingCode, readonly string[]>([
  ['ZONE_NO_WORKING_NS', ['nothing in the zone is found']],
  ['ANSWER_NOT_CERTAIN', ['users get different answers']],
  ['DNSSEC_BOGUS', ['SERVFAIL behind validating resolvers']],
  ['WARM_DIFFERS', ['other answers once resolvers know the NS records of the zone']],
  ['FIRST_TRY_FAILS', ['slower lookups']],
  ['COLD_LATENCY_HIGH', ['slower lookups']],
  ['DNSSEC_MISSING_AT_SERVER', ['validating resolvers ask again']],
  ['SERVERS_DIFFER_DNSSEC', ['validating resolvers ask again']],
  ['RRSIG_INVALID', ['validating resolvers ask again']],
]);

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

/** A text whose further lines are further in. */
function hangingRows(text: string, indent: string, width: number, style: Style): Rows {
  return wrapped(text, Math.min(width, WIDEST) - 2 * indent.length).map((line, at) => [
    { text: `${at === 0 ? indent : indent + indent}${line}`, style: at === 0 ? style : 'plain' },
  ]);
}

/** A text in lines that are easy to read, whatever the width; `first` stands before the first line, and indents all others. */
export function lineRows(text: string, first: string, width: number, style: Style = 'plain'): Rows {
  const hanging = ' '.repeat(first.length);
  return wrapped(text, Math.min(width, WIDEST) - first.length).map((line, at) => [
    { text: `${at === 0 ? first : hanging}${line}`, style },
  ]);
}
