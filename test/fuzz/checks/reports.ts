import { shortText } from '../../../src/cli/view/short-text.ts';
import type { TraversalResult } from '../../../src/document/result.ts';
import { renderDot } from '../../../src/report/graph/dot.ts';
import { renderMermaid } from '../../../src/report/graph/mermaid.ts';
import { type Look, renderText } from '../../../src/report/render/render-text.ts';
import { must } from '../subject.ts';

const LOOKS: readonly Omit<Look, 'colour'>[] = [
  { width: 1, detail: 'terse', ends: 'explained' },
  { width: 40, detail: 'full', ends: 'listed' },
  { width: 100, detail: 'full', ends: 'explained' },
  { width: 250, detail: 'terse', ends: 'listed' },
];

/** Every report is made, and is safe to print whatever servers said. Texts take their look by `number`. */
export function reportsArePrintable(result: TraversalResult, number: number): void {
  const look = LOOKS[number % LOOKS.length];
  must(look !== undefined, 'there are looks');
  const texts = [
    renderText(result, { ...look, colour: 'off' }),
    withoutColours(renderText(result, { ...look, colour: 'on' })),
    renderDot(result),
    renderMermaid(result),
    shortText(result),
  ];
  for (const text of texts) mustBePrintable(text);
}

/** Throws if a text holds what moves a terminal's cursor, or changes the direction of writing. */
export function mustBePrintable(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/.exec(text);
  must(raw === null, `prints ${JSON.stringify(raw?.[0])} in ${JSON.stringify(text.slice(0, 200))}`);
}

function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
  return text.replaceAll(/\u001b\[\d+(?:;\d+)*m/g, '');
}
