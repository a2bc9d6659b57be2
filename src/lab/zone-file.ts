import { NameError } from '../wire/label.ts';
import { type Name, ROOT } from '../wire/name.ts';
import { isPeriod, seconds } from '../wire/rdata/period.ts';
import { encodeRdata } from '../wire/rdata/rdata.ts';
import { RdataError, relativeName } from '../wire/rdata/words.ts';
import { parseType } from '../wire/type.ts';
import { splitEntries, type ZoneEntry, ZoneFileError } from './zone-entries.ts';

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
