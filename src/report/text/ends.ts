import { add, compare, type Fraction } from '../../evaluate/fraction.ts';
import type { OutcomeRow, TraversalResult } from '../result.ts';
import { doingOf } from './doing.ts';
import { endPlace, endWords } from './end-words.ts';
import { grouped } from './group.ts';
import { percentages, readFraction, shortFraction } from './percent.ts';
import { STYLES } from './section-rows.ts';
import { type Detail, shortened } from './shortened.ts';
import type { Cell, Rows } from './table.ts';
import { count } from './words.ts';

/** One way for paths to end, and everywhere they end so. */
interface Ending {
  readonly outcomes: readonly [OutcomeRow, ...OutcomeRow[]];
  readonly probability: Fraction;
}

/** So many places of one ending are shown if nothing else is asked for. */
const PLACES_SHOWN = 8;

/** The ends of the path view with their exact probabilities: what, then where. */
export function endRows({ outcomes }: TraversalResult, detail: Detail): Rows {
  const endings = grouped(outcomes, endWords)
    .map((alike) => ({ outcomes: alike, probability: alike.map(probabilityOf).reduce(add) }))
    .sort((a, b) => compare(b.probability, a.probability));
  const percents = percentages(endings.map(({ probability }) => probability));
  return endings.flatMap((ending, at) => endingRows(ending, percents[at] ?? '', detail));
}

function endingRows({ outcomes, probability }: Ending, percent: string, detail: Detail): Rows {
  const [first] = outcomes;
  const { bearing, words } = doingOf(first);
  const head: readonly Cell[] = [
    { text: percent, align: 'right', style: 'strong' },
    { text: shortFraction(probability), align: 'right', style: 'faint' },
    { text: bearing === 'ends-well' ? shortened(words, detail) : words, style: STYLES[bearing] },
  ];
  if (outcomes.length === 1) return [[...head, { text: endPlace(first) }]];
  if (bearing === 'ends-well' && detail === 'terse') return [[...head, { text: places(outcomes) }]];
  return [head, ...placeRows(outcomes, detail)];
}

function placeRows(outcomes: readonly OutcomeRow[], detail: Detail): Rows {
  const shown = detail === 'full' ? outcomes : outcomes.slice(0, PLACES_SHOWN);
  const percents = percentages(shown.map(probabilityOf));
  const room = Math.max(...percents.map(({ length }) => length));
  const lines = shown.map((outcome, at) => `${(percents[at] ?? '').padStart(room)}  ${endPlace(outcome)}`);
  const more = outcomes.length - shown.length;
  return [...lines, ...(more === 0 ? [] : [`and ${more} more places`])].map((line) => [
    { text: '' },
    { text: '' },
    { text: `  ${line}` },
  ]);
}

function places(outcomes: readonly OutcomeRow[]): string {
  const servers = [...new Set(outcomes.map(({ server }) => server?.name ?? ''))];
  const zones = [...new Set(outcomes.map(({ zone }) => zone))].join(', ');
  return servers.length === 1
    ? `${servers[0]}, zone ${zones}`
    : `${count(servers.length, 'server')} of ${zones}`;
}

function probabilityOf({ fraction }: OutcomeRow): Fraction {
  return readFraction(fraction);
}
