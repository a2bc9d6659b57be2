/* Says in a few words what is wrong: findings, or where there are none the failures of first tries. */

import type { Name } from '../../dns/name.ts';
import type { Finding } from '../../document/finding.ts';
import type { UnjudgedResult } from '../../document/result.ts';
import { endWords } from '../../document/words/end-words.ts';
import { firstOfEach, listed } from '../../document/words/lists.ts';
import { asked, plain } from '../../document/words/names.ts';
import { causeOf, type End, type EndKind } from '../../evaluate/end.ts';
import { CATALOGUE, type Entry, type FindingCode, HEADINGS } from '../../findings/catalogue.ts';
import { LIST_CODES } from '../../findings/server-list.ts';
import { blamedFor, ownEffect } from './effects.ts';
import { type AlikeFindings, findingFamilies, hasFinding } from './findings.ts';

/** Something that is wrong: "ns2.example refuses queries for shop.example". */
export interface Fault {
  readonly words: string;
  /** The server that does so. */
  readonly server: Name | undefined;
  /** Whether other findings follow from it. */
  readonly matters: boolean;
}

/** What is wrong with a result, the worst first. Findings are about the recorded world, so an imagined one has none. */
export function faultsIn(result: UnjudgedResult): readonly Fault[] {
  if (result.recorded !== undefined) return [];
  const families = findingFamilies(result.findings, 'terse').filter(
    ({ alike }) => hasFinding({ findings: alike }, 'warning') && !isImpact(alike[0]) && !isTold(alike),
  );
  // What costs users something today is told before what may.
  const costs = ({ consequences }: (typeof families)[number]) =>
    Number(consequences.flat().some(({ code }) => code !== 'SINGLE_POINT_OF_FAILURE'));
  if (families.length > 0)
    return firstOfEach(
      families.toSorted((one, other) => costs(other) - costs(one)),
      ({ alike: [{ server, zone }] }) =>
        (server === undefined ? zone : `${server.name} ${server.address}`) ?? '',
    ).map(({ alike, consequences }) => ({
      words: inSentence(cut(without(` for ${asked(result.query)}`, problemWords(alike, 'terse')))),
      server: alike[0].server?.name,
      matters: consequences.length > 0,
    }));
  const failing = result.views['first-tries'].outcomes.filter((end) => ownEffect(end) === 'fails');
  const places = failing.flatMap((end) => {
    const server = blamedFor(end);
    return server === undefined
      ? []
      : [{ words: `${plain(server)} ${doingWords(causeOf(end))}`, server, matters: true }];
  });
  return firstOfEach(places, ({ words }) => words);
}

/** A text without words in it, unless they are the beginning of longer ones, as "A" is of "AAAA". */
function without(words: string, text: string): string {
  const [before = '', after = ''] = text.split(words, 2);
  return /^[A-Z0-9]/.test(after) ? text : `${before}${after}`;
}

/** Whether the shares of users say the same already: that servers differ, rather than what one of them does. */
function isTold([{ code, server, message }]: AlikeFindings): boolean {
  return code === 'ANSWERS_DIFFER' && (server === undefined || !message.startsWith(plain(server.name)));
}

/** What a server does where paths fail. */
function doingWords(end: End): string {
  return DOING[end.kind] ?? `fails (${endWords(end)})`;
}

const DOING: Readonly<Partial<Record<EndKind, string>>> = {
  timeout: 'does not reply',
  unreachable: 'is unreachable',
  malformed: 'sends malformed replies',
  bogus: 'serves data that do not verify',
  'no-glue': 'has no address that can be found',
  'unresolvable-ns': 'has no address that can be found',
  loop: 'has no address that can be found',
};

/** Whether a finding only says what faults come to. */
export function isImpact({ code }: Pick<Finding, 'code'>): boolean {
  return code in HEADINGS.IMPACT;
}

