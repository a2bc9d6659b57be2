import type { TraversalResult } from '../../../src/document/result.ts';
import { renderDot } from '../../../src/report/dot.ts';
import { junitText } from '../../../src/report/junit.ts';
import { renderMarkdown } from '../../../src/report/markdown.ts';
import { renderMermaid } from '../../../src/report/mermaid.ts';
import { nagiosCheck } from '../../../src/report/nagios.ts';
import { prometheusText } from '../../../src/report/prometheus.ts';
import { chainText, type Look, renderText } from '../../../src/report/result-text.ts';
import { sarifText } from '../../../src/report/sarif.ts';
import { nameRow, shortText } from '../../../src/report/short-text.ts';
import { judged } from '../../../src/report/views/conclusion.ts';
import { mustBePrintable } from '../printable.ts';
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
    chainText(result, { ...look, colour: 'off' }),
    renderMarkdown(result),
    nagiosCheck(result, []).line,
    prometheusText(result),
    junitText([judged(result)]),
    sarifText([judged(result)]),
    nameRow(result, { ...look, colour: 'off' }),
  ];
  for (const text of texts) mustBePrintable(text);
}

function withoutColours(text: string): string {
  return text.replaceAll(COLOUR, '');
}

const COLOUR = new RegExp(`${String.fromCodePoint(27)}\\[\\d+(?:;\\d+)*m`, 'g');
