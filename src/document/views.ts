/* Where a result has the views of the table (evaluate/views.ts), the limits met in them, and what surely differs between two. */

import { choice } from '../base/shape-values.ts';
import type { Outcome } from '../evaluate/distribution.ts';
import { type LimitKind, unexamined } from '../evaluate/end.ts';
import type { EvaluatedView, Evaluation } from '../evaluate/evaluate.ts';
import { add, compare, type Fraction, ZERO } from '../evaluate/fraction.ts';
import {
  type AbstractViewRow,
  type ProductViewRow,
  VIEWS,
  type ViewName,
  type ViewRow,
} from '../evaluate/views.ts';
import { DEFAULT_PROFILES, PROFILE_NAMES, PROFILES, type ProfileName } from '../explore/profiles/profiles.ts';
import type { Exact } from './common-shapes.ts';
import { exact, type OutcomeRow, outcomeRow, type SummaryRow, summarise } from './ends.ts';
import type { ProfileRow, TraversalResult } from './result.ts';

/** A view of a result, and its row in the table of views. */
export interface ViewOfResult {
  readonly row: ViewRow;
  readonly view: View;
  /** What those users of a product get whose programs ask for validation, if that differs. */
  readonly asking?: View;
}

/** The outcomes of one view. */
export interface View {
  readonly outcomes: readonly OutcomeRow[];
  readonly summary: readonly SummaryRow[];
  /** The share that comes only when a program asks again. */
  readonly late?: Exact;
  /** Sentences that say how a product may do otherwise. */
  readonly deviations?: NonNullable<ProfileRow['deviations']>;
}

/** The members of a result that hold views. */
type ViewMembers = Pick<TraversalResult, 'outcomes' | 'summary' | 'resolver'> &
  Partial<Pick<TraversalResult, 'warm' | 'validating' | 'profiles'>>;

/** What there is to be known of the views of a result, and of the products that it was asked for. */
export type AllViews = ViewMembers & Partial<Pick<TraversalResult, 'options'>>;

/** Where a result of schema 2 has the views of abstract resolvers. */
const MEMBERS: Readonly<Record<AbstractViewRow['kind'], (result: ViewMembers) => View | undefined>> = {
  'first-tries': ({ outcomes, summary }) => ({ outcomes, summary }),
  resolver: ({ resolver }) => resolver,
  'first-tries/warm': ({ warm }) => warm,
  warm: ({ warm }) => warm?.resolver,
  validating: ({ validating }) => validating,
};

/** Where the row of a product has its views. */
const PRODUCT_MEMBERS: Readonly<
  Record<ProductViewRow['kind'], (product: ProfileRow) => (View & { readonly validating?: View }) | undefined>
> = {
  product: (product) => product,
  'product/warm': ({ warm }) => warm,
};

/** The views of an evaluation as a result has them. `profiles`: whether it was made to tell what users of products get. */
export function viewMembers(
  { views }: Pick<Evaluation, 'views'>,
  profiles: 'told' | 'not-told',
): ViewMembers {
  const rows = new Map([...views].map(([name, { outcomes }]) => [name, viewRow(outcomes)]));
  return {
    ...written(rows, viewRow([])),
    ...(profiles === 'told' && { profiles: PROFILE_NAMES.flatMap((name) => profileRows(name, views)) }),
  };
}

/** The summaries of the views of abstract resolvers as a result has them. */
export function briefMembers(result: ViewMembers) {
  const summaries = allViewsOf(result).map(({ row, view: { summary } }) => [row.name, { summary }] as const);
  return written(new Map(summaries), { summary: [] });
}

function written<V>(views: ReadonlyMap<ViewName, V>, none: V) {
  const view = (name: AbstractViewRow['name']) => views.get(name) ?? none;
  return {
    ...view('first-tries'),
    resolver: view('resolver'),
    ...(views.has('warm') && { warm: { ...view('first-tries/warm'), resolver: view('warm') } }),
    ...(views.has('validating') && { validating: view('validating') }),
  };
}

function profileRows(name: ProfileName, views: Evaluation['views']): readonly ProfileRow[] {
  const [cold, warm] = [views.get(name), views.get(`${name}/warm`)];
  if (cold === undefined) return [];
  const { product, version } = PROFILES[name];
  const { deviations = [] } = cold;
  return [
    {
      name,
      product,
      version,
      ...productRow(cold),
      ...(warm && { warm: productRow(warm) }),
      ...(deviations.length > 0 && { deviations }),
    },
  ];
}

function productRow({ asking, ...all }: EvaluatedView) {
  return { ...inTimeRow(all), ...(asking && { validating: inTimeRow(asking) }) };
}

function inTimeRow({ outcomes, late }: EvaluatedView) {
  return { ...viewRow(outcomes), ...(late && { late: exact(late) }) };
}

function viewRow(outcomes: readonly Outcome[]) {
  return { outcomes: outcomes.map(outcomeRow), summary: summarise(outcomes) };
}

/** Every view that a result has, in the order of the table. */
export function allViewsOf(result: ViewMembers): readonly ViewOfResult[] {
  return VIEWS.flatMap((row): readonly ViewOfResult[] => {
    if (row.behaviour !== 'profile') {
      const view = MEMBERS[row.kind](result);
      return view === undefined ? [] : [{ row, view }];
    }
    const product = result.profiles?.find(({ name }) => name === row.profile);
    const view = product && PRODUCT_MEMBERS[row.kind](product);
    return view === undefined ? [] : [{ row, view, ...(view.validating && { asking: view.validating }) }];
  });
}

/** Those that verdicts and exit statuses look at: of products those that the option `profiles` names, and defaults of products. */
export function viewsOf(result: AllViews): readonly ViewOfResult[] {
  const { profiles = DEFAULT_PROFILES } = result.options ?? {};
  return allViewsOf(result).filter(
    ({ row }) => row.behaviour !== 'profile' || profiles.includes(row.profile),
  );
}

/** The outcomes of all these, those included of users whose programs ask for validation. */
export function everyView(result: AllViews): readonly View[] {
  return viewsOf(result).flatMap(({ view, asking }) => (asking === undefined ? [view] : [view, asking]));
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
