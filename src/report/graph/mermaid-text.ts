import { printable } from '../../reading/words/printable.ts';

/**
 * Texts as one label of the Mermaid language, quotes included, one line each. Mermaid's only escapes are
 * character codes ("#35;"). It reads parts of quoted text as HTML, Markdown or directives, and drops the
 * semicolon of a code that follows "style" and a colon on its line. So everything that could begin any
 * of these is written as a code.
 */
export function mermaidText(lines: readonly string[]): string {
  return `"${lines.map(escaped).join('<br/>')}"`;
}

/** The characters of quotes, codes, HTML, directives, Markdown and Mermaid's line breaks (`\n`). */
const SPECIAL = /["#&<>{}\\`*_~[\]|;@\u2060]/g;

/** What becomes a link ("www.", "://"), a list ("1. ") or a statement of Mermaid's. */
const SEQUENCES = /(?<=www)\.|:(?=\/\/)|(?<=^\d+)[.)]|s(?=tyle)|c(?=lassDef)/gi;

/** What becomes a line end or an icon ("fa:fa-ban") even when written in codes, and so must be separated. */
const TOGETHER = /\\(?=n)|:(?=fa-)/g;
const WORD_JOINER = '\u2060';

function escaped(line: string): string {
  const coded = (character: string) => `#${character.codePointAt(0)};`;
  // In one pass: the characters of a code must not be coded again.
  return printable(line)
    .replace(TOGETHER, `$&${WORD_JOINER}`)
    .replace(new RegExp(`${SPECIAL.source}|${SEQUENCES.source}`, 'gi'), coded);
}

/** A text as a value of the front matter: YAML, which has the escapes of JSON. */
export function frontMatterText(text: string): string {
  const coded = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(printable(text)).replace(/[<>{}]/g, coded);
}
