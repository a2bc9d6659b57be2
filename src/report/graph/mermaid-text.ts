import { printable } from '../../reading/words/printable.ts';

/**
 * Texts as one label of the Mermaid language, quotes included, a line each. Mermaid knows no escape
 * but character codes ("#35;"), reads some of what is in quotes as HTML, as Markdown or as directives,
 * and takes the semicolon from a code that stands behind "style" and a colon in its line. So
 * everything that begins any of these is written as a code.
 */
export function mermaidText(lines: readonly string[]): string {
  return `"${lines.map(escaped).join('<br/>')}"`;
}

/** What quotes, codes, HTML, directives, Markdown and Mermaid's line breaks (`\n`) are made of. */
const SPECIAL = /["#&<>{}\\`*_~[\]|;@\u2060]/g;

/** What is linked by itself ("www.", "://"), a list ("1. ") or one of Mermaid's statements. */
const SEQUENCES = /(?<=www)\.|:(?=\/\/)|(?<=^\d+)[.)]|s(?=tyle)|c(?=lassDef)/gi;

/** What becomes a line end or an icon ("fa:fa-ban") even where it is written in codes: it must not stand together. */
const TOGETHER = /\\(?=n)|:(?=fa-)/g;
const WORD_JOINER = '\u2060';

function escaped(line: string): string {
  const coded = (character: string) => `#${character.codePointAt(0)};`;
  // Both at once: a code is made of characters that need none.
  return printable(line)
    .replace(TOGETHER, `$&${WORD_JOINER}`)
    .replace(new RegExp(`${SPECIAL.source}|${SEQUENCES.source}`, 'gi'), coded);
}

/** A text as a value of the front matter, which is YAML: it knows the escapes of JSON. */
export function frontMatterText(text: string): string {
  const coded = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(printable(text)).replace(/[<>{}]/g, coded);
}
