/* Which users get the same: those of cold, warm and validating resolvers, and of resolver products (svc-model(7)). */

import type { Security } from '../../dns/dnssec/verdict.ts';
import { exact, type OutcomeRow, type SummaryRow, summaryOf } from '../../document/ends.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { AllViews, View } from '../../document/views.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { percentage } from '../../document/words/quantities.ts';
import type { Detail } from '../../document/words/shortened.ts';
import { isUnknownKind } from '../../evaluate/end.ts';
import {
  add,
  compare,
  equals,
  type Fraction,
  fractionText,
  ONE,
  readFraction,
  toNumber,
  ZERO,
} from '../../evaluate/fraction.ts';
import { type AbstractViewRow, VIEWS, type ViewRow, type ViewStart } from '../../evaluate/views.ts';
import {
  DEFAULT_PROFILES,
  PROFILE_NAMES,
  PROFILES,
  productName,
  todaysProfile,
} from '../../explore/profiles/profiles.ts';
import { weightOf } from './effects.ts';
import { isIntercepted } from './findings.ts';
import { endTerm, isWithinPoint, summaryLine } from './wording.ts';

/** Users who get the same, equally often, whichever of these resolvers they have. */
export interface UserGroup {
  /** Abstract resolvers; none in a group of products. */
  readonly kinds: readonly AbstractViewRow['kind'][];
  /** "X": only where its users get something else than those of resolvers of any kind, or a share a point apart. */
  readonly products: readonly string[];
  /** What these products know at first. */
  readonly start: ViewStart;
  /** A view that has it, as `users` names it. */
  readonly view: string;
  /** What they get, most of them first. */
  readonly summary: readonly SummaryRow[];
}

/** What users of a result get, and which views it has. */
export type Told = Pick<TraversalResult, 'users' | 'views'>;

/** The users of a result, those of cold resolvers first, and those of products last; none where nothing is known of any. */
export function userGroups({ users, views }: Told): readonly UserGroup[] {
  const told = new Set(
    users.flatMap(({ profiles, others = {} }) => [...Object.keys(profiles), ...Object.keys(others)]),
  );
  const columnOf = (view: string): Column =>
    users.map(({ share, profiles, others = {} }) =>
      readFraction(told.has(view) ? (profiles[view] ?? others[view] ?? '0') : share.fraction),
    );
  const isUnknown = users.every(({ kind }) => isUnknownKind(kind));
  const isTold = [...told].some((view) => view.includes('/warm'));
  const kinds = VIEWS.flatMap((row) =>
    row.behaviour === 'profile' || row.of !== 'users' || views[row.name] === undefined ? [] : [row.kind],
  ).filter((kind) => kind === 'resolver' || !(isUnknown || (kind === 'warm' && isTold)));
  const groupOf = (view: string, rest: Pick<UserGroup, 'kinds' | 'products' | 'start'>): UserGroup => ({
    ...rest,
    view,
    summary: summaryIn(users, columnOf(view)),
  });
  const ofKinds = grouped(kinds, (kind) => columnOf(kind).map(fractionText).join(' '));
  const apart: { readonly view: string; readonly start: ViewStart; readonly products: string[] }[] = [];
  for (const view of told) {
    const profile = PROFILE_NAMES.find((name) => name === view.split('/')[0]);
    if (profile === undefined || ofKinds.some(([kind]) => isNear(columnOf(kind), columnOf(view)))) continue;
    const today = todaysProfile(profile);
    if (today !== undefined && view === profile && told.has(today) && isNear(columnOf(today), columnOf(view)))
      continue;
    const start = view.includes('/warm') ? 'own-ns-sets' : 'cold';
    const title = `${view.endsWith(ASKING) ? 'validating ' : ''}${productName(profile)}`;
    const alike = apart.find((one) => one.start === start && isNear(columnOf(one.view), columnOf(view)));
    if (alike === undefined) apart.push({ view, start, products: [title] });
    else alike.products.push(title);
  }
  return users.length === 0
    ? []
    : [
        ...ofKinds.map((alike) => groupOf(alike[0], { kinds: alike, products: [], start: 'cold' })),
        ...apart.map(({ view, start, products }) => groupOf(view, { kinds: [], products, start })),
      ];
}

/** The shares of a view, in the order of `users`. */
type Column = readonly Fraction[];

function isNear(one: Column, other: Column): boolean {
  return one.every((share, at) => isWithinPoint(share, other[at] ?? ZERO));
}

function summaryIn(users: Told['users'], column: Column): readonly SummaryRow[] {
  return users
    .map(({ share: _, profiles: __, others: ___, from: ____, ...content }, at) => ({
      fraction: column[at] ?? ZERO,
      content,
    }))
    .filter(({ fraction }) => compare(fraction, ZERO) > 0)
    .sort((a, b) => compare(b.fraction, a.fraction))
    .map(({ fraction, content }) => ({ ...exact(fraction), ...content }));
}

