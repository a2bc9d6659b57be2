/* The verdict on a result: which users get what, from which server, and how many first tries fail. */

import type { Name } from '../../dns/name.ts';
import { isExpected, type OutcomeRow, type SummaryRow } from '../../document/ends.ts';
import type { Finding } from '../../document/finding.ts';
import type { UnjudgedResult } from '../../document/result.ts';
import type { View } from '../../document/views.ts';
import { bogusReason, endWords, rotationBriefly, rotationWords } from '../../document/words/end-words.ts';
import { firstOfEach, grouped, listed } from '../../document/words/lists.ts';
import { dataTexts, plain } from '../../document/words/names.ts';
import { count, partWords, percentage } from '../../document/words/quantities.ts';
import { causeOf, type End, isUnknownKind } from '../../evaluate/end.ts';
import { compare, type Fraction, readFraction, toNumber, ZERO } from '../../evaluate/fraction.ts';
import { decidingServersIn } from './deciders.ts';
import { contentKey, type Effect, effectOfKind, effectShare, ownEffect, weightOf } from './effects.ts';
import { blamedFor } from './faulty-servers.ts';
import { isIntercepted, isTrouble } from './findings.ts';
import { resultIndex } from './result-index.ts';
import { lateShares, newRows, shareRange, type UserGroup, userGroups, usersIn } from './users.ts';
import { endTerm, minimisedWords, whatIfWords } from './wording.ts';

/** The conclusion of a result: a sentence without its full stop. */
export interface Verdict {
  readonly words: string;
  /** What it means to the users who are worst off. `late`: an answer, but only after a first try that failed. */
  readonly effect: Effect | 'late';
  /** The world that the words are about: "if ns1.a.example is down"; empty for the one that was recorded. */
  readonly imagined: string;
}

/** Says which share of users gets what, from which server, and how many first tries fail. */
export function verdictOn(result: UnjudgedResult): Verdict {
  const imagined = result.whatIf === undefined ? '' : `if ${whatIfWords(result.whatIf)}`;
  if (isIntercepted(result))
    return { words: 'DNS is intercepted on the way: nothing here can be trusted', effect: 'fails', imagined };
  const [cold, ...groups] = userGroups(result);
  const apart = groups.filter(({ kinds }) => kinds.length > 0);
  const ofProducts = groups.filter(({ kinds }) => kinds.length === 0);
  const products = ofProducts.filter(({ view }) => newRows(view, result.views.resolver).length > 0);
  // Products that only give the same in other shares make a range of these.
  const ranging = ofProducts.filter((group) => !products.includes(group));
  const others = {
    view: cold?.view ?? result.views.resolver,
    users: apart.length + products.length === 0 ? 'users' : 'all others',
  };
  const audiences: readonly Audience[] = [
    ...apart.map((group) => ({ view: group.view, users: usersIn(group) })),
    others,
  ];
  const all = [...audiences, ...products.map(({ view }) => ({ view, users: '' }))];
  const saying = sayingIn(result, all, ranging);
  const users = [
    ...productsWords(products, result, saying),
    ...audiences.map((audience) => sharesWords(audience, saying)),
  ].join('; ');
  const late = lateWords(result);
  const effect = effectIn(all, result);
  const isUniform = effect === 'differs' && audiences.every(({ view }) => view.summary.length === 1);
  const isToBlame = isUniform && imagined === '' && result.findings.some(isErrorItself);
  const errors = isToBlame ? `; ${errorWords(result.findings)}` : '';
  return { words: `${users}${costWords(result, others.view, users)}${late}${errors}`, effect, imagined };
}

/** The verdict in a line, with the world that it is about. */
export function verdictLine({ words, imagined }: Verdict): string {
  return imagined === '' ? words : `${imagined}: ${words}`;
}

/** Users who get the same, as a sentence calls them. */
interface Audience {
  readonly view: View;
  readonly users: string;
}

