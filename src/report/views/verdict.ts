/* The verdict on a result, one sentence: which users get what, from which server, and the fault that explains it. */

import { parseAddress } from '../../dns/address.ts';
import type { Name } from '../../dns/name.ts';
import { isExpected, type SummaryRow, summaryOf } from '../../document/ends.ts';
import type { Finding } from '../../document/finding.ts';
import type { TraversalResult, UnjudgedResult, UsersRow, VerdictStatus } from '../../document/result.ts';
import { everyView } from '../../document/views.ts';
import { endWords, reasonOf, rotationWords } from '../../document/words/end-words.ts';
import { listed } from '../../document/words/lists.ts';
import { dataTexts, plain } from '../../document/words/names.ts';
import { count, percentage } from '../../document/words/quantities.ts';
import { type End, isUnknownKind } from '../../evaluate/end.ts';
import { compare, readFraction, toNumber } from '../../evaluate/fraction.ts';
import { effectOfKind } from './effects.ts';
import { type Fault, faultsIn, OLDER } from './faults.ts';
import { isIntercepted, nothingHeard } from './findings.ts';
import { whoGet } from './user-shares.ts';
import { lateShares, lateSharesWords, newRows, type UserGroup, userGroups, usersIn } from './users.ts';
import { endTerm, POINT, rotationTerm, servedBy, shareWords, whatIfWords } from './wording.ts';

/** A sentence with more words is not read: for one fault, and for several. */
export const MOST_WORDS = { one: 20, several: 30 } as const;

/** Says how many users get what, from which server, and why: a sentence without its full stop. */
export function verdictText(result: HavingUsers, status: VerdictStatus): string {
  const imagined = result.whatIf === undefined ? '' : `if ${whatIfWords(result.whatIf)}: `;
  return `${imagined}${sentenceOn(result, status).replaceAll(GLUED, ' ')}`;
}

/** A result whose users are known. */
type HavingUsers = UnjudgedResult & Pick<TraversalResult, 'users'>;

function sentenceOn(result: HavingUsers, status: VerdictStatus): string {
  if (isIntercepted(result)) return 'DNS is intercepted on the way: nothing here can be trusted';
  if (nothingHeard(result))
    return 'no root server replied: there is no network, or it lets no DNS queries through';
  const [cold, ...groups] = userGroups(result);
  const summary = cold?.summary ?? [];
  const apart = groups.filter(({ kinds }) => kinds.length > 0);
  const ofProducts = groups.filter(({ kinds }) => kinds.length === 0);
  const products = ofProducts.filter((group) => newRows(group, { summary }).length > 0);
  const faults = faultsIn(result).filter(({ matters }, at) => matters || (at === 0 && status !== 'ok'));
  const saying = sayingIn(result, summary, faults);
  return apart.length + products.length === 0 ? allWords(saying) : someWords(saying, apart, products);
}

/** Between the parts of data, which count as one word. */
const GLUED = '\u00a0';

function endsWell({ kind }: Pick<SummaryRow, 'kind'>): boolean {
  return effectOfKind(kind) === 'ends-well';
}

/** What the sentences of a verdict are made of. */
interface Saying {
  readonly result: UnjudgedResult;
  /** What users of cold resolvers get. */
  readonly summary: readonly SummaryRow[];
  /** The worst first. */
  readonly faults: readonly Fault[];
  /** Data or a term; different answers look different. */
  readonly term: (row: SummaryRow) => string;
  /** How many users get it; undefined of what no user of a cold resolver gets. */
  readonly users: (row: SummaryRow) => UsersRow | undefined;
  /** " from ns1.example and ns2.example"; empty where more give it, and where all users get the same. */
  readonly from: (row: SummaryRow) => string;
}

function sayingIn(result: HavingUsers, summary: Saying['summary'], faults: readonly Fault[]): Saying {
  const { users: shares } = result;
  const quote = dataTexts(shares.map(({ answer = [] }) => answer));
  const rotation = rotationTerm(
    shares.flatMap(({ varies, answer = [] }) => (varies === undefined ? [] : [answer])),
  );
  const several = summary.filter(endsWell).length > 1;
  return {
    result,
    summary,
    faults,
    term: (row) => {
      if (row.answer === undefined) return endTerm(row);
      const data = row.varies === undefined ? quote(row.answer) : rotation(row.answer);
      return data.replaceAll(' ', GLUED);
    },
    users: (row) => shares.find((one) => endTerm(one) === endTerm(row)),
    from: (row) => {
      const servers = several && endsWell(row) && row.varies === undefined ? servedBy(row, shares) : [];
      return servers.length === 0 || servers.length > SERVERS_NAMED ? '' : ` from ${listed(servers)}`;
    },
  };
}

