/* Which users get the same: those of cold, warm and validating resolvers, and of resolver products (svc-model(7)). */

import type { Security } from '../../dns/dnssec/verdict.ts';
import { exact, type OutcomeRow, type SummaryRow } from '../../document/ends.ts';
import type { TraversalResult } from '../../document/result.ts';
import {
  type AllViews,
  type KnownShares,
  sureDifference,
  type View,
  type ViewOfResult,
  viewsOf,
} from '../../document/views.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { percentage } from '../../document/words/quantities.ts';
import { insecurityWords } from '../../document/words/security-words.ts';
import type { Detail } from '../../document/words/shortened.ts';
import { ABSTRACT_WORDS } from '../../document/words/view-words.ts';
import { isUnknownKind } from '../../evaluate/end.ts';
import {
  add,
  compare,
  equals,
  type Fraction,
  fractionText,
  ONE,
  readFraction,
  sum,
  toNumber,
  ZERO,
} from '../../evaluate/fraction.ts';
import { type AbstractViewRow, VIEWS, type ViewStart } from '../../evaluate/views.ts';
import {
  DEFAULT_PROFILES,
  PROFILE_NAMES,
  PROFILES,
  productName,
  todaysProfile,
} from '../../explore/profiles/profiles.ts';
import { weightOf } from './effects.ts';
import { isIntercepted } from './findings.ts';
import { endTerm, sharesOf, summaryLine } from './wording.ts';

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
    summary: summaryOf(users, columnOf(view)),
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

