/* Words for results: summaries, shares, resolvers, software, and imagined worlds. */

import { LIMITS } from '../../base/limits.ts';
import { extendedErrorName, extendedErrorsIn } from '../../dns/extended-errors.ts';
import type { Edns } from '../../dns/message.ts';
import { withoutFinalDot } from '../../dns/name.ts';
import { answerData, type OutcomeRow, rotates, type SummaryRow } from '../../document/ends.ts';
import type { ResolverRow } from '../../document/resolvers.ts';
import type { NotChecked, TraversalResult, UsersRow, WhatIfRow } from '../../document/result.ts';
import type { ListedServer } from '../../document/servers.ts';
import { END_TERMS, rotationBriefly, rotationWords } from '../../document/words/end-words.ts';
import { firstOfEach, grouped, listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { count, percentage, percentages } from '../../document/words/quantities.ts';
import { type Detail, type Shorten, shortening } from '../../document/words/shortened.ts';
import { compare, type Fraction, ONE, readFraction, toNumber, ZERO } from '../../evaluate/fraction.ts';
import { weightOf } from './effects.ts';

/** How much detail a text about a result gives. */
export interface Wording {
  readonly detail: Detail;
  /** Shortens the data of an answer, and keeps different answers of the result different. */
  readonly shorten: Shorten;
}

/** The wording for a result: nothing is shortened in full detail. */
export function wordingFor(result: TraversalResult, detail: Detail): Wording {
  return wordingForAll([result], detail);
}

/** The wording for results that are shown together. */
export function wordingForAll(results: readonly TraversalResult[], detail: Detail): Wording {
  if (detail === 'full') return { detail, shorten: (text) => text };
  const users = results.flatMap((result) => [...result.users, ...(result.recorded?.users ?? [])]);
  const servers = results.flatMap(({ zones }) => zones.flatMap((zone) => zone.servers));
  const pools = users.flatMap(({ varies, answer }) => (varies === undefined ? [] : [answer ?? []]));
  const briefly = rotationTerm(pools);
  const rotating = new Map<string, string>(
    pools.flatMap((data) =>
      [' + ', ', '].map(
        (between) => [`${rotationWords(data)}: ${data.join(between)}`, briefly(data)] as const,
      ),
    ),
  );
  const cut = shortening([...users, ...servers].flatMap(({ answer = [] }) => answer.join(', ') || []));
  return { detail, shorten: (text) => rotating.get(text) ?? cut(text) };
}

/** What is shown of answers that rotate: their number, with some of the data only where it takes these to tell them apart. */
export function rotationTerm(pools: readonly (readonly string[])[]): (data: readonly string[]) => string {
  const each = firstOfEach(pools, (data) => data.join('\n')).map((data) => rotationWords(data));
  return (data) => {
    const words = rotationWords(data);
    return each.filter((other) => other === words).length > 1 ? rotationBriefly(data) : words;
  };
}

/** The terms of answers that rotate, and what is shown of each: some of the data. */
function rotatingTerms(summary: readonly SummaryRow[]): readonly (readonly [term: string, shown: string])[] {
  return summary.flatMap((row) =>
    row.varies === undefined ? [] : [[endTerm(row), rotationBriefly(row.answer ?? [])] as const],
  );
}

/** A summary in one line, most probable first: "75 % 192.0.2.80 and 25 % timeout". */
export function summaryLine(summary: readonly SummaryRow[], detail: Detail): string {
  const percents = percentages(summary.map(({ fraction }) => readFraction(fraction)));
  const terms = summary.map(endTerm);
  const rotating = new Map<string, string>(rotatingTerms(summary));
  const cut = shortening(terms);
  const shorten = (text: string) => (detail === 'full' ? text : (rotating.get(text) ?? cut(text)));
  const parts = terms.map((term, at) => `${percents[at]} ${shorten(term)}`);
  return listed(parts, detail === 'full' ? parts.length : PARTS_SHOWN);
}

/** With more parts it would no longer be one line. */
const PARTS_SHOWN = 4;

/** What an end of a summary is, in full: the data of an answer, or the term for its kind. */
export function endTerm({ kind, answer, varies, reason }: Content): string {
  if (reason !== undefined) return `unknown (${reason})`;
  if (varies !== undefined && answer !== undefined) return `${rotationWords(answer)}: ${answer.join(' + ')}`;
  return answer?.join(' + ') ?? END_TERMS[kind];
}

/** The servers from which users get something; addresses of one that give different answers are named, each where it gives one. */
export function servedBy(row: SummaryRow, users: TraversalResult['users']): readonly string[] {
  const isSame = (one: Content) => endTerm(one) === endTerm(row);
  const others = users.filter((one) => !isSame(one)).flatMap(({ from }) => from);
  const { from = [] } = users.find(isSame) ?? {};
  return from.map(({ name, addresses }) => {
    const isApart = others.some(
      (one) => one.name === name && !one.addresses.some((address) => addresses.includes(address)),
    );
    return isApart ? `${plain(name)} (${addresses.join(', ')})` : plain(name);
  });
}

type Content = Omit<SummaryRow, 'fraction' | 'probability'>;

/** The same of an end. */
export function contentTerm(end: OutcomeRow): string {
  if (end.kind !== 'answer') return END_TERMS[end.kind];
  return rotates(end) ? rotationBriefly(answerData(end)) : answerData(end).join(' + ');
}

/** What users get, and the share that get it in each of some views, in their order. */
interface ComparedShare {
  /** An answer's data, or the term for a kind of end. */
  readonly term: string;
  readonly kind: SummaryRow['kind'];
  readonly shares: readonly Fraction[];
}

/** What users get in these views, in the order of the first view that has it. */
export function comparedShares(summaries: readonly (readonly SummaryRow[])[]): readonly ComparedShare[] {
  const views = summaries.map(sharesOf);
  const rows = firstOfEach(summaries.flat(), endTerm);
  return rows.map((row) => {
    const term = endTerm(row);
    return { term, kind: row.kind, shares: views.map((view) => view.get(term) ?? ZERO) };
  });
}

/** The shares of a view by what users get. */
export function sharesOf(summary: readonly SummaryRow[]): ReadonlyMap<string, Fraction> {
  return new Map(summary.map((row) => [endTerm(row), readFraction(row.fraction)]));
}

/** The share of some users in words: "25 %", "20 to 25 %" where products differ in it, "up to 25 %". */
export function shareWords({ fraction, least, most }: UsersRow['share']): string {
  if (most - least <= POINT) return percentage(readFraction(fraction));
  const [low, high] = [Math.round(100 * least), Math.round(100 * most)];
  return low === 0 ? `up to ${high} %` : `${low} to ${high} %`;
}

/** A smaller share, or difference of shares, is none to people. */
export const POINT = 0.01;

export function isWithinPoint(one: Fraction, other: Fraction): boolean {
  return Math.abs(toNumber(one) - toNumber(other)) <= POINT;
}

/** What is imagined: "ns1.a.example is down and ns2.a.example is gone". */
export function whatIfWords({ down, without, only, delegate, zone = [], ds = [] }: WhatIfRow): string {
  const parts = [
    ...delegate.map(plannedWords),
    ...zone.map((one) => `${plain(one.zone)} is as in ${one.file}`),
    ...ds.map(dsWords),
    ...(down.length === 0 ? [] : [`${namesOf(down)} down`]),
    ...(without.length === 0 ? [] : [`${namesOf(without)} gone`]),
    ...(only.length === 0 ? [] : [`only ${namesOf(only)} left`]),
  ];
  return listed(parts, parts.length);
}

/** What is planned of a zone: "a.example is delegated to ns1.a.example". */
export function plannedWords({ zone, nameservers }: WhatIfRow['delegate'][number]): string {
  return `${plain(zone)} is delegated to ${listed(nameservers.map(({ name }) => plain(name)))}`;
}

/** "a.example has DS 12345 and 23456" */
function dsWords({ zone, ds }: NonNullable<WhatIfRow['ds']>[number]): string {
  const tags = ds.map((data) => data.split(' ')[0] ?? data);
  return tags.length === 0 ? `${plain(zone)} has no DS` : `${plain(zone)} has DS ${listed(tags)}`;
}

/** "ns1.a.example is", "192.0.2.1 and 192.0.2.2 are" */
function namesOf(servers: readonly string[]): string {
  const names = servers.map(withoutFinalDot);
  return `${listed(names)} ${names.length === 1 ? 'is' : 'are'}`;
}

/** The most products that one line names. */
const SHOWN = 5;

/** How many servers run what: "6 BIND 9.18.33, 4 NSD 4.9.1, 2 servers unknown and 1 not asked". */
export function softwareLine(servers: readonly ListedServer[]): string {
  const numbers = new Map<string, number>();
  const asked = servers.filter(wasAsked);
  for (const { software } of asked) {
    const name = software === undefined ? UNKNOWN : softwareWords(software);
    numbers.set(name, (numbers.get(name) ?? 0) + 1);
  }
  const known = [...numbers]
    .filter(([name]) => name !== UNKNOWN)
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  const parts = known.map(([name, number]) => `${number} ${name}`);
  const unknown = numbers.get(UNKNOWN) ?? 0;
  const unasked = servers.length - asked.length;
  const rest = [
    ...(unknown === 0 ? [] : [`${count(unknown, 'server')} unknown`]),
    ...(unasked === 0 ? [] : [`${unasked} not asked`]),
  ];
  return listed([...parts, ...rest], SHOWN);
}

/** Whether a server was asked what it is. */
export function wasAsked({ versionBind }: ListedServer): boolean {
  return versionBind.status !== 'skipped';
}

/** A product and its version, as far as it is known. */
export function softwareWords({ product, version }: NonNullable<ListedServer['software']>): string {
  return version === undefined ? product : `${product} ${version}`;
}

const UNKNOWN = '';

/** A resolver by its address, with its port if that is not the usual one: "192.0.2.53#5353". */
export function resolverAddress({ address, port }: ResolverRow['server']): string {
  return port === LIMITS.port.default ? address : `${address}#${port}`;
}

/** What a resolver said, in full: the data of an answer, an rcode, or the term for anything else. */
export function saidWords({ says }: ResolverRow): string {
  switch (says.kind) {
    case 'answer':
      return says.answer.join(' + ');
    case 'error':
      return says.rcode;
    case 'no-resolver':
      return 'a referral: it is no resolver';
    case 'nodata':
    case 'nxdomain':
    case 'alias-loop':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return END_TERMS[says.kind];
  }
}

/** Which first tries end in what a resolver said: "as 25 % of first tries do, at ns2.example"; empty if it said nothing of use. */
export function likenessWords(
  { says, outcomes: places }: ResolverRow,
  {
    views: {
      'first-tries': { outcomes },
    },
    complete,
  }: TraversalResult,
): string {
  const alike = places.flatMap((at) => outcomes[at] ?? []);
  const weight = weightOf(alike);
  const none = complete ? 'no first try' : 'no known first try';
  const isAll = compare(weight, ONE) === 0;
  const share = isAll ? 'all first tries' : `${percentage(weight)} of first tries`;
  const servers = new Set(alike.flatMap(({ server }) => (server === null ? [] : [plain(server.name)])));
  const where = isAll || servers.size === 0 ? '' : `, at ${listed([...servers])}`;
  switch (says.kind) {
    case 'answer':
    case 'nodata':
    case 'nxdomain':
    case 'alias-loop':
      return compare(weight, ZERO) === 0 ? `as ${none} does` : `as ${share} do${where}`;
    case 'error':
      if (says.rcode !== 'SERVFAIL') return '';
      return compare(weight, ZERO) === 0 ? `although ${none} fails` : `${share} fail${where}`;
    case 'no-resolver':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return '';
  }
}

/** The Extended DNS Errors that a server sent along: `EDE 18, Prohibited: "not for you"`. */
export function extendedErrorWords(edns: Edns | undefined): readonly string[] {
  return extendedErrorsIn(edns).map(({ code, text }) => {
    const said = text === '' ? '' : `: "${text}"`;
    return `EDE ${code}, ${extendedErrorName(code)}${said}`;
  });
}

/** "--quick", or where it is the reason for some views alone "too much work for X and Y". */
export function reasonWords({ reason, only }: NotChecked): string {
  return only === undefined ? reason : `${reason} for ${listed(only, only.length)}`;
}

/** The views that some of several traversals left out, each with each of its reasons once. */
export function allNotChecked(
  traversals: readonly { readonly notChecked?: readonly NotChecked[] | undefined }[],
): readonly NotChecked[] {
  const all = traversals.flatMap(({ notChecked = [] }) => notChecked);
  return firstOfEach(all, (row) => `${row.view} ${reasonWords(row)}`);
}

/** The views that were left out, each reason once: "DNSSEC: --trust-anchor is needed with these root hints"; else empty. */
export function notCheckedWords(notChecked: readonly NotChecked[] = []): string {
  const shown = notChecked.filter(({ view }) => VIEW_NAMES[view] !== undefined);
  return grouped(shown, reasonWords)
    .map(
      (alike) => `${listed(alike.flatMap(({ view }) => VIEW_NAMES[view] ?? []))}: ${reasonWords(alike[0])}`,
    )
    .join('; ');
}

/** What a result leaves out because the user does not want it: "NS_COUNT_LOW (2): --ignore"; else empty. */
export function ignoredWords({
  ignored = {},
  options,
}: Pick<TraversalResult, 'ignored' | 'options'>): string {
  const codes = Object.entries(ignored).map(([code, many]) => (many === 1 ? code : `${code} (${many})`));
  const why = options.configured === undefined ? '--ignore' : `${options.configured} in the configuration`;
  return codes.length === 0 ? '' : `${listed(codes)}: ${why}`;
}

/** What texts call what is left out; the audit (`--check`) is no view of users, and is not missed. */
export const VIEW_NAMES: Readonly<Record<NotChecked['view'], string | undefined>> = {
  warm: "the zones' own NS records",
  validating: 'DNSSEC',
  profiles: 'resolver products',
  rotation: 'rotation',
  ipv4: 'IPv4',
  ipv6: 'IPv6',
  audit: undefined,
};
