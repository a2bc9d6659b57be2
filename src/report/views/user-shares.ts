/* The shares of users that a result tells: what they get, summed over equal contents, and from which servers. */

import { getOrMake } from '../../base/memo.ts';
import type { Name } from '../../dns/name.ts';
import { type SummaryRow, summaryOf } from '../../document/ends.ts';
import type { FirstTryRow, ServedBy, TraversalResult, UsersRow } from '../../document/result.ts';
import {
  type AllViews,
  type KnownShares,
  sureDifference,
  type View,
  type ViewOfResult,
  viewsOf,
} from '../../document/views.ts';
import { firstOfEach, listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { percentage } from '../../document/words/quantities.ts';
import { type End, isUnknownKind, type PickedServer, unexamined } from '../../evaluate/end.ts';
import {
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
import { DEFAULT_PROFILES, PROFILES } from '../../explore/profiles/profiles.ts';
import { contentKey, effectOfKind } from './effects.ts';
import { isIntercepted } from './findings.ts';
import { ASKING } from './users.ts';
import { endTerm, isWithinPoint, sharesOf, shareWords } from './wording.ts';

/**
 * What users get who ask a resolver with an empty cache. The share is that of the validating view, or of the resolver view
 * where replies were not validated; the range is that of this share and of those of the products that were asked for.
 */
export function userShares(result: AllViews): readonly UsersRow[] {
  const views = userViews(result);
  const base = ['validating', 'resolver'].flatMap((name) => views.find(({ row }) => row.name === name) ?? []);
  const { view, summary } = base[0] ?? { view: { outcomes: [] }, summary: [] };
  const products = views.flatMap(({ row, view, summary }) =>
    row.kind === 'product' ? [{ name: row.profile, view, summary, shares: sharesOf(summary) }] : [],
  );
  const apart = viewsApart(views, summary).map((one) => ({ ...one, shares: sharesOf(one.summary) }));
  const all = [{ view, summary }, ...products, ...apart];
  const own = sharesOf(summary);
  return firstOfEach(
    all.flatMap((one) => one.summary),
    endTerm,
  )
    .map((row) => {
      const { fraction: _, probability: __, ...content } = row;
      const term = endTerm(row);
      const share = own.get(term) ?? ZERO;
      const inProducts = products.map(({ name, shares }) => [name, shares.get(term) ?? ZERO] as const);
      const ranges = [
        rangeIn(view, row, share),
        ...products.map((one, at) => rangeIn(one.view, row, inProducts[at]?.[1] ?? ZERO)),
      ];
      const users: UsersRow = {
        ...content,
        share: {
          fraction: fractionText(share),
          least: Math.min(...ranges.map(({ least }) => least)),
          most: Math.max(...ranges.map(({ most }) => most)),
        },
        profiles: Object.fromEntries(inProducts.map(([name, part]) => [name, fractionText(part)])),
        ...(apart.length > 0 && {
          others: Object.fromEntries(
            apart.map(({ name, shares }) => [name, fractionText(shares.get(term) ?? ZERO)]),
          ),
        }),
        from: servedBy(
          all.map((one) => one.view),
          row,
        ),
      };
      return { share, users };
    })
    .sort(
      (a, b) =>
        compare(b.share, a.share) || (equals(a.share, ZERO) ? b.users.share.most - a.users.share.most : 0),
    )
    .map(({ users }) => users);
}

/** The share of a row in a view; a range where it hangs on how often a few replies of an address were this one. */
function rangeIn({ outcomes }: View, row: SummaryRow, share: Fraction): { least: number; most: number } {
  let [least, most] = [toNumber(share), toNumber(share)];
  for (const end of outcomes) {
    if (!('seen' in end) || end.seen === undefined || contentKey(end) !== rowKey(row)) continue;
    const { replies, of } = end.seen;
    const [low, high] = likelyShare(replies, of);
    const whole = (end.probability * of) / replies;
    least += whole * low - end.probability;
    most += whole * high - end.probability;
  }
  return { least, most };
}

/** Between which shares the real one is in 19 of 20 cases, if so many of all were seen (Wilson's interval). */
function likelyShare(seen: number, of: number): readonly [number, number] {
  const z = 1.96;
  const middle = (seen + z ** 2 / 2) / (of + z ** 2);
  const half = (z / (of + z ** 2)) * Math.sqrt((seen * (of - seen)) / of + z ** 2 / 4);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

function rowKey({ kind, answer = [] }: SummaryRow): string {
  return [kind, ...answer].join('\n');
}

/** Who gets it: "20 to 25 % of users", "all users of X and 25 % of others", "up to 50 % of users (X: 50 %, Y: 0 %)". */
export function whoGet({ share, profiles }: UsersRow): string {
  const products = DEFAULT_PROFILES.flatMap((name) => {
    const part = profiles[name];
    return part === undefined ? [] : [{ product: PROFILES[name].product, part: readFraction(part) }];
  }).sort((a, b) => compare(b.part, a.part));
  const all = products.filter(({ part }) => compare(part, ONE) === 0);
  const range = `${shareWords(share)} of users`;
  if (all.length > 0 && all.length <= PRODUCTS_NAMED) {
    const own = readFraction(share.fraction);
    const parts = [own, ...products.slice(all.length).map(({ part }) => part)].map(toNumber);
    const others = shareWords({ ...share, least: Math.min(...parts), most: Math.max(...parts) });
    return `all users of ${listed(all.map(({ product }) => product))} and ${others} of others`;
  }
  const [most, least] = [products[0], products.at(-1)];
  if (most === undefined || least === undefined || toNumber(least.part) > 0) return range;
  return `${range} (${[most, least].map(({ product, part }) => `${product}: ${percentage(part)}`).join(', ')})`;
}

const PRODUCTS_NAMED = 2;

/** The first tries that fail, and the servers at which they do. */
export function failingFirstTries(result: AllViews): readonly FirstTryRow[] {
  const tries = viewsOf(result).find(({ row }) => row.name === 'first-tries')?.view;
  if (tries === undefined) return [];
  return summaryOf(tries).flatMap((row): readonly FirstTryRow[] =>
    effectOfKind(row.kind) === 'fails'
      ? [
          {
            kind: row.kind,
            fraction: fractionText(readFraction(row.fraction)),
            probability: row.probability,
            from: servedBy([tries], row),
          },
        ]
      : [],
  );
}

/** The servers that ends of this content come from, by name. */
function servedBy(views: readonly View[], row: SummaryRow): readonly ServedBy[] {
  const byName = new Map<Name, Set<string>>();
  const content = rowKey(row);
  for (const end of views.flatMap(({ outcomes }) => outcomes)) {
    const server = contentKey(unexamined(end) ?? end) === content ? serverOf(end) : null;
    if (server !== null) getOrMake(byName, server.name, () => new Set<string>()).add(server.address);
  }
  return [...byName]
    .map(([name, addresses]) => ({ name, addresses: [...addresses].sort() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The server at which an end, or what it is caused by, came about; null where zones are at fault rather than a server. */
function serverOf(end: End): PickedServer | null {
  if (end.server !== null) return end.server;
  return 'cause' in end && end.cause !== undefined ? serverOf(end.cause) : null;
}

/** The views beside those of cold products in which users get something else than in `base`, by the names of `users`. */
function viewsApart(
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

/** The views that users can have. */
type UserViews = AllViews & Partial<Pick<TraversalResult, 'findings'>>;

/** A view of users, and its outcomes summed. */
interface UserView extends ViewOfResult {
  readonly summary: Summary;
}

type Summary = readonly SummaryRow[];

/** Whether users get the same, and no share differs by more than a point. */
function isNearly(one: Summary, other: Summary): boolean {
  const [shares, others] = [sharesOf(one), sharesOf(other)];
  const terms = new Set([...shares.keys(), ...others.keys()]);
  return [...terms].every((term) => isWithinPoint(shares.get(term) ?? ZERO, others.get(term) ?? ZERO));
}

/** A text that is equal for summaries of users who get the same, equally often. */
export function summaryKey(summary: Summary): string {
  const shares = summary.map((row) => `${row.fraction} ${endTerm(row)}`);
  return shares.sort().join('\n');
}

/** Whether validating resolvers surely return something else than others, whatever was not examined. */
export function validatingDiffers({ views: { validating, resolver }, findings = [] }: UserViews): boolean {
  if (validating === undefined || isIntercepted({ findings })) return false;
  return sureDifference(knownShares(resolver), knownShares(validating)) !== 'nothing';
}

function knownShares(view: View): KnownShares {
  const summary = summaryOf(view);
  const unknown = summary.filter(({ kind }) => isUnknownKind(kind));
  return {
    known: sharesOf(summary.filter(({ kind }) => !isUnknownKind(kind))),
    unknown: sum(unknown.map(({ fraction }) => readFraction(fraction))),
  };
}

/** How products may do otherwise than their profiles, and at which zones: "example.com: X asks ...". */
export function deviationSentences(result: UserViews): readonly string[] {
  if (isIntercepted({ findings: result.findings ?? [] })) return [];
  const all = viewsOf(result).flatMap(({ view: { deviations = [] } }) => deviations);
  return [...new Set(all.map(({ text, zones }) => `${listed(zones.map(plain), ZONES_NAMED)}: ${text}`))];
}

const ZONES_NAMED = 3;
