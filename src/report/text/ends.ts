import type { OutcomeRow } from '../../document/ends.ts';
import type { TraversalResult } from '../../document/result.ts';
import { compare, type Fraction } from '../../evaluate/fraction.ts';
import { differences, weightOf } from '../../reading/agreement.ts';
import { type Bearing, bearingOf } from '../../reading/doing.ts';
import { endWords, placeKey, placeOf } from '../../reading/end-words.ts';
import { grouped } from '../../reading/grouped.ts';
import { percentages, shortFraction } from '../../reading/percent.ts';
import { count } from '../../reading/quantities.ts';
import { type Detail, shortened } from '../../reading/shortened.ts';
import type { Cell, Rows } from '../table/table.ts';
import { STYLES } from './section-rows.ts';

/** One way for paths to end, and everywhere they end so. */
interface Ending {
  readonly outcomes: readonly [OutcomeRow, ...OutcomeRow[]];
  readonly probability: Fraction;
  readonly bearing: Bearing;
}

/** So many places of one ending are shown if nothing else is asked for. */
const PLACES_SHOWN = 8;

/** The ends of the path view with their exact probabilities: what, then where. */
export function endRows({ outcomes }: TraversalResult, detail: Detail): Rows {
  const differs = differences(outcomes);
  const endings = grouped(outcomes, endWords)
    .map((alike) => ({
      outcomes: alike,
      probability: weightOf(alike),
      bearing: differs(alike[0]) ? ('differs' as const) : bearingOf(alike[0]),
    }))
    .sort((a, b) => compare(b.probability, a.probability));
  const percents = percentages(endings.map(({ probability }) => probability));
  const title: Rows = [[{ text: 'Paths end in', style: 'strong' }]];
  return [...title, ...endings.flatMap((ending, at) => endingRows(ending, percents[at] ?? '', detail))];
}

function endingRows({ outcomes, probability, bearing }: Ending, percent: string, detail: Detail): Rows {
  const words = endWords(outcomes[0]);
  const isGood = bearing === 'ends-well' || bearing === 'differs';
  const head: readonly Cell[] = [
    { text: percent, align: 'right', style: 'strong' },
    { text: shortFraction(probability), align: 'right', style: 'faint' },
    { text: isGood ? shortened(words, detail) : words, style: STYLES[bearing] },
  ];
  const places = grouped(outcomes, placeKey);
  const [only, ...others] = places;
  if (only !== undefined && others.length === 0) return [[...head, { text: placeOf(only) }]];
  if (bearing === 'ends-well' && detail === 'terse') return [[...head, { text: serversOf(outcomes) }]];
  return [head, ...placeRows(places, detail)];
}

function placeRows(places: readonly (readonly [OutcomeRow, ...OutcomeRow[]])[], detail: Detail): Rows {
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
