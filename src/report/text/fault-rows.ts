/* Rows of text that say what is wrong and what to do, in a line for each fault. */

import type { Finding, Severity } from '../../document/finding.ts';
import { listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { count } from '../../document/words/quantities.ts';
import { wrapped } from '../../document/words/shortened.ts';
import { cut, entryOf, isImpact, problemWords, remedyOf } from '../views/faults.ts';
import { type FindingFamily, findingFamilies } from '../views/findings.ts';
import type { Cell, Rows, Style } from './table.ts';

/**
 * What to do in a line for each fault, the worst first: what is wrong, what helps, and the code. What merely follows is one
 * line for all of them.
 */
export function faultRows(findings: readonly Finding[], width: number): Rows {
  const all = findingFamilies(findings, 'terse').filter(
    ({ alike: [first] }) => first.severity !== 'info' || !isImpact(first),
  );
  // What several faults bring about together follows from each of them.
  const known = new Set(findings.map(({ id }) => id));
  const isFollowing = ({ alike: [first] }: FindingFamily) => first.causes.some((id) => known.has(id));
  const families = all.filter((family) => !isFollowing(family));
  const following = all.filter(isFollowing).map(({ alike }) => alike);
  const effects = [...families.flatMap(({ consequences }) => consequences), ...following].flatMap(([first]) =>
    noticed(first),
  );
  const more = families.length - FAULTS_SHOWN;
  return [
    ...families.slice(0, FAULTS_SHOWN).flatMap(({ alike }) => {
      const [first] = alike;
      const told = [problemWords(alike, 'whole'), remedyOf(first)].map(inShort);
      const text = `${told.join('. ')}. ${first.code}`;
      return lineRows(text, INDENT, width, { hanging: INDENT, style: SEVERITY_STYLES[first.severity] });
    }),
    ...(more > 0
      ? [[{ text: `${INDENT}and ${count(more, 'finding')} more (-v)`, style: 'faint' as const }]]
      : []),
    ...(effects.length === 0
      ? []
      : lineRows(`hence ${listed([...new Set(effects)], effects.length)}`, INDENT, width, {
          hanging: INDENT,
          style: 'faint',
        })),
  ];
}

/** Who wants more reads on. */
const FAULTS_SHOWN = 5;

/** What goes into cases is for those who read all. */
function inShort(words: string): string {
  return words.length > WHOLE ? cut(words) : words;
}

/** The longest that is told whole. */
const WHOLE = 150;

/** What users notice of what follows from a fault; nothing of what only shows another side of it. */
function noticed(finding: Finding): string | readonly string[] {
  const { code, server, zone, message } = finding;
  const place = server?.name ?? zone;
  if (code === 'SINGLE_POINT_OF_FAILURE' && place !== undefined)
    return message.includes('behind validating')
      ? [`validated answers depend on ${plain(place)} alone`]
      : [`the name depends on ${plain(place)} alone`];
  return entryOf(finding)?.hence ?? [];
}

export const SEVERITY_STYLES: Readonly<Record<Severity, Style>> = {
  critical: 'bad',
  error: 'bad',
  warning: 'unknown',
  notice: 'plain',
  info: 'faint',
};

/** A text in lines that are easy to read, whatever the width; `first` stands before the first line, and indents all others. */
export function lineRows(
  text: string,
  first: string,
  width: number,
  { style = 'plain', hanging = '' }: LineLook = {},
): Rows {
  const others = `${' '.repeat(first.length)}${hanging}`;
  return wrapped(text, Math.min(width, WIDEST) - others.length).map((line, at): readonly Cell[] => [
    { text: `${at === 0 ? first : others}${line}`, style: at === 0 || hanging === '' ? style : 'plain' },
  ]);
}

/** How the lines of a text look: the first one, and how much further in the others are. */
interface LineLook {
  readonly style?: Style;
  readonly hanging?: string;
}

/** Longer lines are hard to read. */
const WIDEST = 100;

export const INDENT = '  ';
