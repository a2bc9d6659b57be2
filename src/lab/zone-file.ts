import { parseType } from '../dns/codes.ts';
import { type Name, NameError, ROOT } from '../dns/name.ts';
import { encodeRdata } from '../dns/rdata/rdata.ts';
import { isPeriod, RdataError, relativeName, seconds } from '../dns/rdata/words.ts';

/**
 * Reads a zone file (RFC 1035 5.1): $ORIGIN, $TTL, "@", blank owners, parentheses, quotes, escapes,
 * comments, times with units ("1h30m"), RFC 3597 data. Class IN only, and no $INCLUDE. Names are
 * relative to the root until $ORIGIN says otherwise. Throws ZoneFileError, which names the line.
 */
export function readZoneFile(text: string): ZoneRecord[] {
  const records: ZoneRecord[] = [];
  let context: Context = { origin: ROOT };
  for (const entry of splitEntries(text)) {
    context = inLine(entry, () => {
      if (entry.fields[0]?.startsWith('$') && !entry.beginsBlank) return readDirective(entry, context);
      const record = readRecord(entry, context);
      records.push(record);
      return { ...context, owner: record.name, lastTtl: record.ttl };
    });
  }
  return records;
}

/** A record as a server holds it. */
export interface ZoneRecord {
  readonly name: Name;
  readonly type: string;
  /** Absent means IN; otherwise "CH". */
  readonly class?: string;
  /** Seconds. */
  readonly ttl: number;
  readonly rdata: Uint8Array;
  /** The name that an NS, CNAME or DNAME record's data is. */
  readonly target?: Name;
  /** Its line in the zone file, counted from 1; absent if the server synthesised it. */
  readonly line?: number;
  /** The wildcard or DNAME that the server made it from; absent: it is in the zone as it is. */
  readonly madeFrom?: Name;
}

/** What one entry passes on to the next (RFC 1035 5.1, RFC 2308 4). */
interface Context {
  readonly origin: Name;
  readonly owner?: Name;
  /** From $TTL. */
  readonly defaultTtl?: number;
  /** The TTL of the record before. */
  readonly lastTtl?: number;
}

function inLine<T>(entry: ZoneEntry, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof NameError || error instanceof RdataError)
      throw new ZoneFileError(entry.line, error.message);
    throw error;
  }
}

function readDirective(entry: ZoneEntry, context: Context): Context {
  const [directive = '', argument, ...rest] = entry.fields;
  if (argument === undefined || rest.length > 0)
    throw new ZoneFileError(entry.line, `${directive} needs one argument`);
  switch (directive.toUpperCase()) {
    case '$ORIGIN':
      return { ...context, origin: relativeName(argument, context.origin) };
    case '$TTL':
      return { ...context, defaultTtl: seconds(argument) };
    default:
      throw new ZoneFileError(entry.line, `${directive} is not supported`);
  }
}

function readRecord(entry: ZoneEntry, context: Context): ZoneRecord {
  const fields = [...entry.fields];
  const name = entry.beginsBlank ? context.owner : relativeName(fields.shift() ?? '', context.origin);
  if (name === undefined) throw new ZoneFileError(entry.line, 'the first record has no owner');
  const stated = takeTtlAndClass(fields, entry.line);
  const word = fields.shift() ?? '';
  const type = parseType(word);
  if (type === undefined) throw new ZoneFileError(entry.line, `"${word}" is not a type`);
  const ttl = stated ?? context.defaultTtl ?? context.lastTtl;
  if (ttl === undefined)
    throw new ZoneFileError(entry.line, 'no TTL: there is none here, in an earlier record or from $TTL');
  const rdata = encodeRdata(type, fields.join(' '), context.origin);
  return { name, type, ttl, rdata, ...targetOf(type, fields[0], context.origin), line: entry.line };
}

/** RFC 1035 5.1: TTL and class in either order, both optional. */
function takeTtlAndClass(fields: string[], line: number): number | undefined {
  let ttl: number | undefined;
  for (let field = fields[0] ?? ''; ; field = fields[0] ?? '') {
    if (/^(?:CH|HS|CLASS\d+)$/i.test(field))
      throw new ZoneFileError(line, `class ${field} is not supported, only IN`);
    if (isPeriod(field) && ttl === undefined) ttl = seconds(field);
    else if (field.toUpperCase() !== 'IN') return ttl;
    fields.shift();
  }
}

function targetOf(type: string, field: string | undefined, origin: Name): { target?: Name } {
  const hasTarget =
    (type === 'NS' || type === 'CNAME' || type === 'DNAME') && field !== undefined && field !== '\\#';
  return hasTarget ? { target: relativeName(field, origin) } : {};
}

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
interface ZoneEntry {
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
function splitEntries(text: string): ZoneEntry[] {
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

/**
 * A zone file from its records only: adds $ORIGIN, a TTL of 300 and a SOA, and removes the
 * indentation that all lines share, so that a zone can be written inside code:
 *
 * ```ts
 * zoneText('shop.example.', `
 *   @    NS    ns1
 *   ns1  A     192.0.2.1
 *        AAAA  2001:db8::1
 *   www  A     203.0.113.80
 * `)
 * ```
 *
 * `serial` is the SOA's. The SOA's last field, the TTL of negative answers, is 60.
 */
export function zoneText(apex: string, records: string, serial = 1): string {
  const origin = apex.endsWith('.') ? apex : `${apex}.`;
  return `$ORIGIN ${origin}\n$TTL 300\n@ SOA ns hostmaster ${serial} 2h 15m 2w 1m\n${outdent(records)}`;
}

function outdent(text: string): string {
  const lines = text.split('\n');
  const depths = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const shared = Math.min(...depths);
  return lines.map((line) => line.slice(shared)).join('\n');
}