/** What the verdict means to the users who are worst off. */
function effectIn(
  audiences: readonly Audience[],
  {
    views: {
      'first-tries': { outcomes },
    },
    findings,
  }: UnjudgedResult,
): Verdict['effect'] {
  const rows = audiences.flatMap(({ view }) => view.summary);
  const effects = new Set(rows.map(({ kind }) => effectOfKind(kind)));
  if (effects.has('fails')) return 'fails';
  const sideOf = (row: SummaryRow) => (isExpected(row) ? 'expected' : endTerm(row));
  const contents = firstOfEach(rows.filter(endsWell), sideOf);
  if (contents.length > 1) return contents.every(({ kind }) => kind === 'answer') ? 'differs' : 'denies';
  if (effects.has('unknown')) return 'unknown';
  if (compare(effectShare(outcomes, 'fails'), ZERO) > 0) return 'late';
  if (compare(effectShare(outcomes, 'unknown'), ZERO) > 0) return 'unknown';
  return findings.some(isErrorItself) ? 'differs' : 'ends-well';
}

function endsWell({ kind }: Pick<SummaryRow, 'kind'>): boolean {
  return effectOfKind(kind) === 'ends-well';
}

/** How the sentences of a verdict name data and servers. */
interface Saying {
  /** Data or a term; different answers look different. */
  readonly term: (row: SummaryRow) => string;
  /** "; ns2.example serves an older version": what serials tell of a tie. */
  readonly outdated: string;
  /** What most users get in the world that was recorded, where another one is imagined. */
  readonly before: SummaryRow | undefined;
  /** Whether an answer is none of those that are expected. */
  readonly isMissed: (row: SummaryRow) => boolean;
  /** The servers at which findings blame a zone's troubles: "ns2.example"; empty if they name none. */
  readonly faulty: (zone: Name) => string;
  /** The share of a view: "25 %"; of cold resolvers "20 to 25 %" where products differ in it. */
  readonly share: (row: SummaryRow, view: View) => string;
  /** What servers do to a minimised question that ends look-ups; empty for other ends. */
  readonly minimised: (end: End) => string;
  /** The servers that decide for an answer where cold resolvers get several: "ns1.example and ns2.example". */
  readonly servers: (rows: readonly SummaryRow[]) => string;
}

function sayingIn(
  result: UnjudgedResult,
  audiences: readonly Audience[],
  ranging: readonly UserGroup[],
): Saying {
  const quote = dataTexts(audiences.flatMap(({ view }) => view.summary.map(({ answer = [] }) => answer)));
  const several = result.views.resolver.summary.filter(endsWell).length > 1;
  const deciding = several ? decidingServersIn(resultIndex(result)) : () => [];
  return {
    outdated: outdatedWords(result.findings),
    before: result.recorded?.views.resolver.summary[0],
    isMissed: (row) => result.expected !== undefined && endsWell(row) && !isExpected(row),
    term: (row) => {
      if (row.answer === undefined) return endTerm(row);
      return row.varies === undefined ? quote(row.answer) : rotationBriefly(row.answer);
    },
    faulty: (zone) => {
      const there = result.findings.filter((finding) => isErrorItself(finding) && finding.zone === zone);
      return serverNames(there.flatMap(({ server }) => server?.name ?? []));
    },
    share: (row, view) => {
      const range = view === result.views.resolver ? shareRange(row, ranging) : undefined;
      return range === undefined ? percentage(readFraction(row.fraction)) : rangeWords(range);
    },
    minimised: (end) => minimisedWords(result, end),
    servers: (rows) => {
      const keys = new Set(rows.map(({ kind, answer = [] }) => [kind, ...answer].join('\n')));
      const ends = firstOfEach(result.views['first-tries'].outcomes, contentKey).filter((end) =>
        keys.has(contentKey(end)),
      );
      return serverNames(ends.flatMap(deciding).map(({ name }) => name));
    },
  };
}

function serverNames(names: readonly Name[]): string {
  return listed([...new Set(names.map(plain))].sort());
}

/** "25 % of users get 192.0.2.110 from ns.mixed.example instead of 198.51.100.110" */
function sharesWords({ view, users }: Audience, saying: Saying): string {
  const { summary } = view;
  const [only, ...others] = summary;
  if (only !== undefined && others.length === 0) return uniformWords(only, view, users, saying);
  const share = (row: SummaryRow, of: string) => `${saying.share(row, view)} of ${of}`;
  const failing = summary.filter(({ kind }) => effectOfKind(kind) === 'fails');
  const unknown = summary.filter(({ kind }) => isUnknownKind(kind));
  const parts = [
    ...failing.map((row) => (of: string) => `${share(row, of)} get ${failureWords(row, view, saying)}`),
    ...(summary.some(endsWell)
      ? [(of: string) => differenceWords(summary.filter(endsWell), view, of, saying)]
      : []),
    ...unknown.map((row) => (of: string) => `what ${share(row, of)} get is ${unknownWords(row)}`),
  ];
  return parts.map((part, at) => part(at === 0 ? users : 'them')).join(', ');
}

