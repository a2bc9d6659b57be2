import type { TraversalResult } from '../../document/result.ts';
import type { Bearing } from '../../reading/bearing.ts';
import { percent } from '../../reading/words/percent.ts';
import { type Box, type BoxKind, boxText, type FinishedArrow } from './diagram.ts';
import { diagramOf } from './diagram-of.ts';
import { frontMatterText, mermaidText } from './mermaid-text.ts';
import { INK, PALETTE } from './palette.ts';

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
  const { key, kind, bearing } = box;
  const [open, close] = kind === 'end' && bearing === 'fails' ? FAILURE : SHAPES[kind];
  return `${key}${open}${mermaidText(boxText(box))}${close}:::${kind === 'lookup' ? 'lookup' : CLASS_NAMES[bearing]}`;
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
  return TROUBLE.flatMap((bearing) => {
    const numbers = arrows.flatMap((arrow, at) =>
      arrow.kind === 'path' && arrow.bearing === bearing ? at : [],
    );
    return numbers.length === 0 ? [] : [`linkStyle ${numbers.join(',')} stroke:${PALETTE[bearing].line}`];
  });
}

const TROUBLE = ['differs', 'denies', 'fails', 'unknown'] as const;

/** Class names consist of letters only. */
const CLASS_NAMES: Readonly<Record<Bearing, string>> = {
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

function boxClass(bearing: Bearing, more: string): string {
  const { fill, line } = PALETTE[bearing];
  return `classDef ${CLASS_NAMES[bearing]} fill:${fill},stroke:${line},color:${INK}${more}`;
}

function indented(line: string): string {
  return `  ${line}`;
}
