import { formatDurationMs } from '../../base/duration.ts';
import type { OutcomeRow } from '../../document/ends.ts';
import type { ResolverRow } from '../../document/resolvers.ts';
import type { TraversalResult } from '../../document/result.ts';
import { endWords } from '../../document/words/end-words.ts';
import { byFamily, grouped } from '../../document/words/lists.ts';
import { plain, shown } from '../../document/words/names.ts';
import { percentages, shortFraction } from '../../document/words/quantities.ts';
import { extendedErrorWords } from '../../document/words/security-words.ts';
import type { End } from '../../evaluate/end.ts';
import {
  comparisonOf,
  type Effect,
  type EffectOf,
  type EndGroup,
  endGroups,
  weightOf,
} from '../views/effects.ts';
import type { ResultView } from '../views/result-view.ts';
import { likenessWords, resolverAddress, saidWords, type Wording } from '../views/wording.ts';
import { type Cell, type Rows, STYLES } from './table.ts';

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

/** What resolvers said that were asked the same question, which ends that is, and how long they keep it. */
export function resolverRows({ result, wording }: ResultView): Rows {
  const { resolvers = [] } = result;
  const { effectOf } = comparisonOf(result.views.resolver.outcomes);
  const rows = resolvers.map((row): readonly Cell[] => [
    { text: `  ${resolverAddress(row.server)}${nameOf(row)}` },
    {
      text: wording.shorten([saidWords(row), ...extendedErrorWords(row.reply.edns)].join(', ')),
      style: STYLES[resolverEffect(row, result, effectOf)],
    },
    { text: [likenessWords(row, result), ...keptFor(row)].filter((words) => words !== '').join('; ') },
  ]);
  return [[{ text: 'Resolvers say', style: 'strong' }], ...rows];
}

function nameOf({ server: { name } }: ResolverRow): string {
  return name === undefined ? '' : ` (${plain(name)})`;
}

function keptFor({ ttl }: ResolverRow): readonly string[] {
  return ttl === null ? [] : [`TTL left ${formatDurationMs(ttl * MS_PER_SECOND)}`];
}

const MS_PER_SECOND = 1_000;

/** What the reply means to its users: what such an end of a path means, if there is one. */
function resolverEffect(
  { says, outcomes }: ResolverRow,
  result: TraversalResult,
  effectOf: EffectOf,
): Effect {
  const [first] = outcomes.flatMap((at) => result.views['first-tries'].outcomes[at] ?? []);
  if (first !== undefined) return effectOf(first);
  switch (says.kind) {
    case 'answer':
    case 'nodata':
    case 'nxdomain':
      return 'differs';
    case 'alias-loop':
    case 'error':
    case 'no-resolver':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return 'fails';
  }
}
