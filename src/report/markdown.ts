import type { Finding } from '../document/finding.ts';
import type { TraversalResult } from '../document/result.ts';
import { sentence } from '../document/words/lists.ts';
import { titleName } from '../document/words/names.ts';
import { count, percent, time } from '../document/words/quantities.ts';
import { printable } from '../document/words/shortened.ts';
import { renderMermaid } from './mermaid.ts';
import { questionWords } from './text/fact-rows.ts';
import { userColumns } from './text/user-rows.ts';
import { type Advice, adviceOn } from './views/advice.ts';
import { provenWords } from './views/chain.ts';
import { TO_DO } from './views/faults.ts';
import { stickyWords } from './views/sticky.ts';
import { deviationSentences } from './views/user-shares.ts';
import { lateSharesWords } from './views/users.ts';
import {
  comparedShares,
  ignoredWords,
  likenessWords,
  notCheckedWords,
  resolverAddress,
  saidWords,
  type Wording,
  wordingFor,
} from './views/wording.ts';

/**
 * A result as a report in Markdown, to paste into a ticket: the verdict, who gets what, the servers at
 * fault, what to do, the findings, and the picture as Mermaid. A pure function, safe whatever names the
 * result holds.
 */
export function renderMarkdown(result: TraversalResult): string {
  const { name, type } = result.query;
  const wording = wordingFor(result, 'terse');
  const [proof, ignored] = [provenWords(result), ignoredWords(result)];
  const notChecked = notCheckedWords(result.notChecked);
  const late = lateSharesWords(result, 'all');
  const blocks = [
    `# ${code(`${titleName(name)} ${type}`)}`,
    strong(prose(sentence(result.verdict.text))),
    ...section(prose('Users get'), [shares(result, wording)]),
    ...section(prose('Resolvers say'), [resolvers(result, wording)]),
    ...section(prose(TO_DO[result.recorded === undefined ? 'seen' : 'imagined']), [
      adviceItems(result.findings),
    ]),
    ...section(prose('The paths'), [fenced('mermaid', renderMermaid(result))]),
    facts(result),
    ...(late === '' ? [] : [prose(`Late answers: ${late} get it only at a second try.`)]),
    ...stickyWords(result).map((words) => prose(`Busy resolvers: ${words}.`)),
    ...deviationSentences(result).map((words) => prose(`May differ: ${words}`)),
    ...(proof === undefined ? [] : [prose(`DNSSEC: ${proof}.`)]),
    ...(ignored === '' ? [] : [prose(`Ignored: ${ignored}.`)]),
    ...(notChecked === '' ? [] : [prose(`Not checked: ${notChecked}.`)]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function facts(result: TraversalResult): Inline {
  const { options, figures, coldLatencyMs, finishedAt } = result;
  const { best, mean, worst } = coldLatencyMs;
  const asked = `${questionWords(result)} to ${count(figures.servers, 'address', 'addresses')}`;
  const latency = `a lookup with an empty cache takes ${time(best)} to ${time(worst)}, on average ${time(mean)}`;
  const judged = options.at === undefined ? '' : `, judged as of ${options.at}`;
  return prose(`Seen at ${finishedAt}${judged}, by ${asked}; ${latency}.`);
}

function shares(result: TraversalResult, { shorten }: Wording): string {
  const columns = userColumns(result).map(({ head, summary }) => ({ head: `users ${head}`.trim(), summary }));
  const rows = comparedShares(columns.map(({ summary }) => summary));
  return grid(
    ['', ...columns.map(({ head }) => head)].map(prose),
    rows.map(({ term, shares: each }) => [
      code(shorten(term)),
      ...each.map((share) => prose(percent(share))),
    ]),
  );
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

/** What to do about findings, each above who can do what, and what merely follows. */
export function adviceItems(findings: readonly Finding[]): string {
  return bullets(adviceOn(findings, 'terse'));
}

/**
 * Words of Markdown that are safe wherever they stand in it, whatever the text holds: GitHub's dialect
 * included, which makes links of bare addresses, mentions of "@" and references of "#". The arguments of
 * the other functions here are such words.
 */
type Inline = string;

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

function bullets(items: readonly Advice[], indent = ''): string {
  return items
    .flatMap(({ severity, code: what, place, problem, action, hence }) => [
      `${indent}- ${joined([strong(prose(severity)), ...[what, place].filter((one) => one !== '').map(code), ...problem.map(prose)])}`,
      ...(action === undefined ? [] : [`${indent}  - ${prose(action)}`]),
      ...(hence.length === 0 ? [] : [bullets(hence, `${indent}  `)]),
    ])
    .join('\n');
}

/** A block that is shown as it is, or drawn if the reader knows its language. The text has no line of backticks. */
function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