/** The problem of findings that are alike in one sentence without its full stop, and without addresses that do not matter. */
export function problemWords([finding, ...others]: AlikeFindings, size: 'terse' | 'whole'): string {
  const first = problemOf(finding);
  const own = finding.server?.name;
  const more = [...new Set(others.flatMap(({ server }) => server?.name ?? []))].filter(
    (name) => name !== own,
  );
  const briefly = size === 'terse' && isWhole(finding) ? BRIEFLY.get(finding.code) : undefined;
  const shown = others.length === 0 ? finding.server?.address : undefined;
  const where = shown === undefined ? '' : ` (${shown})`;
  const words =
    briefly !== undefined && own !== undefined
      ? `${plain(own)}${where} ${briefly}`
      : first.replace(ADDRESSES, (part, addresses) => (addresses === shown ? part : ''));
  if (more.length === 0) return words;
  const name = own === undefined ? '' : plain(own);
  if (name === '' || !words.startsWith(`${name} `)) return `${words} (${listed(more.map(plain))}, too)`;
  const does = words
    .slice(name.length)
    .replace(/^ (\S+)|(?<=, although )it (\S+)/g, (_, verb, other) =>
      other === undefined ? ` ${ofSeveral(verb)}` : `they ${ofSeveral(other)}`,
    );
  return `${listed([name, ...more.map(plain)])}${does}`;
}

/** A verb as it follows several servers: "refuses" as "refuse". */
function ofSeveral(verb: string): string {
  return SEVERAL.get(verb) ?? verb.replace(/ies$/, 'y').replace(/(?<=sh|ch|x|ss)es$|(?<!s)s$/, '');
}

const SEVERAL: ReadonlyMap<string, string> = new Map([
  ['does', 'do'],
  ['has', 'have'],
  ['is', 'are'],
]);

/** Whether everything fails there, or nothing. */
function isWhole({ scope }: Finding): boolean {
  return scope?.names === undefined && scope?.types === undefined;
}

/** What a server does that has not got the current version of a zone. */
export const OLDER = 'serves an older version';

/** What servers do, where the sentence of a finding proves it with numbers. */
const BRIEFLY: ReadonlyMap<string, string> = new Map<FindingCode, string>([
  ['NS_NO_RESPONSE_UDP', 'does not reply'],
  ['NS_V6_DEAD', 'does not reply over IPv6'],
  ['REPLY_MALFORMED', 'sends broken replies'],
  ['REPLY_QUESTION_MISMATCH', 'sends replies that match no query'],
  ['SOA_SERIAL_DIFFERS', OLDER],
  ['SOA_SERIAL_LOWERED', 'has the lower serial'],
]);

/** " (192.0.2.1, 2001:db8::1)" */
const ADDRESSES = / \(((?:[0-9a-f]*[.:][0-9a-f.:]*(?:, )?)+)\)/g;

/** A sentence without what it adds to its main clause. */
export function cut(words: string): string {
  return words.replace(/(?:: |,? but |, (?:so|although|while|which|because|as|with) ).*$/, '');
}

/** What is wrong in one sentence, without its full stop. */
export function problemOf({ message }: Finding): string {
  return message.replace(/\.$/, '').split(/\. (?=[A-Z])/)[0] ?? '';
}

/** What to do about a finding, without its full stop. */
export function remedyOf({ advice }: Finding): string {
  return advice.replace(/\.$/, '');
}

/** A sentence as it stands behind a colon. A name or an abbreviation that comes first keeps its letters. */
export function inSentence(words: string): string {
  return words.replace(/^[A-Z](?=[a-z]* )/, (first) => first.toLowerCase());
}

/** What the catalogue says of a finding; undefined of a code that later versions have. */
export function entryOf({ code }: Finding): Entry | undefined {
  return ENTRIES.get(code);
}

const ENTRIES: ReadonlyMap<string, Entry> = new Map(Object.entries({ ...CATALOGUE, ...LIST_CODES }));

/** The heading of what to do. Findings are about the world that was recorded, whatever else is imagined. */
export const TO_DO = { seen: 'Do', imagined: 'Findings of the world as recorded' } as const;
