import { isDeepStrictEqual } from 'node:util';
import { readShape } from '../../src/base/shape.ts';
import { summaryOf } from '../../src/document/ends.ts';
import { readResult } from '../../src/document/read-result.ts';
import { RESULT, type TraversalResult } from '../../src/document/result.ts';
import { equals, fractionText, ONE, readFraction, sum, toNumber } from '../../src/evaluate/fraction.ts';
import { renderDot } from '../../src/report/dot.ts';
import { junitText } from '../../src/report/junit.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { renderMermaid } from '../../src/report/mermaid.ts';
import { nagiosCheck } from '../../src/report/nagios.ts';
import { prometheusText } from '../../src/report/prometheus.ts';
import { chainText, type Look, renderText } from '../../src/report/result-text.ts';
import { sarifText } from '../../src/report/sarif.ts';
import { nameRow, shortText } from '../../src/report/short-text.ts';
import { replay } from '../../src/traversal/node-replay.ts';
import { planReportOf } from '../report/graph-results.ts';
import { must, mustBePrintable } from './subject.ts';

interface Exact {
  readonly fraction: string;
  readonly probability: number;
}

/** The ends of each view sum to exactly 1 (svc-model(7), PROBABILITIES). */
export function sumToOne({ views }: TraversalResult): void {
  const all = Object.entries(views).flatMap(
    ([name, { outcomes }]): (readonly [string, readonly Exact[]])[] => [
      [name, outcomes],
      [`${name} summed`, summaryOf({ outcomes })],
    ],
  );
  for (const [view, rows] of all) {
    const fractions = rows.map(({ fraction }) => readFraction(fraction));
    must(equals(sum(fractions), ONE), `${view} sums to ${fractionText(sum(fractions))}`);
    for (const { fraction, probability } of rows) {
      const exact = readFraction(fraction);
      must(exact.numerator > 0n && fractionText(exact) === fraction, `${view} has ${fraction}`);
      must(probability > 0 && probability === toNumber(exact), `${view}: ${fraction} as ${probability}`);
    }
  }
}

/** A result is what its description says, and comes to the same when it is saved and evaluated again. */
export function replaysTheSame(result: TraversalResult): void {
  const saved: unknown = JSON.parse(JSON.stringify(result));
  must(isDeepStrictEqual(readShape(RESULT, saved), saved), 'its shape leaves something out');
  const again: unknown = JSON.parse(JSON.stringify(replay(readResult(saved))));
  must(isDeepStrictEqual(again, saved), 'evaluated again it is another');
}

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
  const report = planReportOf([result]);
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
    junitText(report),
    sarifText(report, 'svc plan', 'plan.json'),
    nameRow(result, { ...look, colour: 'off' }),
  ];
  for (const text of texts) mustBePrintable(text);
}

function withoutColours(text: string): string {
  return text.replaceAll(COLOUR, '');
}

const COLOUR = new RegExp(`${String.fromCodePoint(27)}\\[\\d+(?:;\\d+)*m`, 'g');
