import { printable } from '../../reading/words/printable.ts';

/** The line of a monitoring plugin for what could not be checked. */
export function nagiosUnknown(why: string): string {
  return `DNS UNKNOWN - ${nagiosWords(why)}\n`;
}

/** Words in front of the bar that begins the measures, so a bar in them is escaped as in zone files. */
export function nagiosWords(text: string): string {
  return printable(text).replaceAll('|', '\\124');
}
