/* Every view of a result, the limits met in them, and what surely differs between two. */

import { choice } from '../base/shape-values.ts';
import { type LimitKind, unexamined } from '../evaluate/end.ts';
import { add, compare, type Fraction, ZERO } from '../evaluate/fraction.ts';
import { DEFAULT_PROFILES } from '../explore/profiles/profiles.ts';
import type { OutcomeRow, SummaryRow } from './ends.ts';
import type { ProfileRow, TraversalResult } from './result.ts';

/**
 * Every view that a result has: the path view, the resolver view, both of the warm walk, the one that validates, and
 * those of resolver products that count.
 */
export function viewsOf(result: AllViews): readonly View[] {
  const { resolver, warm, validating } = result;
  return [
    result,
    resolver,
    ...(warm === undefined ? [] : [warm, warm.resolver]),
    ...(validating === undefined ? [] : [validating]),
    ...countedProfiles(result).flatMap((profile) =>
      productStarts(profile).flatMap(({ view, asking }) => [view, ...(asking === undefined ? [] : [asking])]),
    ),
  ];
}

/** What users of a product get that starts in one way; `asking`: those whose programs ask for validation, if that differs. */
interface ProductStart {
  readonly starts: 'cold' | 'warm';
  readonly view: View & Pick<ProfileRow, 'late'>;
  readonly asking: View | undefined;
}

/** Where a product starts cold, and where it knows the zones' own NS sets, if these have other servers. */
export function productStarts(profile: ProfileRow): readonly ProductStart[] {
  const { warm } = profile;
  const cold = { starts: 'cold', view: profile, asking: profile.validating } as const;
  return warm === undefined ? [cold] : [cold, { starts: 'warm', view: warm, asking: warm.validating }];
}

/** The views of a result. */
type AllViews = Pick<TraversalResult, 'outcomes' | 'summary' | 'resolver' | 'warm' | 'validating'> & Profiled;

/** What users of resolver products get, and which of them a result was asked for. */
export type Profiled = Partial<Pick<TraversalResult, 'profiles' | 'options'>>;

/** The profiles that verdicts and exit statuses look at: those that the option `profiles` names, and defaults of products. */
export function countedProfiles({ profiles = [], options }: Profiled): readonly ProfileRow[] {
  const named = options?.profiles ?? DEFAULT_PROFILES;
  return profiles.filter(({ name }) => named.includes(name));
}

/** One view of a result. */
export interface View {
  readonly outcomes: readonly OutcomeRow[];
  readonly summary: readonly SummaryRow[];
}

/** A limit that can end a path. */
export const LIMIT_KIND = choice<LimitKind>({
  'query-limit': true,
  'time-limit': true,
  'work-limit': true,
  'depth-limit': true,
});

/** The limits that left something unknown: as an end in any view, or as the cause of one. */
export function limitsMet(result: Parameters<typeof viewsOf>[0]): readonly LimitKind[] {
  const ends = viewsOf(result).flatMap(({ outcomes }) => outcomes);
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