/** Behind the name of a view: of users whose programs ask for validation. */
export const ASKING = '/asking';

/** Which versions of products are meant: those that the option `profiles` names, or also others that a result has. */
type Versions = 'named' | 'all';

/** The products of which some users get an answer only when they ask again, with the share of these users. */
export function lateShares(
  { views, options }: AllViews,
  versions: Versions,
): readonly { readonly product: string; readonly share: Fraction }[] {
  const { profiles = DEFAULT_PROFILES } = options ?? {};
  return PROFILE_NAMES.flatMap((name) => {
    const { late } = views[name] ?? {};
    const isMeant = versions === 'all' || profiles.includes(name);
    return late && isMeant ? [{ product: PROFILES[name].product, share: readFraction(late.fraction) }] : [];
  });
}

/** The same in words: "18.75 % of users of X"; empty if there are none with more than `least`. */
export function lateSharesWords(result: AllViews, versions: Versions, least = 0): string {
  const late = lateShares(result, versions).filter(({ share }) => toNumber(share) > least);
  return grouped(late, ({ share }) => percentage(share))
    .map(
      (alike) => `${percentage(alike[0].share)} of users of ${listed(alike.map(({ product }) => product))}`,
    )
    .join(', ');
}

/** What users of a view can get, and those of another one cannot. */
export function newRows({ summary }: SummaryOf, other: SummaryOf): readonly SummaryRow[] {
  const known = new Set(other.summary.map(endTerm));
  return summary.filter((row) => !known.has(endTerm(row)));
}

type SummaryOf = Pick<UserGroup, 'summary'>;

/** What a group is called above a column: "cold and warm", "validating", "BIND, warm". */
export function groupHead({
  kinds,
  products,
  start,
}: Pick<UserGroup, 'kinds' | 'products' | 'start'>): string {
  const head = listed([...kinds.map((kind) => ABSTRACT_WORDS[kind].head), ...products]);
  return start === 'cold' ? head : `${head}, warm`;
}

/** The users of a group, in a sentence: "users behind validating resolvers". */
export function usersIn({ kinds, products }: Pick<UserGroup, 'kinds' | 'products'>): string {
  if (kinds.length === 0) return `users of ${listed(products)}`;
  return `users behind ${listed(kinds.map((kind) => ABSTRACT_WORDS[kind].behind))}`;
}

/** What validating users get, and how much of that is proven: "100 % 192.0.2.80 (secure)". */
export function validatedWords(view: View, detail: Detail): string {
  const line = summaryLine(summaryOf(view), detail);
  const proof = proofOf(view.outcomes);
  return proof === undefined ? line : `${line} (${proof})`;
}

/** How well the data that users get are proven: "secure", "50 % secure"; undefined where nobody gets anything that could be. */
export function proofWords({ views: { validating }, findings }: Pick<TraversalResult, 'views' | 'findings'>) {
  return validating === undefined || isIntercepted({ findings }) ? undefined : proofOf(validating.outcomes);
}

function proofOf(outcomes: readonly OutcomeRow[]): string | undefined {
  const having = (security: Security) =>
    weightOf(outcomes.filter((end) => 'security' in end && end.security === security));
  const [secure, insecure] = [having('secure'), having('insecure')];
  const either = add(secure, insecure);
  if (equals(either, ZERO)) return undefined;
  const whose = equals(either, ONE) ? '' : 'answers ';
  if (equals(insecure, ZERO)) return `${whose}secure`;
  return equals(secure, ZERO) ? `${whose}insecure` : `${percentage(secure)} secure`;
}

/** What texts call a view. */
interface ViewWords {
  /** Above a column, and before "resolvers". */
  readonly head: string;
  /** Whose ends it has. */
  readonly whose: string;
  /** Whose users these are: "users behind ...". */
  readonly behind: string;
}

/** The words for views of abstract resolvers. */
export const ABSTRACT_WORDS: Readonly<Record<AbstractViewRow['kind'], ViewWords>> = {
  'first-tries': { head: 'first tries', whose: 'first tries', behind: 'resolvers that never retry' },
  resolver: { head: 'cold', whose: 'resolvers', behind: 'resolvers' },
  'first-tries/warm': {
    head: 'warm first tries',
    whose: 'warm first tries',
    behind: "resolvers that know the zones' own NS records and never retry",
  },
  warm: {
    head: 'warm',
    whose: 'warm resolvers',
    behind: "resolvers that know the zones' own NS records",
  },
  validating: { head: 'validating', whose: 'validating resolvers', behind: 'validating resolvers' },
};

/** Whose ends a view has: "warm resolvers", "users of bind, warm". */
export function whoseWords(row: ViewRow): string {
  if (row.behaviour !== 'profile') return ABSTRACT_WORDS[row.kind].whose;
  return `users of ${row.profile}${row.start === 'cold' ? '' : ', warm'}`;
}
