import type { Test } from 'tap';
import type { TraversalResult } from '../../src/document/result.ts';
import { namelessEndWords } from '../../src/document/words/end-words.ts';
import { grouped } from '../../src/document/words/lists.ts';
import {
  add,
  equals,
  type Fraction,
  fractionText,
  ONE,
  readFraction,
  ZERO,
} from '../../src/evaluate/fraction.ts';
import type { Box, Diagram } from '../../src/report/diagram.ts';
import { diagramOf } from '../../src/report/draw-diagram.ts';

/** A box in short: what it is, or all its lines for servers and ends. */
export function brief({ kind, lines, probability }: Box, at: number): string {
  if (kind === 'question' && at === 0) return 'question';
  if (kind === 'zone') return lines[0] ?? '';
  return `${kind === 'end' ? `end ${fractionText(probability)} ` : ''}${lines.join(' / ')}`;
}

/** What goes into a box goes out of it, and what ends is what the result says. */
export function checkProbabilities(t: Test, result: TraversalResult, name: string): void {
  const diagram = diagramOf(result);
  const keys = new Set(diagram.boxes.map(({ key }) => key));
  if (keys.size !== diagram.boxes.length) t.fail(`${name}: keys are unique`);
  for (const { from, to } of diagram.arrows) {
    if (!keys.has(from) || !keys.has(to)) t.fail(`${name}: arrows lead from box to box`);
  }
  const bad = diagram.boxes.filter((box) => box.kind !== 'lookup' && !isBalanced(box, diagram));
  t.same(bad.map(brief), [], `${name}: what goes in goes out`);
  for (const frame of [undefined, ...diagram.frames.map(({ key }) => key)]) {
    const ends = diagram.boxes.filter((box) => box.kind === 'end' && box.frame === frame);
    t.equal(sum(ends.map(({ probability }) => probability)), '1', `${name}: ends ${frame ?? ''}`);
  }
  const ends = diagram.boxes.filter((box) => box.kind === 'end' && box.frame === undefined);
  if (ends.some(({ folds }) => folds !== undefined)) return;
  const expected = grouped(
    result.views['first-tries'].outcomes,
    (end) => `${end.kind} ${namelessEndWords(end)}`,
  ).map((alike) => sum(alike.map(({ fraction }) => readFraction(fraction))));
  t.same(ends.map(({ probability }) => fractionText(probability)).sort(), expected.sort(), `${name}: ends`);
}

function isBalanced({ key, kind, probability }: Box, { arrows, boxes }: Diagram): boolean {
  const through = (end: 'from' | 'to') =>
    arrows.flatMap((arrow) => (arrow.kind === 'path' && arrow[end] === key ? arrow.probability : []));
  const isStart = kind === 'question' && through('to').length === 0;
  const comes = isStart ? ONE : through('to').reduce(add, ZERO);
  const goes = kind === 'end' ? comes : through('from').reduce(add, ZERO);
  return boxes.length > 0 && equals(comes, probability) && equals(goes, probability);
}

function sum(parts: readonly Fraction[]): string {
  return fractionText(parts.reduce(add, ZERO));
}

const DOT_STRING = '"(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const DOT_VALUE = `(?:${DOT_STRING}|[a-z0-9.]+)`;
/** A line of a graph for Graphviz. */
export const DOT_LINE = new RegExp(
  `^ *(?:(?:graph|node|edge|b\\d+|b\\d+ -> b\\d+) \\[[a-z]+=${DOT_VALUE}(?:, [a-z]+=${DOT_VALUE})*\\];|subgraph cluster_f\\d+ \\{|digraph traversal \\{|\\}|)$`,
);

const LABEL = '"(?:[^"#&<>{}\\\\`*_~[\\]|;@]|#\\d+;|<br/>)*"';
/** A line of a graph for Mermaid. */
export const MERMAID_LINE = new RegExp(
  `^ *(?:---|title: "(?:[^"\\\\]|\\\\.)*"|config:|flowchart:|wrappingWidth: 600|flowchart TD|end|notes\\[${LABEL}\\]:::notes|b\\d+(?:\\(\\[|\\[\\[|\\[|\\(|\\{\\{)${LABEL}(?:\\]\\)|\\]\\]|\\]|\\)|\\}\\}):::[A-Za-z]+|b\\d+ (?:-\\.->|-->\\|${LABEL}\\|) b\\d+|subgraph f\\d+ \\[${LABEL}\\]|class f\\d+ frame|linkStyle [\\d,]+ stroke:#[0-9a-f]{6}|classDef [A-Za-z]+ [a-z0-9:#, -]+|)$`,
);

/** What Graphviz makes of a string. */
export function readDot(string: string): readonly string[] {
  return string
    .slice(1, -1)
    .replace(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped))
    .split('\n')
    .map((line) => line.replaceAll('&amp;', '&'));
}

/** What Mermaid makes of a label. */
export function readMermaid(label: string): readonly string[] {
  return label
    .slice(1, -1)
    .split('<br/>')
    .map((line) =>
      line.replace(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).replaceAll('\u2060', ''),
    );
}
