import type { OutcomeRow } from '../../document/ends.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { Judge } from '../../reading/bearing.ts';
import { weightOf } from '../../reading/comparison.ts';
import { type EndGroup, endGroups } from '../../reading/end-groups.ts';
import { endWords } from '../../reading/end-words.ts';
import { grouped } from '../../reading/grouped.ts';
import type { Wording } from '../../reading/wording.ts';
import { percentages, shortFraction } from '../../reading/words/percent.ts';
import { count } from '../../reading/words/quantities.ts';
import { STYLES } from '../table/styles.ts';
import type { Cell, Rows } from '../table/table.ts';
import { placeKey, placeOf } from './places.ts';

/** The most places of one ending that are shown unless full detail is wanted. */
const PLACES_SHOWN = 8;

/** The ends of the path view with their exact probabilities: what, then where. */
export function endRows({ outcomes }: TraversalResult, judge: Judge, wording: Wording): Rows {
  const endings = endGroups(outcomes, judge);
  const percents = percentages(endings.map(({ probability }) => probability));
  const title: Rows = [[{ text: 'Paths end in', style: 'strong' }]];
  return [...title, ...endings.flatMap((ending, at) => endingRows(ending, percents[at] ?? '', wording))];
}

function endingRows({ outcomes, probability, bearing }: EndGroup, percent: string, wording: Wording): Rows {
  const head: readonly Cell[] = [
    { text: percent, align: 'right', style: 'strong' },
    { text: shortFraction(probability), align: 'right', style: 'faint' },
    { text: endWords(outcomes[0], wording.shorten), style: STYLES[bearing] },
  ];
  const places = grouped(outcomes, placeKey);
  const [only, ...others] = places;
  if (only !== undefined && others.length === 0) return [[...head, { text: placeOf(only) }]];
  if (bearing === 'ends-well' && wording.detail === 'terse')
    return [[...head, { text: serversOf(outcomes) }]];
  return [head, ...placeRows(places, wording)];
}

function placeRows(places: readonly EndGroup['outcomes'][], { detail }: Wording): Rows {
  const shown = detail === 'full' ? places : places.slice(0, PLACES_SHOWN);
  const weights = shown.map(weightOf);
  const shares = [percentages(weights), weights.map(shortFraction)].map(alignedRight);
  const lines = shown.map((place, at) => [...shares.map((texts) => texts[at]), placeOf(place)].join('  '));
  const more = places.length - shown.length;
  return [...lines, ...(more === 0 ? [] : [`and ${count(more, 'more place')}`])].map((line) => [
    { text: '' },
    { text: '' },
    { text: `  ${line}` },
  ]);
}

function alignedRight(texts: readonly string[]): readonly string[] {
  const room = Math.max(...texts.map(({ length }) => length));
  return texts.map((text) => text.padStart(room));
}

function serversOf(outcomes: readonly OutcomeRow[]): string {
  const servers = new Set(outcomes.map(({ server }) => server?.name ?? ''));
  const zones = new Set(outcomes.map(({ zone }) => zone));
  return `${count(servers.size, 'server')} of ${[...zones].join(', ')}`;
}
