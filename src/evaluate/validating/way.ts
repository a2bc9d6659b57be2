import { type Want, wantKey } from '../../explore/validating/want.ts';
import type { End } from '../end.ts';
import { divide, type Fraction, lowestTerms, multiply, ONE, sum } from '../fraction.ts';
import type { Leg, Timed } from './leg.ts';

/** By the key of what is wanted: the ends of those who wait for it in vain, each with its part of them. */
export type Stops = ReadonlyMap<string, readonly Stop[]>;

/** An end of paths that wait for something in vain. */
export interface Stop extends Timed {
  readonly end: End;
}

/** Paths at a step, and what they have come through there. */
export interface JudgedWay extends Pick<Leg, 'weight' | 'keys' | 'lessons'> {
  readonly stops: Stops;
}

/** The way to the step's first question. */
export const BEGINNING: JudgedWay = { weight: ONE, keys: [], lessons: [], stops: new Map() };

/** With the ends of those who wait for this, where there are any. */
export function withStops(stops: Stops, want: Want, ended: readonly Stop[]): Stops {
  const all = total(ended);
  if (all.numerator === 0n) return stops;
  const each = ended.map((stop) => ({ ...stop, weight: divide(stop.weight, all) }));
  return new Map([...stops, [wantKey(want), each]]);
}

function total(picks: readonly { readonly weight: Fraction }[]): Fraction {
  return sum(picks.map(({ weight }) => weight));
}

/** The way on for the paths that took one of these. */
export function passedOn(way: JudgedWay, picks: readonly Timed[]): JudgedWay {
  return { ...way, weight: lowestTerms(multiply(way.weight, total(picks))) };
}

/** The same, with the time that it took to learn something. */
export function withLesson(way: JudgedWay, picks: readonly Timed[]): JudgedWay {
  return { ...passedOn(way, picks), lessons: [...way.lessons, picks] };
}
