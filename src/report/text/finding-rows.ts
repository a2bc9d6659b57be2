import type { Finding, Severity } from '../../document/finding.ts';
import { type Detail, wrapped } from '../../document/words/shortened.ts';
import { type AlikeFindings, findingFamilies, findingPlace, findingSentences } from '../views/findings.ts';
import type { Rows, Style } from './table.ts';

/**
 * The findings, the worst first, each above the findings that follow from it: severity, code and place,
 * then the sentences. Findings that say the same of several servers appear once.
 */
export function findingRows(findings: readonly Finding[], detail: Detail, width: number): Rows {
  return findingFamilies(findings, detail).flatMap(({ alike, consequences }) => [
    ...rowsOf(alike, 'cause', width),
    ...consequences.flatMap((one) => rowsOf(one, 'consequence', width)),
  ]);
}

const SEVERITY_STYLES: Readonly<Record<Severity, Style>> = {
  critical: 'bad',
  error: 'bad',
  warning: 'unknown',
  notice: 'plain',
  info: 'faint',
};

/** Longer lines are hard to read. */
const WIDEST = 100;

/** The indents of sentences: those of a consequence are further in than those of its cause. */
const INDENTS = { cause: '  ', consequence: '    ' } as const;

function rowsOf(alike: AlikeFindings, role: keyof typeof INDENTS, width: number): Rows {
  const [finding] = alike;
  const { severity, code } = finding;
  const indent = INDENTS[role];
  const lines = findingSentences(alike).flatMap((text) =>
    wrapped(text, Math.min(width, WIDEST) - indent.length),
  );
  return [
    [
      { text: severity, style: SEVERITY_STYLES[severity] },
      { text: role === 'cause' ? code : `hence ${code}`, style: 'strong' },
      { text: findingPlace(finding) },
    ],
    ...lines.map((line) => [{ text: indent + line }]),
  ];
}
