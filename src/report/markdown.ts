import type { OutcomeRow, SummaryRow } from '../document/ends.ts';
import type { Finding } from '../document/finding.ts';
import type { TraversalResult, ValidatingRow } from '../document/result.ts';
import { endWords } from '../document/words/end-words.ts';
import { grouped } from '../document/words/lists.ts';
import { count, percent, time } from '../document/words/quantities.ts';
import { printable, type Shorten } from '../document/words/shortened.ts';
import { equals, type Fraction, readFraction, ZERO } from '../evaluate/fraction.ts';
import { type Advice, actionSentence } from './advice.ts';
import { explained, VIEW_WORDS } from './explanations.ts';
import { renderMermaid } from './mermaid.ts';
import { warmthOf } from './views/cold-and-warm.ts';
import { weightOf } from './views/effects.ts';
import { likenessWords, resolverAddress, saidWords } from './views/resolver-words.ts';
import { type FaultyServer, faultyServersOf, verdictOn } from './views/verdict.ts';
import { comparedShares, endTerm, type Wording, whatIfWords, wordingFor } from './views/wording.ts';

/**
 * A result as a report in Markdown, to paste into a ticket: the verdict, who gets what, the servers at
 * fault, what to do, the findings, and the picture as Mermaid. A pure function, safe whatever names the
 * result holds.
 */