function uniformWords(row: SummaryRow, view: View, users: string, saying: Saying): string {
  const { term, before, isMissed } = saying;
  // Who gets what is the same for all of them, so the servers to blame are those of the finding.
  const named = { ...saying, faulty: () => '' };
  const isAll = users === 'users';
  const who = isAll ? 'all users' : users;
  if (isUnknownKind(row.kind)) return `what ${users} get is ${unknownWords(row)}`;
  if (isAll && row.kind === 'alias-loop') return `no user gets an answer${reasonWords(row, view, named)}`;
  if (!endsWell(row)) return `${who} get ${failureWords(row, view, named)}`;
  if (!isAll) return `${who} get ${term(row)}`;
  const [end] = view.outcomes;
  if (isMissed(row)) return `${who} get ${term(row)}, which is not expected`;
  if (before !== undefined && endTerm(before) !== endTerm(row))
    return `${who} get ${term(row)} instead of ${term(before)}`;
  if (row.varies !== undefined) return `${who} get ${rotationWords(row.answer ?? [])}`;
  return `${who} get ${row.kind === 'answer' || end === undefined ? 'the answer' : endWords(end)}`;
}

/** Where no answer is the most common, nobody knows which is right, so all servers are named and none is blamed. */
function differenceWords(
  rows: readonly SummaryRow[],
  view: View,
  of: string,
  { term, servers, share, outdated }: Saying,
): string {
  const expected = rows.filter(isExpected);
  const [usual, ...minor] =
    expected.length === 0 ? rows : [...expected.slice(0, 1), ...rows.filter((row) => !isExpected(row))];
  const isTie = expected.length === 0 && minor.some(({ fraction }) => fraction === usual?.fraction);
  const told = isTie || minor.length === 0 ? rows : minor;
  const shares = told.map((row, at) => `${share(row, view)}${at === 0 ? ` of ${of} get` : ''} ${term(row)}`);
  if (isTie) return `${servers(rows) || 'servers'} disagree: ${listed(shares)}${outdated}`;
  if (usual === undefined || minor.length === 0)
    return expected.length > 1 ? `${listed(shares)}, as expected` : listed(shares);
  const where = servers(minor);
  return `${listed(shares)}${where === '' ? '' : ` from ${where}`} instead of ${term(usual)}`;
}

/** Servers that disagree may still show by their serials which of them is behind. */
function outdatedWords(findings: readonly Finding[]): string {
  const behind = findings.filter(({ code }) => code === 'SOA_SERIAL_DIFFERS');
  const names = serverNames(behind.flatMap(({ server }) => server?.name ?? []));
  if (names === '') return '';
  return `; ${names} ${names.includes(' ') ? 'serve' : 'serves'} an older version`;
}

function unknownWords(row: SummaryRow): string {
  const term = endTerm(row);
  return term.startsWith('unknown') ? term : `unknown (${term})`;
}

/** "SERVFAIL (the signature has expired)"; for some users also where: "(the signature has expired; ns2.example)". */
function failureWords(row: SummaryRow, view: View, saying: Saying): string {
  return `${row.kind === 'servfail' ? 'SERVFAIL' : 'no answer'}${reasonWords(row, view, saying)}`;
}

/** The reason of the most probable end of a kind, and of data that do not validate the servers to blame. */
function reasonWords({ kind }: SummaryRow, { outcomes }: View, { faulty, minimised }: Saying): string {
  const end = outcomes.find((one) => one.kind === kind);
  if (end === undefined) return '';
  const asked = minimised(end);
  if (asked !== '') return ` (${asked})`;
  const cause = causeOf(end);
  const where = cause.kind === 'bogus' ? faulty(cause.zone) : '';
  return ` (${reasonOf(end)}${where === '' ? '' : `; ${where}`})`;
}

function reasonOf(end: End): string {
  if (end.kind === 'timeout' && end.server === null) return 'nothing in time';
  const cause = causeOf(end);
  if (cause.kind === 'bogus') return bogusReason(cause.reason, cause.zone);
  return cause.kind === 'servfail' ? `no usable server for ${plain(cause.zone)}` : endWords(cause);
}

