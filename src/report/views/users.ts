/* Which users get the same: those of cold, warm and validating resolvers, and of resolver products (svc-model(7)). */

import type { Security } from '../../dns/dnssec/verdict.ts';
import { exact, type OutcomeRow, type SummaryRow, summaryOf } from '../../document/ends.ts';
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

function summaryIn(users: Told['users'], column: Column): Summary {
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
  views: readonly UserView[],
  base: Summary,
): readonly (Omit<UserView, 'row'> & { readonly name: string })[] {
  const abstract = views.filter(({ row }) => row.behaviour !== 'profile');
  return views.flatMap(({ row, view, summary }) => {
    const own = { name: row.name, view, summary };
    if (row.behaviour !== 'profile') return summaryKey(summary) === summaryKey(base) ? [] : [own];
    const cold = views.find((other) => other.row.name === row.profile);
    const isNew = row.start !== 'cold' && (cold === undefined || !isNearly(summary, cold.summary));
    const { asking } = view;
    return [
      ...(isNew ? [own] : []),
      ...(asking ? [{ name: `${row.name}${ASKING}`, view: asking, summary: summaryOf(asking) }] : []),
    ].filter((one) => abstract.every((other) => !isNearly(one.summary, other.summary)));
  });
}

/** The views that users can have. */
type UserViews = AllViews & Partial<Pick<TraversalResult, 'findings'>>;

/** A view of users, and its outcomes summed. */
export interface UserView extends ViewOfResult {
  readonly summary: Summary;
}

type Summary = readonly SummaryRow[];

/** Whether users get the same, and no share differs by more than a point. */
function isNearly(one: Summary, other: Summary): boolean {
  const [shares, others] = [sharesOf(one), sharesOf(other)];
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
export function newRows({ summary }: SummaryOf, other: SummaryOf): Summary {
  const known = new Set(other.summary.map(endTerm));
  return summary.filter((row) => !known.has(endTerm(row)));
}

type SummaryOf = Pick<UserGroup, 'summary'>;

/** A text that is equal for summaries of users who get the same, equally often. */
export function summaryKey(summary: Summary): string {
  const shares = summary.map((row) => `${row.fraction} ${endTerm(row)}`);
  return shares.sort().join('\n');
}

/** The views of users that a result has, that of cold resolvers first. */
export function userViews(result: UserViews): readonly UserView[] {
  const views = viewsOf(result)
    .filter(({ row }) => row.of === 'users')
    .map((one): UserView => ({ ...one, summary: summaryOf(one.view) }));
  const cold = views.filter(({ row }) => row.name === 'resolver');
  // Where a limit leaves nothing known, products only seem to fail sooner.
  const isUnknown = cold.some(
    ({ summary }) => summary.length > 0 && summary.every(({ kind }) => isUnknownKind(kind)),
  );
  if (isUnknown || isIntercepted({ findings: result.findings ?? [] })) return cold;
  // Where products make something else of the zones' own NS sets, they tell it.
  const warm = views.find(({ row }) => row.name === 'warm');
  const isTold = views.some(
    ({ row, summary }) =>
      row.kind === 'product/warm' && warm !== undefined && !isNearly(summary, warm.summary),
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

function knownShares(view: View): KnownShares {
  const summary = summaryOf(view);
  const unknown = summary.filter(({ kind }) => isUnknownKind(kind));
  return {
    known: sharesOf(summary.filter(({ kind }) => !isUnknownKind(kind))),
    unknown: sum(unknown.map(({ fraction }) => readFraction(fraction))),
  };
}

/** Whether validating resolvers surely return something else than others, whatever was not examined. */
export function validatingDiffers({ views: { validating, resolver }, findings = [] }: UserViews): boolean {
  if (validating === undefined || isIntercepted({ findings })) return false;
  return sureDifference(knownShares(resolver), knownShares(validating)) !== 'nothing';
}

/** What validating users get, and how much of that is proven: "100 % 192.0.2.80 (secure)". */
export function validatedWords(view: View, detail: Detail): string {
  const line = summaryLine(summaryOf(view), detail);
  const proof = proofWords(view.outcomes);
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
