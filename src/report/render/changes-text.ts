import type { Finding } from '../../document/findings.ts';
import type { TraversalResult } from '../../document/result.ts';
import { endKey } from '../../evaluate/end.ts';
import type { EndChange } from '../../reading/changes/end-changes.ts';
import type { ResultChanges } from '../../reading/changes/result-changes.ts';
import { findingPlace } from '../../reading/finding-place.ts';
import { grouped } from '../../reading/grouped.ts';
import { summaryLine } from '../../reading/summary-line.ts';
import { validatedWords } from '../../reading/validated/validation-words.ts';
import { type Wording, wordingForAll } from '../../reading/wording.ts';
import { listed } from '../../reading/words/listed.ts';
import { painter } from '../table/paint.ts';
import { stacked } from '../table/stacked.ts';
import { type Cell, naturalWidth, type Rows, table } from '../table/table.ts';
import { endChangeRows, serverChangeRows } from '../text/change-rows.ts';
import { findingRows } from '../text/finding-rows.ts';
import type { TextLook } from './result-text.ts';

/** What changed from one result to another, as text: a pure function, safe to print whatever the results hold. */
export function changesText(
  changes: ResultChanges,
  [before, after]: readonly [TraversalResult, TraversalResult],
  { colour, detail, width }: TextLook,
): string {
  const wording = wordingForAll([before, after], detail);
  const fitting = (rows: Rows) => (naturalWidth(rows) <= width ? rows : stacked(rows));
  const blocks: readonly Rows[] = [
    titleRows(changes),
    [whenRow('before', before), whenRow('after', after)],
    ...viewBlocks(changes, wording),
    validatingRows(before, after),
    headed('New findings', findingRows(changes.findings.new, detail, width)),
    headed('Findings gone', changes.findings.gone.map(goneRow)),
    fitting(serverChangeRows(changes.servers)),
  ];
  const paint = painter(colour);
  return blocks
    .filter((rows) => rows.length > 0)
    .map((rows) => table(rows, width, paint))
    .join('\n');
}

function titleRows({ query, same }: ResultChanges): Rows {
  return [
    [
      { text: `${query.name} ${query.type}`, style: 'strong' },
      { text: same ? 'the same' : 'changed', style: same ? 'good' : 'unknown' },
    ],
  ];
}

function whenRow(title: string, { finishedAt, summary }: TraversalResult): readonly Cell[] {
  return [
    { text: title, style: 'faint' },
    { text: finishedAt, style: 'faint' },
    { text: summaryLine(summary, 'terse') },
  ];
}

function viewBlocks(
  { outcomes, resolver, warm, validating }: ResultChanges,
  wording: Wording,
): readonly Rows[] {
  const views: readonly (readonly [title: string, changes: readonly EndChange[]])[] = [
    ['paths', outcomes],
    ['resolvers', resolver],
    ['warm paths', warm?.outcomes ?? []],
    ['warm resolvers', warm?.resolver ?? []],
    ['validating resolvers', validating?.outcomes ?? []],
    ['validating resolvers that do not retry', validating?.firstTry ?? []],
  ];
  // Most views change in the same way.
  return grouped(views, ([, changes]) => changes.map(changeKey).join('\n')).map((alike) => {
    const who = listed(
      alike.map(([words]) => words),
      alike.length,
    );
    return endChangeRows(`${who.slice(0, 1).toUpperCase()}${who.slice(1)} end in`, alike[0][1], wording);
  });
}

/** Where only one of two results was made to be validated there is nothing to compare, but what it says is worth telling. */
function validatingRows(
  { validating: earlier }: TraversalResult,
  { validating: later }: TraversalResult,
): Rows {
  const only = later ?? earlier;
  if (only === undefined || (earlier !== undefined && later !== undefined)) return [];
  const which = later === undefined ? 'earlier' : 'later';
  const tryingOn = validatedWords(only, 'terse');
  const firstTry = validatedWords(only.firstTry, 'terse');
  return [
    [{ text: `Only the ${which} result says what validating resolvers get`, style: 'strong' }],
    [{ text: tryingOn }],
    ...(tryingOn === firstTry ? [] : [[{ text: `if they do not retry: ${firstTry}` }]]),
  ];
}

function changeKey(change: EndChange): string {
  return [change.before, change.after, endKey(change)].join('\n');
}

function headed(title: string, rows: Rows): Rows {
  return rows.length === 0 ? [] : [[{ text: title, style: 'strong' }], ...rows];
}

function goneRow(finding: Finding) {
  return [{ text: finding.severity }, { text: finding.code }, { text: findingPlace(finding) }];
}
