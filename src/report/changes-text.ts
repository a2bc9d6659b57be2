import { summaryOf } from '../document/ends.ts';
import type { Finding } from '../document/finding.ts';
import type { TraversalResult } from '../document/result.ts';
import { endWords } from '../document/words/end-words.ts';
import { grouped, listed } from '../document/words/lists.ts';
import { count, percentages } from '../document/words/quantities.ts';
import type { Detail, Shorten } from '../document/words/shortened.ts';
import { type End, endKey } from '../evaluate/end.ts';
import { readFraction, sum, ZERO } from '../evaluate/fraction.ts';
import { VIEWS } from '../evaluate/views.ts';
import type { TextLook } from './plain-text.ts';
import { adviceRows } from './text/advice-rows.ts';
import { placeKey, placeOf } from './text/end-rows.ts';
import { blocksText, type Cell, fitted, headed, type Rows, STYLES } from './text/table.ts';
import { adviceOn } from './views/advice.ts';
import type { EndChange, GoneAndNew, NamedAddress, ResultChanges } from './views/changes.ts';
import { ownEffect } from './views/effects.ts';
import { findingPlace } from './views/findings.ts';
import { validatedWords, whoseWords } from './views/users.ts';
import { reasonWords, summaryLine, VIEW_NAMES, type Wording, wordingForAll } from './views/wording.ts';

/** What changed from one result to another, as text: a pure function, safe to print whatever the results hold. */
export function changesText(
  changes: ResultChanges,
  [before, after]: readonly [TraversalResult, TraversalResult],
  look: TextLook,
): string {
  const { detail, width } = look;
  const newFindings = adviceRows(adviceOn(changes.findings.new, detail), width);
  const blocks = [
    titleRows(changes),
    [whenRow('before', before), whenRow('after', after)],
    ...changeBlocks(changes, [before, after], { detail, newFindings }),
    fitted(serverChangeRows(changes.servers), width),
  ];
  return blocksText(blocks, look);
}

/** What changed but for the servers, in blocks with a title each. `newFindings`: absent, they are named only. */
export function changeBlocks(
  changes: ResultChanges,
  [before, after]: readonly [TraversalResult, TraversalResult],
  { detail, newFindings }: { readonly detail: Detail; readonly newFindings?: Rows },
): readonly Rows[] {
  const { findings } = changes;
  return [
    ...viewBlocks(changes, wordingForAll([before, after], detail)),
    validatingRows(before, after),
    notComparedRows(changes),
    headed('New findings', newFindings ?? findings.new.map(findingRow)),
    headed('Findings gone', findings.gone.map(findingRow)),
  ];
}

function titleRows({ query, same }: ResultChanges): Rows {
  return [
    [
      { text: `${query.name} ${query.type}`, style: 'strong' },
      { text: same ? 'the same' : 'changed', style: same ? 'good' : 'unknown' },
    ],
  ];
}

function whenRow(title: string, { finishedAt, views }: TraversalResult): readonly Cell[] {
  return [
    { text: title, style: 'faint' },
    { text: finishedAt, style: 'faint' },
    { text: `users get ${summaryLine(summaryOf(views.resolver), 'terse')}` },
  ];
}

function viewBlocks({ views }: ResultChanges, wording: Wording): readonly Rows[] {
  const all = VIEWS.map((row) => ({ row, changes: views[row.name] ?? [] }));
  // Most views change in the same way.
  return grouped(all, ({ changes }) => changes.map(changeKey).join('\n')).map((alike) => {
    const who = listed(
      alike.map(({ row }) => whoseWords(row)),
      alike.length,
    );
    return endChangeRows(`${who.slice(0, 1).toUpperCase()}${who.slice(1)} end in`, alike[0].changes, wording);
  });
}

/** Where only one of two results was made to be validated there is nothing to compare, but what it says is worth telling. */
function validatingRows(
  { views: { validating: earlier } }: TraversalResult,
  { views: { validating: later } }: TraversalResult,
): Rows {
  const only = later ?? earlier;
  if (only === undefined || (earlier !== undefined && later !== undefined)) return [];
  const which = later === undefined ? 'earlier' : 'later';
  return [
    [{ text: `Only the ${which} result has the answers of validating resolvers`, style: 'strong' }],
    [{ text: validatedWords(only, 'terse') }],
  ];
}

function notComparedRows({ notCompared = [] }: ResultChanges): Rows {
  const rows = notCompared.flatMap((row) => {
    const name = VIEW_NAMES[row.view];
    return name === undefined ? [] : [[{ text: name }, { text: reasonWords(row) }]];
  });
  return headed('Not compared', rows);
}

function changeKey(change: EndChange): string {
  return [change.before, change.after, endKey(change)].join('\n');
}

function findingRow(finding: Finding) {
  return [{ text: finding.severity }, { text: finding.code }, { text: findingPlace(finding) }];
}

/** How changed ends are shown. */
interface ChangeWording {
  readonly detail: Detail;
  readonly shorten: Shorten;
}

/** The most changed ends of a view that are shown unless full detail is wanted. */
const ENDS_SHOWN = 12;

/** The changed ends of a view, with what their probability was and is. */
function endChangeRows(
  title: string,
  changes: readonly EndChange[],
  { detail, shorten }: ChangeWording,
): Rows {
  if (changes.length === 0) return [];
  // Addresses of one server are one place only if the same became of them.
  const places = grouped(changes, (end) => [fateOf(end), endWords(end), placeKey(end)].join('\n'));
  const shown = detail === 'full' ? places : places.slice(0, ENDS_SHOWN);
  const shares = percentages(shown.flatMap((ends) => [weightOf(ends, 'before'), weightOf(ends, 'after')]));
  const more = places.length - shown.length;
  return [
    [{ text: title, style: 'strong' }],
    ['was', 'now'].map((text) => ({ text, align: 'right', style: 'faint' })),
    ...shown.map((ends, at) => [
      shareCell(ends[0].before, shares[2 * at]),
      shareCell(ends[0].after, shares[2 * at + 1]),
      { text: endWords(ends[0], shorten), style: STYLES[ownEffect(ends[0])] },
      { text: placeOf(ends) },
    ]),
    ...(more === 0 ? [] : [[{ text: '' }, { text: '' }, { text: `and ${count(more, 'more end')}` }]]),
  ];
}

function fateOf({ before, after }: EndChange): string {
  return before === null ? 'new' : after === null ? 'gone' : 'shifted';
}

function weightOf(ends: readonly (End & EndChange)[], when: 'before' | 'after') {
  return sum(ends.map((end) => (end[when] === null ? ZERO : readFraction(end[when]))));
}

function shareCell(fraction: string | null, percent = ''): Cell {
  return { text: fraction === null ? '-' : percent, align: 'right', style: 'strong' };
}

/** The servers that came and went. */
export function serverChangeRows({ gone, new: appeared }: GoneAndNew<NamedAddress>): Rows {
  const rows = (what: string, servers: readonly NamedAddress[]) =>
    servers.map(({ address, names }) => [{ text: what }, { text: address }, { text: names.join(', ') }]);
  const all = [...rows('new', appeared), ...rows('gone', gone)];
  return all.length === 0 ? [] : [[{ text: 'Servers', style: 'strong' }], ...all];
}