const SERVERS_NAMED = 2;

/** What all users get. */
function allWords(saying: Saying): string {
  const { result, summary, faults } = saying;
  const [only, ...others] = summary;
  const isUniform = only !== undefined && others.length === 0;
  const users = isUniform ? [uniformWords(only, saying)] : sharesWords(saying);
  const link = isUniform && endsWell(only) ? ', but ' : ': ';
  const [first, second] = faults;
  const late = isUniform && endsWell(only) ? lateWords(result) : '';
  const because = (said: string) =>
    first === undefined ? [] : [`${said}${reasonAfter(said, first, link)}${late}`];
  const [named = '', less = named] = users;
  return fitting(faults.length, [
    ...users.flatMap((said) =>
      second === undefined ? [] : because(said).map((one) => `${one}; ${furtherWords(second, first)}`),
    ),
    ...because(named),
    ...because(less),
    ...(first || !isUniform || !endsWell(only) || isMissed(only, result) ? [] : errorWords(result, named)),
    ...users.slice(2, 3).flatMap(because),
    `${named}${late}`,
    ...users.slice(2).flatMap(because),
    ...users.slice(1),
  ]);
}

/** A second fault; of the same server only the address at which it is another one. */
function furtherWords({ words, server }: Fault, first: Fault | undefined): string {
  const isSame = server !== undefined && server === first?.server;
  return isSame ? words.replace(/^\S+ \((\S+)\) /, 'its address $1 ') : words;
}

/** ": ns2.example refuses queries"; right after the name of that server ", which refuses queries". */
function reasonAfter(said: string, { words, server }: Fault, link: string): string {
  const name = server === undefined ? '' : plain(server);
  if (words.endsWith(` ${OLDER}`) && said.includes(OLDER_DATA)) return '';
  if (name === '' || !said.endsWith(` from ${name}`) || !words.startsWith(`${name} `))
    return `${link}${words}`;
  const does = words.replace(/^\S+ (?:\(\S+\) )?/, '');
  const isData = !/ (?:NXDOMAIN|NODATA) from \S+$/.test(said);
  return `, ${does === OLDER && isData ? 'an older version' : `which ${does}`}`;
}

/** The first that is short enough, else the last. */
function fitting(faults: number, sentences: readonly string[]): string {
  const most = faults > 1 ? MOST_WORDS.several : MOST_WORDS.one;
  return sentences.find((one) => one.split(' ').length <= most) ?? sentences.at(-1) ?? '';
}

/** Errors of which there is nothing shorter to say. */
function errorWords({ findings }: UnjudgedResult, said: string): readonly string[] {
  const errors = findings.filter(isErrorItself).length;
  return errors === 0 ? [] : [`${said}, but there ${errors === 1 ? 'is' : 'are'} ${count(errors, 'error')}`];
}

/** Whether an answer is none of those that are expected. */
function isMissed(row: SummaryRow, { expected }: UnjudgedResult): boolean {
  return expected !== undefined && !isExpected(row);
}

function uniformWords(row: SummaryRow, saying: Saying): string {
  const { result, term } = saying;
  const [end] = result.views.resolver.outcomes;
  const [before] = result.recorded === undefined ? [] : summaryOf(result.recorded.views.resolver);
  if (isUnknownKind(row.kind)) return `what users get is ${unknownWords(row)}`;
  if (row.kind === 'alias-loop') return `no user gets an answer${reasonWords(row, saying)}`;
  if (!endsWell(row)) return `all users get ${failureWords(row, saying)}`;
  if (isMissed(row, result)) return `all users get ${term(row)}, which is not expected`;
  if (before !== undefined && endTerm(before) !== endTerm(row))
    return `all users get ${term(row)} instead of ${term(before)}`;
  const denied = end === undefined ? term(row) : denialWords(end, result.query.name);
  if (row.varies === undefined) return `all users get ${row.kind === 'answer' ? 'the answer' : denied}`;
  const isOneEach = result.views.resolver.outcomes.every(
    (one) => one.kind === 'answer' && one.rotatesWith !== undefined && one.records.length === 1,
  );
  const { answer: data = [] } = row;
  if (!isOneEach) return `all users get ${term(row)}`;
  const isShort = data.length <= SERVERS_NAMED && data.every((one) => parseAddress(one) !== undefined);
  return `all users get ${isShort ? `${data.join(' or ')}, by turns` : `one of ${rotationWords(data, 'by turns')}`}`;
}

