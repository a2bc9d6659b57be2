import type { Finding, Severity } from '../../document/findings.ts';
import { grouped } from '../../reading/grouped.ts';
import { listed } from '../../reading/listed.ts';
import type { Detail } from '../../reading/shortened.ts';
import { wrapped } from '../../reading/wrapped.ts';
import type { Rows, Style } from '../table/table.ts';

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

/** So many servers are named of those that a finding is about as well. */
const NAMED = 4;

/** The findings, the worst first: severity, code and where, then the sentence. Alike ones are told once. */
export function findingRows(findings: readonly Finding[], detail: Detail, width: number): Rows {
  const severities: readonly string[] = Object.keys(STYLES);
  const inOrder = [...findings].sort(
    (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity),
  );
  const groups = detail === 'full' ? inOrder.map((one) => [one] as const) : grouped(inOrder, likeness);
  return groups.flatMap(([finding, ...others]) => {
    const { severity, code } = finding;
    const lines = sentences(finding, others).flatMap((text) =>
      wrapped(text, Math.min(width, WIDEST) - INDENT.length),
    );
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

/** Equal for findings that say the same of several servers of a zone. */
function likeness({ code, severity, zone, server, message }: Finding): string {
  return [severity, code, zone ?? '', server === undefined ? message : ''].join('\n');
}

function sentences({ message, reference }: Finding, others: readonly Finding[]): readonly string[] {
  const sentence = reference === undefined ? message : `${message} (${reference})`;
  if (others.length === 0) return [sentence];
  const same = `The same goes for ${listed(others.map(serverOf), NAMED)}`;
  return [sentence, same.endsWith('.') ? same : `${same}.`];
}

/** The server, and the zone it is a server of. */
function placeOf(finding: Finding): string {
  const { server, zone } = finding;
  if (server === undefined) return zone ?? '';
  return zone === undefined ? serverOf(finding) : `${serverOf(finding)} of ${zone}`;
}

function serverOf({ server }: Finding): string {
  return [server?.name, server?.address].filter((part) => part !== undefined).join(' ');
}
