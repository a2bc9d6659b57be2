/* Prints the report of svc plan as text for people. */

import type { FailOn, Finding } from '../document/finding.ts';
import { grouped, listed, sentence } from '../document/words/lists.ts';
import { asked } from '../document/words/names.ts';
import { count } from '../document/words/quantities.ts';
import type { TextLook } from './plain-text.ts';
import { adviceRows } from './text/advice-rows.ts';
import { lineRows } from './text/fault-rows.ts';
import { blocksText, headed, type Rows, STYLES } from './text/table.ts';
import { adviceOn } from './views/advice.ts';
import { MARKS } from './views/effects.ts';
import { hasFinding } from './views/findings.ts';
import type { PlannedName, PlannedZoneRow, PlanReport } from './views/plan-report.ts';
import { planView } from './views/plan-view.ts';
import { oldAnswerWords } from './when/times-text.ts';

/** The report of a plan as text: safe to print, whatever files and servers contain. */
export function planText(report: PlanReport, look: TextLook, failOn?: FailOn): string {
  const { title, fates, dangers, newFindings, oldFindings, remarks } = planView(report, failOn);
  const findingRows = (head: string, findings: readonly Finding[]): Rows =>
    headed(head, adviceRows(adviceOn(findings, look.detail), look.width));
  const isBad = fates.trouble.length > 0 || hasFinding({ findings: report.files }, failOn ?? 'error');
  const blocks: readonly Rows[] = [
    [
      [{ text: title, style: isBad ? 'bad' : fates.unknown.length > 0 ? 'unknown' : 'good' }],
      ...report.zones.map(zoneRow),
    ],
    findingRows('Zone files', report.files),
    headed('Trouble once this is published', troubleRows(fates.trouble, 'fails', look.width)),
    headed('Not known', troubleRows(fates.unknown, 'unknown', look.width)),
    headed('Changes', changeRows(fates.changed)),
    headed(
      'Dangers of the change',
      dangers.flatMap(({ until, message }) => [
        [{ text: `until ${until}` }],
        ...lineRows(message, '  ', look.width),
      ]),
    ),
    findingRows('New findings', newFindings),
    findingRows('Trouble of today', oldFindings),
    remarks.map(({ words }) => [{ text: sentence(words), style: 'faint' }]),
  ];
  return blocksText(blocks, look);
}

function zoneRow({ zone, ...planned }: PlannedZoneRow): Rows[number] {
  return [{ text: zone }, { text: zoneWords(planned), style: 'faint' }];
}

/** "zones/example.com.zone; servers ns1.example.net; no DS records" */
export function zoneWords({ file, servers, ds }: Omit<PlannedZoneRow, 'zone'>): string {
  const words = [
    ...(file === undefined ? [] : [file]),
    ...(servers === undefined ? [] : [`servers ${listed(servers.map(({ name }) => name))}`]),
    ...(ds === undefined ? [] : [ds.length === 0 ? 'no DS records' : count(ds.length, 'DS record')]),
  ];
  return words.join('; ');
}

/** The names grouped by their words, each group with these words. */
export function alike(
  names: readonly PlannedName[],
  wordsOf: (name: PlannedName) => string,
): readonly { readonly names: readonly string[]; readonly words: string }[] {
  return grouped(names, wordsOf).map((same) => ({
    names: same.map(({ query }) => asked(query)),
    words: wordsOf(same[0]),
  }));
}

/** The change, and how long old answers last after it. */
export function changeWords({ change, when }: PlannedName): string {
  const old = when === undefined ? '' : oldAnswerWords(when);
  return old === '' ? change : `${change}; ${old}`;
}

/** The verdict with the plan, the verdict of today, and the change. */
export function troubleWords(name: PlannedName): readonly string[] {
  const { planned, today, comparison } = name;
  const [verdict, before] = [planned.verdict.text, today.verdict.text];
  return [
    ...(verdict === before || verdict.endsWith(`: ${before}`)
      ? [`${before} (as today)`]
      : [verdict, `today ${before}`]),
    ...(comparison.same ? [] : [`change: ${changeWords(name)}`]),
  ];
}

/** The names with the same trouble, and below them in lines what it is. */
function troubleRows(names: readonly PlannedName[], effect: 'fails' | 'unknown', width: number): Rows {
  const style = STYLES[effect];
  return alike(names, (name) => troubleWords(name).join('\n')).flatMap(({ names: same, words }) => [
    [{ text: MARKS[effect], style }, { text: listed(same, NAMED) }],
    ...words
      .split('\n')
      .flatMap((line, at) => lineRows(line, INDENT, width, { style: at === 0 ? style : 'plain' })),
  ]);
}

/** Below a mark. */
const INDENT = '   ';

function changeRows(names: readonly PlannedName[]): Rows {
  return alike(names, changeWords).map(({ names: same, words }) => [
    { text: listed(same, NAMED) },
    { text: words },
  ]);
}

/** The most names that a row lists. */
const NAMED = 4;