/** "NODATA: the name has no MX record"; of another name than the one asked for, with that name. */
function denialWords(end: End, asked: Name): string {
  const { kind, question } = end;
  if (question.name === asked) return endWords(end);
  const alias = `${plain(asked)} is an alias of ${plain(question.name)}, which`;
  if (kind === 'nodata') return `NODATA: ${alias} has no ${question.type} record`;
  return kind === 'nxdomain' ? `NXDOMAIN: ${alias} does not exist` : endWords(end);
}

/** "; 3.5 % of users of X get it late"; empty if nobody does. */
function lateWords(result: UnjudgedResult): string {
  const late = lateShares(result, 'named').filter(({ share }) => toNumber(share) > POINT);
  if (late.length === 0) return '';
  if (late.length <= PRODUCTS_NAMED) return `; ${lateSharesWords(result, 'named', POINT)} get it late`;
  const most = Math.max(...late.map(({ share }) => toNumber(share)));
  return `; up to ${Math.ceil(100 * most)} % of users get it late`;
}

/** What some users get and others do not: with servers, without, and of many answers the most frequent alone. */
function sharesWords(saying: Saying): readonly string[] {
  const { result, users, term, from } = saying;
  const odd = oddWords(saying);
  if (odd.length > 0) return odd;
  const share = (row: SummaryRow) => {
    const own = users(row);
    return own === undefined ? percentage(readFraction(row.fraction)) : shareWords(own.share);
  };
  const denied = ({ kind }: SummaryRow) => Number(kind !== 'answer');
  const summary = [...saying.summary].sort(
    (a, b) => compare(readFraction(b.fraction), readFraction(a.fraction)) || denied(a) - denied(b),
  );
  const parts = (where: (row: SummaryRow) => string) => {
    const texts = summary.map((row, at) => {
      const who = `${share(row)}${at === 0 ? ' of users get' : ''}`;
      if (isUnknownKind(row.kind)) return `${who} something ${unknownWords(row)}`;
      return `${who} ${endsWell(row) ? term(row) : failureKind(row)}${where(row)}`;
    });
    // Some data have commas.
    const all = texts.some((text) => text.includes(',')) ? texts.join('; ') : listed(texts);
    if (summary.every(isExpected)) return `${all}, as expected`;
    return result.findings.some(isMeant) ? `${all}, perhaps on purpose` : all;
  };
  const [first] = summary;
  const few =
    first === undefined ? '' : `${share(first)} of users get ${term(first)}, all others something else`;
  return [parts(from), parts((row) => (row === first ? '' : from(row))), parts(() => ''), few];
}

/** Whether servers compute their answers, for all that is known: they have one version of the zone. */
function isMeant({ code, severity, causes }: Finding): boolean {
  return code === 'ANSWERS_DIFFER' && severity === 'warning' && causes.length === 0;
}

/** What comes from the server at fault alone, where the share of users who get it depends on their product; the shorter last. */
function oddWords({ summary, users, term, faults: [fault] }: Saying): readonly string[] {
  const { server, words = '' } = fault ?? {};
  const odd = summary.filter(endsWell).flatMap((row) => {
    const own = users(row);
    const [source, ...others] = own?.from ?? [];
    if (own === undefined || source === undefined || others.length > 0 || source.name !== server) return [];
    if (own.share.most - own.share.least <= POINT) return [];
    const older = words.endsWith(` ${OLDER}`) ? OLDER_DATA : '';
    const what = `get ${term(row)}${older} from ${plain(source.name)}`;
    const [other, ...more] = summary.filter((one) => one !== row);
    const who = whoGet(own);
    const whole =
      other === undefined || more.length > 0 || older === '' || who.startsWith('all')
        ? []
        : [`${shareWords(own.share)} of users ${what}; others get ${term(other)}`];
    return [[...whole, `${who} ${what}`]];
  });
  return odd[0] ?? [];
}

/** Behind data from a server with an older version. */
const OLDER_DATA = ', an older version,';

