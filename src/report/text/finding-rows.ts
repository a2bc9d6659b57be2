import type { Finding, Severity } from '../../document/findings.ts';
import { findingPlace, findingServer } from '../../reading/finding-place.ts';
import { grouped } from '../../reading/grouped.ts';
import { listed } from '../../reading/words/listed.ts';
import type { Detail } from '../../reading/words/shortened.ts';
import { wrapped } from '../../reading/words/wrapped.ts';
import type { Rows, Style } from '../table/table.ts';

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

/** The number of further servers that a finding names. */
const NAMED = 4;

/**
 * The findings, the worst first, each above the findings that follow from it: severity, code and place,
 * then the sentences. Findings that say the same of several servers appear once.
 */
export function findingRows(findings: readonly Finding[], detail: Detail, width: number): Rows {
  const known = new Set(findings.map(({ id }) => id));
  const isCause = ({ consequenceOf }: Finding) => consequenceOf === undefined || !known.has(consequenceOf);
  return together(findings.filter(isCause), detail)
    .map((alike) => {
      const ids = new Set(alike.map(({ id }) => id));
      const follows = ({ consequenceOf }: Finding) => consequenceOf !== undefined && ids.has(consequenceOf);
      return { alike, consequences: together(findings.filter(follows), detail) };
    })
    .sort((a, b) => rankOf(a) - rankOf(b))
    .flatMap(({ alike, consequences }) => [
      ...rowsOf(alike, 'cause', width),
      ...consequences.flatMap((one) => rowsOf(one, 'consequence', width)),
    ]);
}

type Alike = readonly [Finding, ...Finding[]];

interface Family {
  readonly alike: Alike;
  readonly consequences: readonly Alike[];
}

/** A family is as grave as its gravest finding. */
function rankOf({ alike, consequences }: Family): number {
  const severities: readonly string[] = Object.keys(SEVERITY_STYLES);
  return Math.min(...[alike, ...consequences].flat().map(({ severity }) => severities.indexOf(severity)));
}

/** Groups findings that say the same of several servers of a zone, unless full detail is wanted. */
function together(findings: readonly Finding[], detail: Detail): readonly Alike[] {
  return grouped(findings, ({ id, code, severity, zone, server, message }) =>
    detail === 'full' ? id : [severity, code, zone ?? '', server === undefined ? message : ''].join('\n'),
  );
}

function rowsOf([finding, ...others]: Alike, role: keyof typeof INDENTS, width: number): Rows {
  const { severity, code } = finding;
  const indent = INDENTS[role];
  const lines = sentences(finding, others).flatMap((text) =>
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

function sentences({ message, reference }: Finding, others: readonly Finding[]): readonly string[] {
  const sentence = reference === undefined ? message : `${message} (${reference})`;
  if (others.length === 0) return [sentence];
  const also = `Also affected: ${listed(others.map(findingServer), NAMED)}`;
  return [sentence, also.endsWith('.') ? also : `${also}.`];
}
