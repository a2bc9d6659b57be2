/* Where a result has the views of the table (evaluate/views.ts), the limits met in them, and what surely differs between two. */

import { choice } from '../base/shape-values.ts';
import { type LimitKind, unexamined } from '../evaluate/end.ts';
import type { EvaluatedView, Evaluation } from '../evaluate/evaluate.ts';
import { add, compare, type Fraction, ZERO } from '../evaluate/fraction.ts';
import { VIEWS, type ViewRow } from '../evaluate/views.ts';
import { DEFAULT_PROFILES, type ProfileName, todaysProfile } from '../explore/profiles/profiles.ts';
import { exact, outcomeRow } from './ends.ts';
import type { BriefResult, TraversalResult, ViewsByName } from './result.ts';

/** A view of a result, and its row in the table of views. */
export interface ViewOfResult {
  readonly row: ViewRow;
  readonly view: View;
}

/** What a view comes to. */
export type View = ViewsByName['resolver'];

/** What there is to be known of the views of a result, and of the products that it was asked for. */
export type AllViews = Pick<TraversalResult, 'views'> & Partial<Pick<TraversalResult, 'options'>>;

/** The views of an evaluation as a result has them. */
export function viewsByName({ views }: Pick<Evaluation, 'views'>): ViewsByName {
  return {
    ...NO_VIEWS,
    ...Object.fromEntries(
      VIEWS.flatMap(({ name }) => {
        const view = views.get(name);
        return view === undefined ? [] : [[name, viewRow(view)] as const];
      }),
    ),
  };
}

const NO_VIEWS = { 'first-tries': { outcomes: [] }, resolver: { outcomes: [] } };

function viewRow({ asking, deviations = [], ...all }: EvaluatedView): View {
  return {
    ...inTimeRow(all),
    ...(asking && { asking: inTimeRow(asking) }),
    ...(deviations.length > 0 && { deviations }),
  };
}

function inTimeRow({ outcomes, late }: Omit<EvaluatedView, 'asking' | 'deviations'>): View {
  return { outcomes: outcomes.map(outcomeRow), ...(late && { late: exact(late) }) };
}

/** Every view that a result has, in the order of the table. */
export function allViewsOf({ views }: Pick<TraversalResult, 'views'>): readonly ViewOfResult[] {
  return VIEWS.flatMap((row): readonly ViewOfResult[] => {
    const { [row.name]: view } = views;
    return view === undefined ? [] : [{ row, view }];
  });
}

/** A result without its evidence, with the views that verdicts look at, but for those of earlier versions. */
export function briefResult(result: TraversalResult): BriefResult {
  const { ends, sticky, delegations, steps, lookups, exchanges, probes, unasked, ...brief } = result;
  const ofToday = viewsOf(result).filter(
    ({ row }) => row.behaviour !== 'profile' || todaysProfile(row.profile) === undefined,
  );
  const views = Object.fromEntries(ofToday.map(({ row, view }) => [row.name, view]));
  return { ...brief, views: { ...NO_VIEWS, ...views } };
}

/**
 * Those that verdicts and exit statuses look at: of products those that the option `profiles` names, and their earlier
 * versions, which a result has where they differ.
 */
export function viewsOf(result: AllViews): readonly ViewOfResult[] {
  const { profiles = DEFAULT_PROFILES } = result.options ?? {};
  const isNamed = (profile: ProfileName | undefined) => profile !== undefined && profiles.includes(profile);
  return allViewsOf(result).filter(
    ({ row }) => row.behaviour !== 'profile' || isNamed(row.profile) || isNamed(todaysProfile(row.profile)),
  );
}

/** The outcomes of all these, those included of users whose programs ask for validation. */
export function everyView(result: AllViews): readonly View[] {
  return viewsOf(result).flatMap(({ view }) => (view.asking === undefined ? [view] : [view, view.asking]));
}

/** A limit that can end a path. */
export const LIMIT_KIND = choice<LimitKind>({
  'query-limit': true,
  'time-limit': true,
  'work-limit': true,
  'depth-limit': true,
});

/** The limits that left something unknown: as an end in any view, or as the cause of one. */
export function limitsMet(result: AllViews): readonly LimitKind[] {
  const ends = everyView(result).flatMap(({ outcomes }) => outcomes);
  const met = new Set(ends.map((end) => unexamined(end)?.kind));
  return LIMIT_KIND.names.filter((kind) => met.has(kind));
}

/** What comes of something, by what users get; with what is unknown, the shares sum to 1. */
export interface KnownShares {
  readonly known: ReadonlyMap<string, Fraction>;
  /** Not examined: any of it may be any of the known, or something else. */
  readonly unknown: Fraction;
}

/**
 * What differs for certain, whatever the unknown shares turn out to be: what users get, or only how often.
 * `nothing` does not say that both are the same, unless nothing is unknown.
 */
export function sureDifference(one: KnownShares, other: KnownShares): 'nothing' | 'contents' | 'shares' {
  const ranges = [...new Set([...one.known.keys(), ...other.known.keys()])].map(
    (key) => [rangeOf(one, key), rangeOf(other, key)] as const,
  );
  const apart = ranges.filter(([a, b]) => compare(a.most, b.least) < 0 || compare(b.most, a.least) < 0);
  if (apart.length === 0) return 'nothing';
  return apart.flat().some(({ most }) => compare(most, ZERO) === 0) ? 'contents' : 'shares';
}

function rangeOf({ known, unknown }: KnownShares, key: string): { least: Fraction; most: Fraction } {
  const least = known.get(key) ?? ZERO;
  return { least, most: add(least, unknown) };
}