/** What users of some resolvers get, and others do not. */
function someWords(saying: Saying, apart: readonly UserGroup[], products: readonly UserGroup[]): string {
  const { result, faults } = saying;
  const [first] = faults;
  const others = groupWords(saying, saying);
  const warm = apart.length === 1 && products.length === 0 && apart[0]?.kinds.join() === 'warm';
  if (warm) {
    const zone = result.findings.find(({ code }) => code === 'WARM_DIFFERS')?.zone;
    const then = groupWords(apart[0] ?? saying, saying);
    return zone === undefined
      ? `users get ${others}, ${then} once their resolver knows the zone's own NS records`
      : `users get ${then} once resolvers know the NS records of ${plain(zone)}, else ${others}: the delegation names other servers`;
  }
  const told = [
    ...apart.map((group) => `${usersIn(group)} get ${groupWords(group, saying)}`),
    ...productsWords(products, saying),
  ];
  const users = told.slice(0, PARTS_SHOWN).join('; ');
  const [one = ''] = told;
  // What few users get is told after what is wrong.
  const placed = (who: string) =>
    first === undefined ? who : apart.length === 0 ? `${first.words}; ${who}` : `${who}: ${first.words}`;
  return fitting(faults.length, [
    placed(`${users}, others ${others}`),
    placed(users),
    placed(`${one}, others ${others}`),
    placed(one),
    `${one}, others ${others}`,
    one,
  ]);
}

/** What users of a group get: "SERVFAIL", "192.0.2.1 (50 %) or SERVFAIL (50 %)". */
function groupWords({ summary }: Pick<UserGroup, 'summary'>, saying: Saying): string {
  const what = (row: SummaryRow) => {
    if (isUnknownKind(row.kind)) return `something ${unknownWords(row)}`;
    return endsWell(row) ? saying.term(row) : failureWords(row, saying);
  };
  const [only, ...others] = summary;
  if (only !== undefined && others.length === 0) return what(only);
  return summary
    .slice(0, PARTS_SHOWN)
    .map((row) => `${what(row)} (${percentage(readFraction(row.fraction))})`)
    .join(' or ');
}

/** What users of products get, and no other user does: "50 % of users of X get SERVFAIL". */
function productsWords(groups: readonly UserGroup[], saying: Saying): readonly string[] {
  return groups.flatMap((group) =>
    newRows(group, saying).map((row) => {
      const isNamed = group.products.length <= PRODUCTS_NAMED;
      const users = isNamed ? usersIn(group) : 'users of some products';
      const some = isNamed ? `${listed(group.products)} users` : users;
      const who = row.fraction === '1' ? users : `${percentage(readFraction(row.fraction))} of ${some}`;
      const what = endsWell(row) ? saying.term(row) : failureWords(row, saying);
      return `${who} get ${what}${group.start === 'cold' ? '' : ONCE_WARM}`;
    }),
  );
}

/** Of resolvers that have asked for them, or were told. */
export const ONCE_WARM = " once the zone's own NS records are known";

const PRODUCTS_NAMED = 2;

/** A verdict that tells more is not read. */
const PARTS_SHOWN = 2;

function unknownWords(row: SummaryRow): string {
  const term = endTerm(row);
  return term.startsWith('unknown') ? term : `unknown (${term})`;
}

function failureKind({ kind }: SummaryRow): string {
  return kind === 'servfail' ? 'SERVFAIL' : 'no answer';
}

/** The reason is what is wrong; where nothing was found that is, the most probable end of that kind. */
function failureWords(row: SummaryRow, { faults, result }: Saying): string {
  const ends = everyView(result).flatMap(({ outcomes }) => outcomes);
  const end = ends.find((one) => one.kind === row.kind);
  return faults.length > 0 || end === undefined ? failureKind(row) : `${failureKind(row)} (${reasonOf(end)})`;
}

function reasonWords(row: SummaryRow, { faults, result }: Saying): string {
  const end = result.views.resolver.outcomes.find(({ kind }) => kind === row.kind);
  return faults.length > 0 || end === undefined
    ? ''
    : ` (${end.kind === 'alias-loop' ? 'alias loop: ' : ''}${reasonOf(end)})`;
}

function isErrorItself({ severity, causes }: UnjudgedResult['findings'][number]): boolean {
  return causes.length !== 1 && (severity === 'error' || severity === 'critical');
}
