import type { OutcomeRow } from '../../document/ends.ts';
import { type Fraction, fractionText, toNumber, ZERO } from '../../evaluate/fraction.ts';
import type { Judge } from '../../reading/bearing.ts';
import { type Bearing, MARKS } from '../../reading/bearing.ts';
import { weightOf } from '../../reading/comparison.ts';
import { type EndGroup, endGroups } from '../../reading/end-groups.ts';
import { endWords } from '../../reading/end-words.ts';
import { grouped } from '../../reading/grouped.ts';
import type { Wording } from '../../reading/wording.ts';
import { percentages, shortFraction } from '../../reading/words/percent.ts';
import { placeKey, placeOf } from '../../report/text/places.ts';
import type { ShownView } from './views.ts';

/** A share of a view: those that end alike. */
export interface OutcomeShare {
  readonly key: string;
  readonly bearing: Bearing;
  readonly mark: string;
  readonly percent: string;
  /** The exact value where it is short; else empty. */
  readonly fraction: string;
  /** The exact value where it is too long to stand beside others; else empty. */
  readonly longFraction: string;
  /** From 0 to 1. */
  readonly size: number;
  readonly words: string;
  readonly places: readonly SharePlace[];
}

/** A place where a part of a share ends. */
interface SharePlace {
  readonly percent: string;
  readonly fraction: string;
  readonly words: string;
}

/** The shares of a view, and what they were in the world that was recorded. */
interface ViewShares {
  readonly now: readonly OutcomeShare[];
  /** In the same order, as far as they are the same; absent where no other world is imagined. */
  readonly before?: readonly OutcomeShare[];
}

/** The shares of a view, most probable first. */
export function viewShares({ view, before }: ShownView, judge: Judge, wording: Wording): ViewShares {
  const now = endGroups(view.outcomes, judge);
  const past = before === undefined ? [] : endGroups(before.outcomes, judge);
  const percents = percentages([...now, ...past].map(({ probability }) => probability));
  const share = (group: EndGroup, at: number) => shareOf(group, percents[at] ?? '', wording);
  const shares = now.map(share);
  if (before === undefined) return { now: shares };
  return { now: shares, before: past.map((group, at) => share(group, now.length + at)) };
}

function shareOf(
  { outcomes, probability, bearing }: EndGroup,
  percent: string,
  { shorten }: Wording,
): OutcomeShare {
  const [end] = outcomes;
  return {
    key: endWords(end),
    bearing,
    mark: MARKS[bearing],
    percent,
    fraction: shortFraction(probability),
    longFraction: longFraction(probability),
    size: toNumber(probability),
    words: endWords(end, shorten),
    places: placesOf(outcomes),
  };
}

function longFraction(probability: Fraction): string {
  const text = fractionText(probability);
  return text.includes('/') && shortFraction(probability) === '' ? text : '';
}

function placesOf(outcomes: readonly OutcomeRow[]): readonly SharePlace[] {
  const places = grouped(outcomes, placeKey);
  const weights: readonly Fraction[] = places.map((place) => weightOf(place));
  const percents = percentages(weights);
  return places.map((place, at) => ({
    percent: percents[at] ?? '',
    fraction: shortFraction(weights[at] ?? ZERO),
    words: placeOf(place),
  }));
}
