import type { TraversalResult } from '../document/result.ts';
import { percent } from '../document/words/quantities.ts';
import { printable } from '../document/words/shortened.ts';
import { toNumber } from '../evaluate/fraction.ts';
import { type Box, type BoxKind, boxText, type FinishedArrow, FONT_FAMILY, INK, PALETTE } from './diagram.ts';
import { diagramOf } from './draw-diagram.ts';

/** The delegation graph in Graphviz's language: a pure function, safe whatever names the result holds. */
export function renderDot(result: TraversalResult): string {
  const { title, notes, boxes, arrows, frames } = diagramOf(result);
  const boxesIn = (frame: string | undefined) => boxes.filter((box) => box.frame === frame).map(boxLine);
  const statements = [
    `graph ${graphLook([title, ...notes])};`,
    `node ${NODES};`,
    `edge ${EDGES};`,
    ...boxesIn(undefined),
    ...frames.flatMap(({ key, title }) => cluster(key, title, boxesIn(key))),
    ...arrows.map(arrowLine),
  ];
  return ['digraph traversal {', ...statements.map(indented), '}', ''].join('\n');
}

const FONT = { fontname: `"${FONT_FAMILY}"`, fontcolor: `"${INK}"` };
const NODES = look({ ...FONT, fontsize: '11', style: '"filled"', margin: '"0.16,0.08"' });
const EDGES = look({ ...FONT, fontsize: '10', color: `"${PALETTE['leads-on'].line}"`, arrowsize: '0.7' });

function graphLook(lines: readonly string[]): string {
  const space = { ranksep: '0.45', nodesep: '0.3', pad: '0.3', labelloc: 't', fontsize: '13' };
  return look({ ...FONT, ...space, label: dotText([...lines, '']) });
}

/** The shape of a box and the style of its line say what it is to readers who cannot see colours. */
const SHAPES: Readonly<Record<BoxKind, string>> = {
  question: 'ellipse',
  zone: 'box',
  servers: 'box',
  end: 'box',
  lookup: 'note',
  folded: 'box3d',
};

function boxLine(box: Box): string {
  const { key, kind, effect } = box;
  const { fill, line } = PALETTE[effect];
  const rounded = kind === 'servers' || (kind === 'end' && effect !== 'fails');
  const dashed = kind === 'lookup' || effect === 'unknown';
  const style = ['filled', ...(rounded ? ['rounded'] : []), ...(dashed ? ['dashed'] : [])].join(',');
  const attributes = look({
    shape: SHAPES[kind],
    style: `"${style}"`,
    fillcolor: `"${fill}"`,
    color: `"${line}"`,
    ...(effect === 'fails' ? { penwidth: '2', ...(kind === 'end' ? { peripheries: '2' } : {}) } : {}),
    label: dotText(boxText(box)),
  });
  return `${key} ${attributes};`;
}

function arrowLine(arrow: FinishedArrow): string {
  return `${arrow.from} -> ${arrow.to} ${arrowLook(arrow)};`;
}

/** The more probable, the thicker. */
function arrowLook(arrow: FinishedArrow): string {
  if (arrow.kind === 'lookup') return look({ style: 'dashed', arrowhead: 'empty' });
  const { effect, probability } = arrow;
  const penwidth = (0.8 + 2.2 * toNumber(probability)).toFixed(2);
  const colour = effect === 'leads-on' ? {} : { color: `"${PALETTE[effect].line}"` };
  return look({ label: dotText([` ${percent(probability)} `]), penwidth, ...colour });
}

/** Graphviz draws a frame around a subgraph whose name begins with "cluster". */
function cluster(key: string, title: string, boxes: readonly string[]): readonly string[] {
  const style = look({ label: dotText([title]), style: '"dashed,rounded"', fontsize: '11' });
  return [`subgraph cluster_${key} {`, ...[`graph ${style};`, ...boxes].map(indented), '}'];
}

function look(attributes: Readonly<Record<string, string>>): string {
  return `[${Object.entries(attributes)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')}]`;
}

function indented(line: string): string {
  return `  ${line}`;
}

/**
 * Lines as a string of the DOT language, quotes included. There a backslash begins an escape and an
 * ampersand a character reference; lines end in `\n`.
 */
export function dotText(lines: readonly string[]): string {
  return `"${lines.map(escaped).join('\\n')}"`;
}

function escaped(line: string): string {
  return printable(line).replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/&/g, '&amp;');
}

/** What is needed of Graphviz, as the package @viz-js/viz has it. */
export interface Graphviz {
  render(
    dot: string,
    options: { readonly format: 'svg' },
  ):
    | { readonly status: 'success'; readonly output: string }
    | {
        readonly status: 'failure';
        readonly errors: readonly { readonly level?: string; readonly message: string }[];
      };
}

/** A picture in our dot, drawn as SVG. Throws if Graphviz cannot draw it: a bug in the dot. */
export function svgOf(dot: string, graphviz: Graphviz): string {
  const measured = dot.replaceAll(`fontname="${FONT_FAMILY}"`, `fontname="${MEASURED_FONT}"`);
  const drawn = graphviz.render(measured, { format: 'svg' });
  if (drawn.status === 'failure')
    throw new Error(`Graphviz: ${drawn.errors.map(({ message }) => message).join('; ')}`);
  return drawn.output.replaceAll(`font-family="${MEASURED_FONT}"`, `font-family="${FONT_FAMILY}"`);
}

/**
 * Without fonts at hand, Graphviz knows how wide the letters of this one are, but takes those of a list for the
 * narrower ones of Times. In labels quotes are escaped, so nothing in them is taken for a font.
 */
const MEASURED_FONT = 'Arial';
