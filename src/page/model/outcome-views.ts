/* The shares of what users get, as the page shows them. */

import type { OutcomeRow } from '../../document/ends.ts';
import type { TraversalResult, ValidatingRow } from '../../document/result.ts';
import type { View } from '../../document/views.ts';
import { endWords } from '../../document/words/end-words.ts';
import { grouped } from '../../document/words/lists.ts';
import { count, percentages, shortFraction } from '../../document/words/quantities.ts';
import { type Fraction, fractionText, toNumber, ZERO } from '../../evaluate/fraction.ts';
import { placeKey, placeOf } from '../../report/text/end-rows.ts';
import {
  comparisonOf,
  contentKey,
  type Effect,
  type EffectOf,
  type EndGroup,
  endGroups,
  MARKS,
  weightOf,
} from '../../report/views/effects.ts';
import { readingsAgree, validatedShares, warmthOf } from '../../report/views/warm-and-validating.ts';
import type { Wording } from '../../report/views/wording.ts';

/** A share of a view: those that end alike. */
export interface OutcomeShare {
  readonly key: string;
  readonly effect: Effect;
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
  /** "3 servers", or "3 places" where not each is a server of its own. */
  readonly placesTitle: string;
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
export function viewShares({ view, before }: ShownView, effectOf: EffectOf, wording: Wording): ViewShares {
  const now = endGroups(view.outcomes, effectOf);
  const past = before === undefined ? [] : endGroups(before.outcomes, effectOf);
  const percents = percentages([...now, ...past].map(({ probability }) => probability));
  const share = (group: EndGroup, at: number) => shareOf(group, percents[at] ?? '', wording);
  const shares = now.map(share);
  if (before === undefined) return { now: shares };
  return { now: shares, before: past.map((group, at) => share(group, now.length + at)) };
}

function shareOf(
  { outcomes, probability, effect }: EndGroup,
  percent: string,
  { shorten }: Wording,
): OutcomeShare {
  const [end] = outcomes;
  const places = placesOf(outcomes);
  const servers = new Set(outcomes.flatMap(({ server }) => server?.name ?? []));
  return {
    key: endWords(end),
    effect,
    mark: MARKS[effect],
    percent,
    fraction: shortFraction(probability),
    longFraction: longFraction(probability),
    size: toNumber(probability),
    words: endWords(end, shorten),
    places,
    placesTitle: count(places.length, servers.size === places.length ? 'server' : 'place'),
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

/** A view of a result, with what it is called. */
export interface ShownView {
  readonly key: string;
  readonly title: string;
  /** Whose view it is, in a sentence. */
  readonly note: string;
  readonly view: View;
  /** The same view of the world that was recorded, where another is imagined. */
  readonly before?: View;
}

/** The views of a result that tell something of their own, the most basic first: svc-model(7). */
export function shownViews(result: TraversalResult): readonly ShownView[] {
  const { resolver, warm, validating, recorded } = result;
  const isWarmShown = warm !== undefined && warmthOf(result).kind !== 'same';
  const isFirstTryShown = [validating, recorded?.validating].some(isOtherAtFirst);
  const validatingTitle = (retry: string) =>
    `${isWarmShown ? 'Cold validating' : 'Validating'} resolvers${retry} get`;
  const views: readonly (Omit<ShownView, 'view' | 'before'> & {
    readonly view: View | undefined;
    readonly before: View | undefined;
  })[] = [
    {
      key: 'paths',
      title: 'Paths end in',
      note: 'If resolvers never retried.',
      view: result,
      before: recorded,
    },
    {
      key: 'resolver',
      title: isWarmShown ? 'A cold resolver gets' : 'A resolver gets',
      note: 'Resolvers retry another server where one fails.',
      view: resolver,
      before: recorded?.resolver,
    },
    {
      key: 'warm-paths',
      title: 'Warm paths end in',
      note: "From the zones' own name servers rather than their parents' delegations.",
      view: isWarmShown ? warm : undefined,
      before: undefined,
    },
    {
      key: 'warm-resolver',
      title: 'A warm resolver gets',
      note: "It knows the zones' own name servers, and retries another where one fails.",
      view: isWarmShown ? warm.resolver : undefined,
      before: undefined,
    },
    {
      key: 'validating',
      title: validatingTitle(isFirstTryShown ? ' (with retry)' : ''),
      note: 'A validating resolver tries another server where a reply does not verify.',
      view: validating,
      before: recorded?.validating,
    },
    {
      key: 'validating-first-try',
      title: validatingTitle(' (without retry)'),
      note: 'A validating resolver that takes the first usable reply, good or bad.',
      view: isFirstTryShown ? validating?.firstTry : undefined,
      before: recorded?.validating?.firstTry,
    },
  ];
  return views.flatMap(({ view, before, ...words }) =>
    view === undefined ? [] : [{ ...words, view, ...(before === undefined ? {} : { before }) }],
  );
}

/** Whether it makes a difference if a resolver retries. */
function isOtherAtFirst(validating: ValidatingRow | undefined): boolean {
  return validating !== undefined && !readingsAgree(validatedShares(validating, (text) => text));
}

/**
 * Says what an end of any view means beside the ends of the path view, so that the same end looks the same in
 * all of them: what no path ends in differs.
 */
export function effectOfEnds({ outcomes }: Pick<TraversalResult, 'outcomes'>): EffectOf {
  const { effectOf } = comparisonOf(outcomes);
  const known = new Set(outcomes.map(contentKey));
  return (end) => {
    const effect = effectOf(end);
    if (effect !== 'ends-well' || known.has(contentKey(end))) return effect;
    return end.kind === 'answer' ? 'differs' : 'denies';
  };
}
