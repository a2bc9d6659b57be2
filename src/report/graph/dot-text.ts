import { printable } from '../../reading/words/printable.ts';

/**
 * Lines as a string of the DOT language, quotes included. There a backslash begins an escape and an
 * ampersand a character reference; lines end in `\n`.
 */
export function dotText(lines: readonly string[]): string {
  return `"${lines.map(escaped).join('\\n')}"`;
}

function escaped(line: string): string {
  return printable(line).replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/&/g, '&amp;');
}
