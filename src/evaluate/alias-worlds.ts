/* Addresses that give several aliases by turns, as worlds in which each gives one of them: svc-model(7), ANSWERS THAT VARY. */

import { getOrMake } from '../base/memo.ts';
import { questionKey } from '../dns/message.ts';
import { queryKey } from '../exchange/query.ts';
import { aliasTurns, type Turn } from '../explore/alias-turns.ts';
import type { Recording } from '../explore/recording.ts';
import { Collector, type Outcome, outcomesOf } from './distribution.ts';
import { answerData, type End, endKey } from './end.ts';
import { add, compare, type Fraction, lowestTerms, multiply, ONE, sum, toNumber, ZERO } from './fraction.ts';
import type { EvaluatedView } from './products.ts';
import type { InTime } from './profiles/in-time.ts';
import type { EvaluatedWorld } from './world.ts';

/** A world in which addresses that give several aliases by turns give one, and how much of the time that is so. */
export interface AliasWorld {
  readonly share: Fraction;
  readonly world: EvaluatedWorld;
}

/** The aliases of more names are left as they were heard first. */
const MOST_WORLDS = 16;

/**
 * The worlds that a recording stands for, of which no more are told apart than matter: a path uses one address's alias of a
 * name, so that the aliases of one name turn together at all addresses, each by its share; those of different names turn
 * each by itself. None: no alias turns.
 */
export function aliasWorlds(recording: Recording, world: EvaluatedWorld): AliasWorlds {
  const names = new Map<string, TurningAddress[]>();
  for (const [key, turns] of aliasTurns(recording)) {
    const of = turns.reduce((total, { replies }) => total + replies, 0);
    for (const { exchanged } of turns.slice(0, 1))
      getOrMake(names, questionKey(exchanged.question), () => []).push({ key, turns, of });
  }
  let worlds: readonly ChosenTurns[] = [];
  let replies = Number.POSITIVE_INFINITY;
  for (const addresses of names.values()) {
    const choices = choicesOf(addresses);
    if (Math.max(1, worlds.length) * choices.length > MOST_WORLDS) continue;
    replies = Math.min(
      replies,
      addresses.reduce((total, { of }) => total + of, 0),
    );
    const before: readonly ChosenTurns[] = worlds.length === 0 ? [{ share: ONE, given: new Map() }] : worlds;
    worlds = before.flatMap((one) =>
      choices.map(({ share, given }) => {
        return { share: multiply(one.share, share), given: new Map([...one.given, ...given]) };
      }),
    );
  }
  return {
    replies,
    worlds: worlds.map(({ share, given }) => ({
      share: lowestTerms(share),
      world: {
        ...world,
        exchanged: (recorded, state) =>
          world.exchanged(given.get(queryKey(recorded))?.exchanged ?? recorded, state),
      },
    })),
  };
}

export interface AliasWorlds {
  readonly worlds: readonly AliasWorld[];
  /** How many replies their shares come from. */
  readonly replies: number;
}

interface TurningAddress {
  /** Of its question. */
  readonly key: string;
  readonly turns: readonly Turn[];
  /** How many replies these are together. */
  readonly of: number;
}

/** What each address gives, by the key of its question, for a share of the time. */
interface ChosenTurns {
  readonly share: Fraction;
  readonly given: ReadonlyMap<string, Turn>;
}

/** The turns of all addresses beside each other, each as long as its share, cut where one of them changes. */
function choicesOf(addresses: readonly TurningAddress[]): readonly ChosenTurns[] {
  const starts = addresses.flatMap(({ turns, of }) => {
    let before = 0;
    return turns.map(({ replies }) => {
      before += replies;
      return { numerator: BigInt(before), denominator: BigInt(of) };
    });
  });
  const ends = starts
    .sort(compare)
    .filter((end, at, all) => at === 0 || compare(end, all[at - 1] ?? ZERO) > 0);
  return ends.map((end, at) => {
    const { numerator, denominator } = ends[at - 1] ?? ZERO;
    const share = add(end, { numerator: -numerator, denominator });
    const given = addresses.flatMap(({ key, turns, of }) => {
      let reached = 0;
      const turn = turns.find(({ replies }) => {
        reached += replies;
        return compare({ numerator: BigInt(reached), denominator: BigInt(of) }, end) >= 0;
      });
      return turn === undefined ? [] : [[key, turn] as const];
    });
    return { share, given: new Map(given) };
  });
}

/** A view in one of the worlds. */
interface ViewPart {
  readonly share: Fraction;
  readonly view: EvaluatedView;
}

/** What users get in all worlds together. Nobody is told of deviations twice: those of the first count. */
export function mixedView(parts: readonly ViewPart[], replies: number): EvaluatedView {
  const asking = parts.some(({ view }) => view.asking !== undefined);
  const [first] = parts;
  return {
    ...first?.view,
    ...mixed(parts, replies),
    ...(asking && {
      asking: mixed(
        parts.map(({ share, view }) => ({ share, view: view.asking ?? view })),
        replies,
      ),
    }),
  };
}

function mixed(parts: readonly ViewPart[], replies: number): InTime {
  const ends = new Map<string, End>();
  const present = new Map<string, Fraction>();
  const collector = new Collector();
  for (const { share, view } of parts) {
    for (const { end, probability } of view.outcomes)
      collector.add(
        getOrMake(ends, endKey(end), () => end),
        multiply(share, probability),
      );
    for (const content of new Set(view.outcomes.map(contentOf)))
      present.set(content, add(present.get(content) ?? ZERO, share));
  }
  const late = lowestTerms(sum(parts.map(({ share, view: { late = ZERO } }) => multiply(share, late))));
  const outcomes = outcomesOf(collector.distribution).map((outcome) => {
    const here = toNumber(present.get(contentOf(outcome)) ?? ONE);
    return here >= 1
      ? outcome
      : { ...outcome, end: turned(outcome.end, Math.round(here * replies), replies) };
  });
  return { outcomes, ...(compare(late, ZERO) > 0 && { late }) };
}

/** Whoever gets it gets the same as everybody to whom this is equal. */
function contentOf({ end }: Outcome): string {
  return [end.kind, ...answerData(end)].join('\n');
}

/** An end that is come to by some of the aliases alone. */
function turned(end: End, replies: number, of: number): End {
  if (end.kind !== 'answer' && end.kind !== 'nodata' && end.kind !== 'nxdomain') return end;
  return { ...end, seen: { replies, of, by: 'alias' } };
}
