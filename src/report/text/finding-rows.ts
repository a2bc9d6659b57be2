import type { Finding, Severity } from '../result.ts';
import type { Rows, Style } from './table.ts';
import { wrapped } from './words.ts';

const STYLES: Readonly<Record<Severity, Style>> = {
  critical: 'bad',
  error: 'bad',
  warning: 'unknown',
  notice: 'plain',
  info: 'faint',
};

/** Longer lines are hard to read. */
const WIDEST = 100;

const INDENT = '  ';

/** The findings, the worst first: severity, code and where, then the sentence. */
export function findingRows(findings: readonly Finding[], width: number): Rows {
  const severities: readonly string[] = Object.keys(STYLES);
  return [...findings]
    .sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
    .flatMap((finding) => {
      const { severity, code, message, reference } = finding;
      const sentence = reference === undefined ? message : `${message} (${reference})`;
      const lines = wrapped(sentence, Math.min(width, WIDEST) - INDENT.length);
      return [
        [
          { text: severity, style: STYLES[severity] },
          { text: code, style: 'strong' as const },
          { text: placeOf(finding) },
        ],
        ...lines.map((line) => [{ text: INDENT + line }]),
      ];
    });
}

function placeOf({ server, zone }: Finding): string {
  const parts = [server?.name, server?.address, server === undefined ? zone : undefined];
  return parts.filter((part) => part !== undefined).join(' ');
}