export function renderMarkdown(result: TraversalResult): string {
  const { name, type } = result.query;
  const wording = wordingFor(result, 'terse');
  const blocks = [
    `# ${code(`${name} ${type}`)}`,
    strong(prose(verdictIn(result))),
    facts(result),
    ...section(prose('Who gets what'), [shares(result, wording)]),
    ...section(prose('What resolvers say'), [resolvers(result, wording)]),
    ...section(prose('Where it goes wrong'), [culprits(faultyServersOf(result), wording)]),
    ...section(prose('What to do'), [advice(result, wording)]),
    ...section(prose('Findings'), [findings(result)]),
    ...section(prose('The paths'), [fenced('mermaid', renderMermaid(result))]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function verdictIn(result: TraversalResult): string {
  const { words } = verdictOn(result);
  return result.whatIf === undefined ? words : `If ${whatIfWords(result.whatIf)}: ${words}`;
}

function facts({ options, stats, coldLatencyMs, finishedAt }: TraversalResult): Inline {
  const { exchanges, servers } = stats;
  const { best, mean, worst } = coldLatencyMs;
  const asked = `${count(exchanges, 'question')} to ${count(servers, 'address', 'addresses')}`;
  const latency = `a lookup with an empty cache takes ${time(best)} to ${time(worst)}, on average ${time(mean)}`;
  const judged = options.at === undefined ? '' : `, judged as of ${options.at}`;
  return prose(`Seen at ${finishedAt}${judged}, by ${asked}; ${latency}.`);
}

/** One view of a result, as a column. */
interface Column {
  readonly title: string;
  readonly summary: readonly SummaryRow[];
}

function shares(result: TraversalResult, { shorten }: Wording): string {
  const columns = columnsOf(result);
  const terms = [...new Set(columns.flatMap(({ summary }) => summary.map(endTerm)))];
  return grid(
    ['', ...columns.map(({ title }) => title)].map(prose),
    terms.map((term) => [
      code(shorten(term)),
      ...columns.map(({ summary }) => prose(percent(shareOf(term, summary)))),
    ]),
  );
}

function columnsOf(result: TraversalResult): readonly Column[] {
  const { summary, resolver, warm, validating, recorded } = result;
  const now = recorded && [
    { title: 'paths now', summary: recorded.summary },
    { title: 'resolvers now', summary: recorded.resolver.summary },
    ...(recorded.validating === undefined ? [] : validatingColumns(recorded.validating, ' now')),
  ];
  const cold = [
    ...(now ?? []),
    { title: 'paths', summary },
    { title: 'resolvers', summary: resolver.summary },
    ...(validating === undefined ? [] : validatingColumns(validating, '')),
  ];
  if (warm === undefined || warmthOf(result).kind !== 'differs') return cold;
  return [
    ...cold,
    { title: 'paths, warm', summary: warm.summary },
    { title: 'resolvers, warm', summary: warm.resolver.summary },
  ];
}

/** One column where it makes no difference whether a resolver retries. */
function validatingColumns({ summary, firstTry }: ValidatingRow, when: '' | ' now'): readonly Column[] {
  const first = { title: `validating resolvers${when}`, summary };
  const differs = comparedShares([summary, firstTry.summary]).some(
    ({ shares: [one = ZERO, other = ZERO] }) => !equals(one, other),
  );
  return differs ? [first, { title: `those that do not retry${when}`, summary: firstTry.summary }] : [first];
}

function shareOf(term: string, summary: readonly SummaryRow[]): Fraction {
  const row = summary.find((one) => endTerm(one) === term);
  return row === undefined ? ZERO : readFraction(row.fraction);
}

function resolvers(result: TraversalResult, { shorten }: Wording): string {
  const { resolvers: rows = [] } = result;
  return grid(
    ['resolver', 'says', ''].map(prose),
    rows.map((row) => [
      code(resolverAddress(row.server)),
      code(shorten(saidWords(row))),
      prose(likenessWords(row, result)),
    ]),
  );
}

function culprits(found: readonly FaultyServer[], { shorten }: Wording): string {
  const rows = found.map(({ name, share, ends }) => {
    const ways = grouped(ends, (end) => troubleWords(end, shorten));
    const words = ways.map((alike) =>
      prose(`${percent(weightOf(alike))} ${troubleWords(alike[0], shorten)}`),
    );
    const zones = [...new Set(ends.map(({ zone }) => zone))];
    return [code(name), joined(zones.map(code)), prose(percent(share)), joined(words, '; ')];
  });
  return grid(['server', 'zone', 'paths', 'which'].map(prose), rows);
}

/** Paths do not end in what does not verify: who demands no proof goes on. */
function troubleWords(end: OutcomeRow, shorten: Shorten): string {
  return end.kind === 'bogus' ? `hear what is ${endWords(end, shorten)}` : `end in ${endWords(end, shorten)}`;
}

/** Only what somebody can do something about. */
function advice(result: TraversalResult, { shorten }: Wording): string {
  const { ends, remarks } = explained(result);
  const items = [
    ...ends.map((one) => ({
      ...one,
      title: `${percent(one.probability)} ${VIEW_WORDS[one.view]}${endWords(one.end, shorten)}`,
    })),
    ...remarks,
  ];
  return bullets(items.filter(({ actions }) => actions.length > 0).map(adviceItem));
}

function adviceItem({ title, means, actions }: Advice & { readonly title: string }): Item {
  const below = actions.map((action) => prose(actionSentence(action)));
  return { words: joined([strong(prose(title)), prose(means)]), below };
}

/** Each finding with those that merely follow from it. */
function findings({ findings: all }: TraversalResult): string {
  const known = new Set(all.map(({ id }) => id));
  const causes = all.filter(({ consequenceOf }) => consequenceOf === undefined || !known.has(consequenceOf));
  return bullets(
    causes.map((cause) => ({
      words: findingWords(cause),
      below: all.filter(({ consequenceOf }) => consequenceOf === cause.id).map(findingWords),
    })),
  );
}

function findingWords({ severity, code: name, zone, server, message, reference }: Finding): Inline {
  const place = [server?.name, server?.address, zone].filter((part) => part !== undefined);
  const sentence = reference === undefined ? message : `${message} (${reference})`;
  return joined([strong(prose(severity)), ...[name, ...place].map(code), prose(sentence)]);
}

/**
 * Words of Markdown that are safe wherever they stand in it, whatever the text holds: GitHub's dialect
 * included, which makes links of bare addresses, mentions of "@" and references of "#". The arguments of
 * the other functions here are such words.
 */
export type Inline = string;

/** A sentence. Everything that could begin markup, a link or a mention is escaped. */
export function prose(text: string): Inline {
  return printable(text).replace(MARKUP, escaped);
}

const MARKUP = /[\\`*_[\]<>~&$|@#]|:(?=\/\/)|(?<=www)\.|^[-+=]|(?<=^\d+)[.)](?=\s)/gi;

/** After a word joiner, "@" and "#" have nothing to name. It is written as a code, so that the text holds nothing that cannot be seen. */
const WORD_JOINER = '&#8288;';

function escaped(character: string): string {
  if (character === '|') return '&#124;';
  return `\\${character}${character === '@' || character === '#' ? WORD_JOINER : ''}`;
}

/** Names and data. Nothing in a code span is markup; a bar, which would end a table's cell, is escaped as in zone files. */
export function code(text: string): Inline {
  const safe = printable(text).replaceAll('|', '\\124');
  const runs = (safe.match(/`+/g) ?? []).map(({ length }) => length);
  const fence = '`'.repeat(Math.max(0, ...runs) + 1);
  const pad = /^`|`$|^ .* $/.test(safe) ? ' ' : '';
  return `${fence}${pad}${safe}${pad}${fence}`;
}

/** Words that must catch the eye. */
export function strong(words: Inline): Inline {
  return `**${words}**`;
}

/** Words one after the other. */
export function joined(parts: readonly Inline[], between = ' '): Inline {
  return parts.join(between);
}

/** A heading with what stands below it; empty if there is nothing. */
export function section(title: Inline, blocks: readonly string[]): readonly string[] {
  const filled = blocks.filter((block) => block !== '');
  return filled.length === 0 ? [] : [`## ${title}`, ...filled];
}

/** A table; empty without rows. */
export function grid(heads: readonly Inline[], rows: readonly (readonly Inline[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** An item of a list, and those below it. */
export interface Item {
  readonly words: Inline;
  readonly below?: readonly Inline[];
}

/** A list; empty without items. */
export function bullets(items: readonly Item[]): string {
  return items
    .flatMap(({ words, below = [] }) => [`- ${words}`, ...below.map((one) => `  - ${one}`)])
    .join('\n');
}

/** A block that is shown as it is, or drawn if the reader knows its language. The text has no line of backticks. */
export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
