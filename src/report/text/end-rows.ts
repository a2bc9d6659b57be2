import { type OutcomeRow, summaryOf } from '../../document/ends.ts';
import type { TraversalResult } from '../../document/result.ts';
import { endWords } from '../../document/words/end-words.ts';
import { byFamily, grouped } from '../../document/words/lists.ts';
import { shown } from '../../document/words/names.ts';
import { percentages, shortFraction } from '../../document/words/quantities.ts';
import type { End } from '../../evaluate/end.ts';
import { comparisonOf, type EffectOf, type EndGroup, endGroups, weightOf } from '../views/effects.ts';
import type { Wording } from '../views/wording.ts';
import { type Cell, type Rows, STYLES } from './table.ts';
import { comparisonRows } from './user-rows.ts';

/** The ends of a view with their exact probabilities: what, then where. */
export function endRows(
  title: string,
  outcomes: readonly OutcomeRow[],
  effectOf: EffectOf,
  wording: Wording,
): Rows {
  const endings = endGroups(outcomes, effectOf);
  const percents = percentages(endings.map(({ probability }) => probability));
  const heading: Rows = [[{ text: title, style: 'strong' }]];
  return [...heading, ...endings.flatMap((ending, at) => endingRows(ending, percents[at] ?? '', wording))];
}

function endingRows({ outcomes, probability, effect }: EndGroup, percent: string, wording: Wording): Rows {
  const head: readonly Cell[] = [
    { text: percent, align: 'right', style: 'strong' },
    { text: shortFraction(probability), align: 'right', style: 'faint' },
    { text: endWords(outcomes[0], wording.shorten), style: STYLES[effect] },
  ];
  const places = grouped(outcomes, placeKey);
  const [only, ...others] = places;
  if (only !== undefined && others.length === 0) return [[...head, { text: placeOf(only) }]];
  return [head, ...placeRows(places)];
}

function placeRows(places: readonly EndGroup['outcomes'][]): Rows {
  const weights = places.map(weightOf);
  const shares = [percentages(weights), weights.map(shortFraction)].map(alignedRight);
  return places.map((place, at) => [
    { text: '' },
    { text: '' },
    { text: `  ${[...shares.map((texts) => texts[at]), placeOf(place)].join('  ')}` },
  ]);
}

function alignedRight(texts: readonly string[]): readonly string[] {
  const room = Math.max(...texts.map(({ length }) => length));
  return texts.map((text) => text.padStart(room));
}

/** A text that is equal for ends in one place, whichever address of a server was picked. */
export function placeKey({ server, zone, ...end }: End): string {
  const cause = 'cause' in end && end.cause !== undefined ? placeOf([end.cause]) : '';
  return [server?.name ?? '', zone, cause].join('\n');
}

/** Where ends of one place are: the server and its addresses, the zone, and where the cause is. */
export function placeOf(ends: readonly [End, ...End[]]): string {
  const [{ server, zone, ...first }] = ends;
  const addresses = [...new Set(ends.flatMap((end) => end.server?.address ?? []))].sort(byFamily);
  const place =
    server === null
      ? `zone ${shown(zone)}`
      : `${shown(server.name)} ${addresses.join(', ')} of ${shown(zone)}`;
  const cause = 'cause' in first ? first.cause : undefined;
  return cause === undefined || cause.server === null ? place : `${place}, because of ${placeOf([cause])}`;
}

/** What first tries end in, before a resolver tries elsewhere. */
export function firstTryRows(result: TraversalResult, wording: Wording): Rows {
  const { recorded, views } = result;
  if (recorded !== undefined) {
    const columns = [
      { head: 'now', summary: summaryOf(recorded.views['first-tries']) },
      { head: 'then', summary: summaryOf(views['first-tries']) },
    ];
    return comparisonRows('First tries', columns, wording);
  }
  const { effectOf } = comparisonOf(views.resolver.outcomes);
  return endRows('First tries', views['first-tries'].outcomes, effectOf, wording);
}
