/** Why a zone file cannot be read, and where. */
export class ZoneFileError extends Error {
  override readonly name = 'ZoneFileError';
  /** Counted from 1. */
  readonly line: number;

  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
    this.line = line;
  }
}

/** One entry of a zone file: one line, or several joined by parentheses. */
export interface ZoneEntry {
  /** Where it begins, counted from 1. */
  readonly line: number;
  /** RFC 1035 5.1: an entry that begins with a blank has the owner of the previous one. */
  readonly beginsBlank: boolean;
  /** Words as written, quotes and escapes still in them. */
  readonly fields: readonly string[];
}

const TOKEN =
  /(?<blank>[ \t\r]+)|(?<comment>;[^\n]*)|(?<end>\n)|(?<open>\()|(?<close>\))|(?<field>(?:[^\s();"\\]|\\[^\n]|"(?:[^"\\\n]|\\[^\n])*")+)/y;

/** Splits a zone file into its entries, without comments and empty lines. Throws ZoneFileError. */
export function splitEntries(text: string): ZoneEntry[] {
  const entries: ZoneEntry[] = [];
  let line = 1;
  let parentheses = 0;
  let entry = emptyEntry(line, text);
  const finish = (rest: string) => {
    if (entry.fields.length > 0) entries.push(entry);
    entry = emptyEntry(line, rest);
  };
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined)
      throw new ZoneFileError(line, 'a quote is not closed on its line, or a backslash ends it');
    if (groups.field !== undefined) entry.fields.push(groups.field);
    if (groups.open !== undefined) parentheses += 1;
    if (groups.close !== undefined) parentheses -= 1;
    if (parentheses < 0) throw new ZoneFileError(line, 'a closing parenthesis without an opening one');
    if (groups.end !== undefined) line += 1;
    if (groups.end !== undefined && parentheses === 0)
      finish(text.slice(TOKEN.lastIndex, TOKEN.lastIndex + 1));
  }
  if (parentheses > 0) throw new ZoneFileError(entry.line, 'a parenthesis is not closed');
  finish('');
  return entries;
}

function emptyEntry(line: number, rest: string): ZoneEntry & { fields: string[] } {
  return { line, beginsBlank: /^[ \t]/.test(rest), fields: [] };
}
