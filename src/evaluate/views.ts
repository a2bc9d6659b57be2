/* The table of views. Whatever computes views, writes, compares or shows them goes through its rows, so that a new view is a row here. */

import { keysOf } from '../base/limits.ts';
import { PROFILE_NAMES, type ProfileName } from '../explore/profiles/profiles.ts';

/** What a resolver knows at first: nothing, or the zones' own NS sets. */
export type ViewStart = 'cold' | 'own-ns-sets';

/** How a resolver behaves: every pick is final, or it is one of `behaviours.ts`, or a product. */
type ViewBehaviour = 'final-picks' | 'abstract' | 'abstract-validating' | 'profile';

/** What a view is. */
interface ViewTraits<B extends ViewBehaviour = ViewBehaviour> {
  readonly start: ViewStart;
  readonly behaviour: B;
  /** Whose shares they are. */
  readonly of: 'tries' | 'users';
}

/** The views of abstract resolvers, by name: svc-model(7), THE VIEWS. */
const ABSTRACT_VIEWS = {
  'first-tries': { start: 'cold', behaviour: 'final-picks', of: 'tries' },
  resolver: { start: 'cold', behaviour: 'abstract', of: 'users' },
  'first-tries/warm': { start: 'own-ns-sets', behaviour: 'final-picks', of: 'tries' },
  warm: { start: 'own-ns-sets', behaviour: 'abstract', of: 'users' },
  validating: { start: 'cold', behaviour: 'abstract-validating', of: 'users' },
} as const satisfies Readonly<Record<string, ViewTraits<Exclude<ViewBehaviour, 'profile'>>>>;

/** The views that there are of each product: svc-model(7), PROFILES. */
const PRODUCT_VIEWS = {
  product: { start: 'cold', behaviour: 'profile', of: 'users' },
  'product/warm': { start: 'own-ns-sets', behaviour: 'profile', of: 'users' },
} as const satisfies Readonly<Record<string, ViewTraits<'profile'>>>;

type AbstractName = keyof typeof ABSTRACT_VIEWS;

/** What kinds of views there are: a table with a row for each does not compile without a new one. */
export type ViewKind = AbstractName | keyof typeof PRODUCT_VIEWS;

/** The name of a view. */
export type ViewName = AbstractName | ProfileName | `${ProfileName}/warm`;

/** A view of an abstract resolver. */
export interface AbstractViewRow extends ViewTraits<Exclude<ViewBehaviour, 'profile'>> {
  readonly kind: AbstractName;
  readonly name: AbstractName;
}

/** A view of a product. */
export interface ProductViewRow extends ViewTraits<'profile'> {
  readonly kind: keyof typeof PRODUCT_VIEWS;
  readonly name: ProfileName | `${ProfileName}/warm`;
  readonly profile: ProfileName;
}

/** A row of the table of views. */
export type ViewRow = AbstractViewRow | ProductViewRow;

/** The table of views, in the order of all lists. */
export const VIEWS: readonly ViewRow[] = [
  ...keysOf(ABSTRACT_VIEWS).map((name): ViewRow => ({ kind: name, name, ...ABSTRACT_VIEWS[name] })),
  ...PROFILE_NAMES.flatMap((profile): readonly ViewRow[] => [
    { kind: 'product', name: profile, profile, ...PRODUCT_VIEWS.product },
    { kind: 'product/warm', name: `${profile}/warm`, profile, ...PRODUCT_VIEWS['product/warm'] },
  ]),
];

/** The words for views in `--views` and in requests; `profiles` are those of the products that are chosen. */
export const CHOSEN_VIEWS = ['first-tries', 'resolver', 'warm', 'validating', 'profiles'] as const;

/** A word that chooses views. */
export type ChosenView = (typeof CHOSEN_VIEWS)[number];

/** The views of the cold walk, which is always made. */
export const QUICK_VIEWS: readonly ChosenView[] = ['first-tries', 'resolver'];
