import { printable } from '../../reading/words/printable.ts';

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