/** What users of products get, and no other user does: "users of X get SERVFAIL (no usable server for b.example)". */
function productsWords(
  groups: readonly UserGroup[],
  { views: { resolver } }: UnjudgedResult,
  saying: Saying,
): readonly string[] {
  const parts = groups.flatMap((group) =>
    newRows(group.view, resolver).map((row) => {
      const share = readFraction(row.fraction);
      const who = row.fraction === '1' ? usersIn(group) : `${percentage(share)} of ${usersIn(group)}`;
      const what = endsWell(row) ? saying.term(row) : failureWords(row, group.view, saying);
      return `${who} get ${what}${group.start === 'cold' ? '' : ONCE_WARM}`;
    }),
  );
  const more = parts.length - PARTS_SHOWN;
  return more > 0 ? [...parts.slice(0, PARTS_SHOWN), `${more} more such shares`] : parts;
}

/** Of resolvers that have asked for them, or were told. */
const ONCE_WARM = " once the zones' own NS records are known";

/** A verdict that tells more is not read. */
const PARTS_SHOWN = 2;

/** "20 to 25 %" */
function rangeWords([least, most]: readonly [Fraction, Fraction]): string {
  return `${wholePercent(least)} to ${wholePercent(most)} %`;
}

function wholePercent(share: Fraction): number {
  return Math.round(100 * toNumber(share));
}

/** "; 20 to 25 % of users of X and Y get it only when they ask again": where that is so for more than a few. */
function lateWords(result: UnjudgedResult): string {
  const late = lateShares(result).filter(({ share }) => toNumber(share) > FEW);
  const [least, ...others] = late.map(({ share }) => share).sort(compare);
  if (least === undefined) return '';
  const most = others.at(-1) ?? least;
  const users = `users of ${listed(late.map(({ product }) => product))}`;
  const part = wholePercent(least) === wholePercent(most) ? percentage(most) : rangeWords([least, most]);
  return `; ${wholePercent(least) === 100 ? users : `${part} of ${users}`} get it only when they ask again`;
}

/** Below that a verdict has more important things to tell. */
export const FEW = 0.05;

/** Who gets an answer only after a failed first try: ", half of them late (ns1.example)", "; 1 in 8 first tries times out". */
function costWords(
  {
    views: {
      'first-tries': { outcomes },
    },
  }: UnjudgedResult,
  { summary }: View,
  said: string,
): string {
  const failing = outcomes.filter((end) => ownEffect(end) === 'fails');
  if (failing.length === 0 || !summary.some(endsWell)) return '';
  const isLate = (end: OutcomeRow) => causeOf(end).kind === 'timeout';
  const late = weightOf(failing.filter(isLate));
  const rest = weightOf(failing.filter((end) => !isLate(end)));
  const servers = serverNames(failing.flatMap((end) => blamedFor(end) ?? []));
  const where = servers === '' || said.includes(servers) ? '' : ` (${servers})`;
  const isUniformly = summary.length === 1 && compare(late, ZERO) > 0;
  const parts = [
    ...(isUniformly ? [`, ${partWords(late)} of them late`] : triesWords(late, ['times out', 'time out'])),
    ...triesWords(rest, ['fails', 'fail']),
  ];
  return `${parts.join('')}${where}`;
}

function triesWords(share: Fraction, [one, several]: readonly [string, string]): readonly string[] {
  if (compare(share, ZERO) === 0) return [];
  const part = partWords(share);
  return [part.startsWith('1 in ') ? `; ${part} first tries ${one}` : `; ${part} of first tries ${several}`];
}

/** "1 error: EDNS_BREAKS at ns1.example". The addresses of a server count once. */
function errorWords(findings: readonly Finding[]): string {
  const errors = findings.filter(isErrorItself);
  const each = firstOfEach(errors, ({ code, server, zone }) => [code, server?.name, zone].join(' '));
  const places = grouped(each, ({ code }) => code).map((alike) => {
    const servers = new Set(alike.flatMap(({ server }) => (server === undefined ? [] : plain(server.name))));
    return servers.size === 0 ? alike[0].code : `${alike[0].code} at ${listed([...servers])}`;
  });
  const isGrave = each.some(({ severity }) => severity === 'critical');
  return `${count(each.length, isGrave ? 'fault' : 'error')}: ${listed(places)}`;
}

function isErrorItself({ severity, consequenceOf }: Finding): boolean {
  return consequenceOf === undefined && isTrouble(severity);
}
