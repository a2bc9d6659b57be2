/* The shares of what users get, as the page shows them. */

import { type OutcomeRow, summaryOf } from '../../document/ends.ts';
import type { TraversalResult } from '../../document/result.ts';
import { allViewsOf, type View } from '../../document/views.ts';
import { endWords } from '../../document/words/end-words.ts';
import { grouped, sentence } from '../../document/words/lists.ts';
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
import { isIntercepted } from '../../report/views/findings.ts';
import { summaryKey } from '../../report/views/user-shares.ts';
import { ASKING, groupHead, type UserGroup, userGroups, usersIn } from '../../report/views/users.ts';
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
  /** `products`: of users of certain products, beside those of all others. */
  readonly of: 'products' | 'others';
  readonly title: string;
  /** Whose view it is, in a sentence. */
  readonly note: string;
  readonly view: View;
  /** The same view of the world that was recorded, where another is imagined. */
  readonly before?: View;
}

/** What users get, those together who get the same: svc-model(7). */
export function userGroupViews(result: TraversalResult): readonly ShownView[] {
  const { recorded } = result;
  const before = recorded === undefined ? [] : userGroups(recorded);
  // The warm view of the recorded world is not kept: it is taken for the cold one.
  const pastOf = (kind: Kind) => (before.find(({ kinds }) => kinds.includes(kind)) ?? before[0])?.view ?? '';
  const all = userGroups(result);
  const [cold, ...apart] = all.flatMap(({ kinds }) => grouped(kinds, pastOf));
  const groups = [...apart, ...(cold === undefined ? [] : [cold])];
  const products = all.filter(({ kinds }) => kinds.length === 0);
  const ofKinds = groups.flatMap((kinds): readonly ShownView[] => {
    const group = { kinds, products: [], start: 'cold' } as const;
    const [view, was] = [result.views[kinds[0]], recorded?.views[kinds[0]]];
    if (view === undefined) return [];
    return [
      {
        key: kinds.join(' '),
        of: 'others',
        title: groups.length + products.length === 1 ? 'Users get' : `${titleOf(group)} get`,
        note: `Behind ${groupHead(group)} resolvers.`,
        view,
        ...(was === undefined ? {} : { before: was }),
      },
    ];
  });
  return [...products.flatMap((group) => productGroupView(group, result)), ...ofKinds];
}

function productGroupView(group: UserGroup, result: TraversalResult): readonly ShownView[] {
  const name = group.view.replace(ASKING, '');
  const { view: own } = allViewsOf(result).find(({ row }) => row.name === name) ?? {};
  const view = name === group.view ? own : own?.asking;
  if (view === undefined) return [];
  return [
    {
      key: groupHead(group),
      of: 'products',
      title: `Users of ${groupHead(group)} get`,
      note:
        group.start === 'own-ns-sets'
          ? "Once these resolvers know the zones' own NS records."
          : `As ${groupHead(group)} ${group.products.length === 1 ? 'resolves at its' : 'resolve at their'} defaults.`,
      view,
    },
  ];
}

type Kind = UserGroup['kinds'][number];

/** Cold resolvers are those of which nothing more is known. */
function titleOf(group: Pick<UserGroup, 'kinds' | 'products'>): string {
  return group.kinds.includes('resolver') ? 'All other users' : sentence(usersIn(group));
}

/** What first tries end in; undefined where users of cold resolvers get the same. */
export function firstTryView(result: TraversalResult): ShownView | undefined {
  const { views, recorded } = result;
  const { 'first-tries': paths, resolver } = views;
  const isSame = summaryKey(summaryOf(paths)) === summaryKey(summaryOf(resolver));
  if (recorded === undefined && isSame) return undefined;
  return {
    key: 'paths',
    of: 'others',
    title: 'First tries',
    note: 'Before a resolver tries elsewhere.',
    view: paths,
    ...(recorded === undefined ? {} : { before: recorded.views['first-tries'] }),
  };
}

/**
 * Says what an end of any view means beside the ends of the path view, so that the same end looks the same in
 * all of them: what no path ends in differs.
 */
export function effectOfEnds({
  views: {
    'first-tries': { outcomes },
    resolver,
  },
  findings,
}: Pick<TraversalResult, 'views' | 'findings'>): EffectOf {
  if (isIntercepted({ findings })) return () => 'unknown';
  const { effectOf } = comparisonOf(resolver.outcomes);
  const known = new Set(outcomes.map(contentKey));
  return (end) => {
    const effect = effectOf(end);
    if (effect !== 'ends-well' || known.has(contentKey(end))) return effect;
    return end.kind === 'answer' ? 'differs' : 'denies';
  };
}
