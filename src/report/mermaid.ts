import type { TraversalResult } from '../document/result.ts';
import { percent } from '../document/words/quantities.ts';
import { printable } from '../document/words/shortened.ts';
import { type Box, type BoxKind, boxText, type FinishedArrow, INK, PALETTE } from './diagram.ts';
import { diagramOf } from './draw-diagram.ts';
import type { Effect } from './views/effects.ts';

/** The delegation graph in the Mermaid language: a pure function, safe whatever names the result holds. */
export function renderMermaid(result: TraversalResult): string {
  const { title, notes, boxes, arrows, frames } = diagramOf(result);
  const boxesIn = (frame: string | undefined) => boxes.filter((box) => box.frame === frame).map(boxLine);
  const statements = [
    `notes[${mermaidText(notes)}]:::notes`,
    ...boxesIn(undefined),
    ...frames.flatMap(({ key, title }) => subgraph(key, title, boxesIn(key))),
    ...arrows.map(arrowLine),
    ...linkStyles(arrows),
    ...CLASSES,
  ];
  return [...frontMatter(title), 'flowchart TD', ...statements.map(indented), ''].join('\n');
}

/** Lines are broken already, so Mermaid gets more room than its default, in pixels. */
function frontMatter(title: string): readonly string[] {
  const config = ['config:', '  flowchart:', '    wrappingWidth: 600'];
  return ['---', `title: ${frontMatterText(title)}`, ...config, '---'];
}

/** The brackets around a label: the shape says what a box is to readers who cannot see colours. */
const SHAPES: Readonly<Record<BoxKind, readonly [string, string]>> = {
  question: ['([', '])'],
  zone: ['[', ']'],
  servers: ['(', ')'],
  end: ['(', ')'],
  lookup: ['[', ']'],
  folded: ['{{', '}}'],
};
const FAILURE = ['[[', ']]'] as const;

function boxLine(box: Box): string {
  const { key, kind, effect } = box;
  const [open, close] = kind === 'end' && effect === 'fails' ? FAILURE : SHAPES[kind];
  return `${key}${open}${mermaidText(boxText(box))}${close}:::${kind === 'lookup' ? 'lookup' : CLASS_NAMES[effect]}`;
}

function arrowLine(arrow: FinishedArrow): string {
  const shaft = arrow.kind === 'lookup' ? '-.->' : `-->|${mermaidText([percent(arrow.probability)])}|`;
  return `${arrow.from} ${shaft} ${arrow.to}`;
}

function subgraph(key: string, title: string, boxes: readonly string[]): readonly string[] {
  return [`subgraph ${key} [${mermaidText([title])}]`, ...boxes.map(indented), 'end', `class ${key} frame`];
}

/** Mermaid styles arrows by number, in the order in which they were drawn. */
function linkStyles(arrows: readonly FinishedArrow[]): readonly string[] {
  return TROUBLE.flatMap((effect) => {
    const numbers = arrows.flatMap((arrow, at) =>
      arrow.kind === 'path' && arrow.effect === effect ? at : [],
    );
    return numbers.length === 0 ? [] : [`linkStyle ${numbers.join(',')} stroke:${PALETTE[effect].line}`];
  });
}

const TROUBLE = ['differs', 'denies', 'fails', 'unknown'] as const;

/** Class names consist of letters only. */
const CLASS_NAMES: Readonly<Record<Effect, string>> = {
  'leads-on': 'leadsOn',
  'ends-well': 'endsWell',
  differs: 'differs',
  denies: 'denies',
  fails: 'fails',
  unknown: 'notKnown',
};

const DASHED = ',stroke-dasharray:5 4';

const CLASSES: readonly string[] = [
  boxClass('leads-on', ''),
  boxClass('ends-well', ''),
  boxClass('differs', ''),
  boxClass('denies', ''),
  boxClass('fails', ',stroke-width:2px'),
  boxClass('unknown', DASHED),
  `classDef lookup fill:${PALETTE['ends-well'].fill},stroke:${PALETTE['ends-well'].line},color:${INK}${DASHED}`,
  `classDef frame fill:none,stroke:${PALETTE['leads-on'].line},color:${INK}${DASHED}`,
  `classDef notes fill:none,stroke:none,color:${INK}`,
];

function boxClass(effect: Effect, more: string): string {
  const { fill, line } = PALETTE[effect];
  return `classDef ${CLASS_NAMES[effect]} fill:${fill},stroke:${line},color:${INK}${more}`;
}

function indented(line: string): string {
  return `  ${line}`;
}

/**
 * Texts as one label of the Mermaid language, quotes included, one line each. Mermaid's only escapes are
 * character codes ("#35;"). It reads parts of quoted text as HTML, Markdown or directives, and drops the
 * semicolon of a code that follows "style" and a colon on its line. So everything that could begin any
 * of these is written as a code.
 */
export function mermaidText(lines: readonly string[]): string {
  return `"${lines.map(escaped).join('<br/>')}"`;
}

/** The characters of quotes, codes, HTML, directives, Markdown and Mermaid's line breaks (`\n`). */
const SPECIAL = /["#&<>{}\\`*_~[\]|;@\u2060]/g;

/** What becomes a link ("www.", "://"), a list ("1. ") or a statement of Mermaid's. */
const SEQUENCES = /(?<=www)\.|:(?=\/\/)|(?<=^\d+)[.)]|s(?=tyle)|c(?=lassDef)/gi;

/** What becomes a line end or an icon ("fa:fa-ban") even when written in codes, and so must be separated. */
const TOGETHER = /\\(?=n)|:(?=fa-)/g;
const WORD_JOINER = '\u2060';

function escaped(line: string): string {
  const coded = (character: string) => `#${character.codePointAt(0)};`;
  // In one pass: the characters of a code must not be coded again.
  return printable(line)
    .replace(TOGETHER, `$&${WORD_JOINER}`)
    .replace(new RegExp(`${SPECIAL.source}|${SEQUENCES.source}`, 'gi'), coded);
}

/** A text as a value of the front matter: YAML, which has the escapes of JSON. */
export function frontMatterText(text: string): string {
  const coded = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(printable(text)).replace(/[<>{}]/g, coded);
}