function summaryOf(users: Told['users'], column: Column): readonly SummaryRow[] {
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

/** The views beside those of cold products in which users get something else than in `base`, by the names of `users`. */
export function viewsApart(
  views: readonly ViewOfResult[],
  base: View,
): readonly { readonly name: string; readonly view: View }[] {
  const abstract = abstractViews(views);
  return views.flatMap(({ row, view }): readonly { readonly name: string; readonly view: View }[] => {
    if (row.behaviour !== 'profile') return viewKey(view) === viewKey(base) ? [] : [{ name: row.name, view }];
    const cold = views.find((other) => other.row.name === row.profile);
    const isNew = row.start !== 'cold' && (cold === undefined || !isNearly(view, cold.view));
    const asking = view.asking === undefined ? [] : [{ name: `${row.name}${ASKING}`, view: view.asking }];
    return [...(isNew ? [{ name: row.name, view }] : []), ...asking].filter((one) =>
      abstract.every((other) => !isNearly(one.view, other.view)),
    );
  });
}

/** The views that users can have. */
type UserViews = AllViews & Partial<Pick<TraversalResult, 'findings'>>;

/** What the users of one kind of resolver get. */
export interface UserView {
  readonly kind: AbstractViewRow['kind'];
  readonly view: View;
}

/** The views of abstract resolvers, that of cold ones first. */
export function abstractViews(views: readonly ViewOfResult[]): readonly UserView[] {
  return views.flatMap(({ row, view }) => (row.behaviour === 'profile' ? [] : [{ kind: row.kind, view }]));
}

/** Whether users get the same, and no share differs by more than a point. */
function isNearly(one: View, other: View): boolean {
  const [shares, others] = [sharesOf(one.summary), sharesOf(other.summary)];
  const terms = new Set([...shares.keys(), ...others.keys()]);
  return [...terms].every((term) => isWithinPoint(shares.get(term) ?? ZERO, others.get(term) ?? ZERO));
}

function isWithinPoint(one: Fraction, other: Fraction): boolean {
  return Math.abs(toNumber(one) - toNumber(other)) <= POINT;
}

/** A smaller share, or difference of shares, is none to people. */
export const POINT = 0.01;

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

/** How products may do otherwise than their profiles, and at which zones: "example.com: X asks ...". */
export function deviationSentences(result: UserViews): readonly string[] {
  if (isIntercepted({ findings: result.findings ?? [] })) return [];
  const all = viewsOf(result).flatMap(({ view: { deviations = [] } }) => deviations);
  return [...new Set(all.map(({ text, zones }) => `${listed(zones.map(plain), ZONES_NAMED)}: ${text}`))];
}

const ZONES_NAMED = 3;

/** What users of a view can get, and those of another one cannot. */
export function newRows({ summary }: SummaryOf, other: SummaryOf): readonly SummaryRow[] {
  const known = new Set(other.summary.map(endTerm));
  return summary.filter((row) => !known.has(endTerm(row)));
}

/** A text that is equal for views in which users get the same, equally often. */
export function viewKey({ summary }: SummaryOf): string {
  const shares = summary.map((row) => `${row.fraction} ${endTerm(row)}`);
  return shares.sort().join('\n');
}

/** The views of users that a result has, that of cold resolvers first. */
export function userViews(result: UserViews): readonly ViewOfResult[] {
  const views = viewsOf(result).filter(({ row }) => row.of === 'users');
  const { warm, resolver } = result.views;
  // Where a limit leaves nothing known, products only seem to fail sooner.
  const isUnknown = resolver.summary.length > 0 && resolver.summary.every(({ kind }) => isUnknownKind(kind));
  if (isUnknown || isIntercepted({ findings: result.findings ?? [] }))
    return views.filter(({ row }) => row.name === 'resolver');
  // Where products make something else of the zones' own NS sets, they tell it.
  const isTold = views.some(
    ({ row, view }) => row.kind === 'product/warm' && warm !== undefined && !isNearly(view, warm),
  );
  return isTold ? views.filter(({ row }) => row.name !== 'warm') : views;
}

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

/** Whether two views surely differ, whatever was not examined of them. */
function surelyDiffer(one: SummaryOf, other: SummaryOf): boolean {
  return sureDifference(knownShares(one.summary), knownShares(other.summary)) !== 'nothing';
}

type SummaryOf = Pick<View, 'summary'>;

function knownShares(summary: readonly SummaryRow[]): KnownShares {
  const unknown = summary.filter(({ kind }) => isUnknownKind(kind));
  return {
    known: sharesOf(summary.filter(({ kind }) => !isUnknownKind(kind))),
    unknown: sum(unknown.map(({ fraction }) => readFraction(fraction))),
  };
}

/** Whether validating resolvers surely return something else than others. */
export function validatingDiffers({ views: { validating, resolver }, findings = [] }: UserViews): boolean {
  if (validating === undefined || isIntercepted({ findings })) return false;
  return surelyDiffer(resolver, validating);
}

/** What validating users get, and how much of that is proven: "100 % 192.0.2.80 (secure)". */
export function validatedWords({ outcomes, summary }: View, detail: Detail): string {
  const line = summaryLine(summary, detail);
  const proof = proofWords(outcomes);
  return proof === undefined ? line : `${line} (${proof})`;
}

/** "secure", "insecure", "50 % secure"; undefined where nobody gets anything that could be either. */
function proofWords(outcomes: readonly OutcomeRow[]): string | undefined {
  const having = (security: Security) =>
    weightOf(outcomes.filter((end) => 'security' in end && end.security === security));
  const [secure, insecure] = [having('secure'), having('insecure')];
  const either = add(secure, insecure);
  if (equals(either, ZERO)) return undefined;
  const whose = equals(either, ONE) ? '' : 'answers ';
  if (equals(insecure, ZERO)) return `${whose}secure`;
  return equals(secure, ZERO) ? `${whose}insecure` : `${percentage(secure)} secure`;
}

/**
 * How well the data that users get are proven, and why not: "insecure (no DS for shop.example., as ns1.example. proves)".
 * Undefined where nobody gets anything that could be either.
 */
export function provenWords({
  views: { validating },
  exchanges,
  findings,
}: Pick<TraversalResult, 'views' | 'exchanges' | 'findings'>): string | undefined {
  if (isIntercepted({ findings })) return undefined;
  const proof = validating && proofWords(validating.outcomes);
  const isInsecure = validating?.outcomes.some((end) => 'security' in end && end.security === 'insecure');
  const reasons = isInsecure ? insecurities(exchanges) : '';
  return reasons === '' ? proof : `${proof} (${reasons})`;
}

/** The reasons at the zone cuts themselves, each once; what follows from them further down only where there are none. */
function insecurities(exchanges: TraversalResult['exchanges']): string {
  const insecure = exchanges.flatMap(({ security }) => (security?.status === 'insecure' ? [security] : []));
  const own = insecure.filter(({ reason }) => reason !== 'unsigned-parent');
  const each = grouped(
    own.length > 0 ? own : insecure,
    ({ reason = '', zone = '' }) => `${reason} ${zone}`,
  ).flatMap(([first]) => insecurityWords(first) ?? []);
  const more = each.length - REASONS_SHOWN;
  return [...each.slice(0, REASONS_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

const REASONS_SHOWN = 2;
