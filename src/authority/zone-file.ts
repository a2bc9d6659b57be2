/* Reads zone files (RFC 1035 5). */

import { parseType } from '../dns/codes.ts';
import { type Name, NameError, ROOT } from '../dns/name.ts';
import { encodeWords } from '../dns/rdata/rdata.ts';
import {
  isPeriod,
  octetsOf,
  RdataError,
  type RdataWord,
  relativeName,
  seconds,
  splitWords,
} from '../dns/rdata/words.ts';
import {
  generated,
  generateRange,
  sizeOf,
  ZoneEntries,
  type ZoneEntry,
  type ZoneFileError,
} from './entries.ts';

/**
 * Reads a zone file (RFC 1035 5.1): $ORIGIN, $TTL (RFC 2308 4), $INCLUDE, BIND's $GENERATE, "@", blank owners, parentheses,
 * quotes, escapes, comments, times with units ("1h30m"), RFC 3597 data. Class IN only. Throws ZoneFileError, which names
 * line and column of the first error.
 */
export function readZoneFile(text: string, options: ReadOptions = {}): ZoneRecord[] {
  const { origin = ROOT, file, include = NO_INCLUDE, ttl } = options;
  const records: ZoneRecord[] = [];
  const context = ttl === undefined ? { origin } : { origin, defaultTtl: ttl };
  // A byte order mark is no part of the text (RFC 3629 6).
  new FileReader({ text: text.replace(/^\uFEFF/, ''), file }, context, { records, include, depth: 0 }).read();
  return records;
}

/** How a zone file is read. */
interface ReadOptions {
  /** Names are relative to it until $ORIGIN says otherwise; absent: to the root. */
  readonly origin?: Name;
  /** Its name in errors and records. */
  readonly file?: string;
  /** Of records that state none, before the first $TTL; absent: as RFC 1035 5.1 says. */
  readonly ttl?: number;
  /** Absent: $INCLUDE is refused. */
  readonly include?: Include;
}

/** Finds the file that $INCLUDE names, or says why there is none. */
export type Include = (path: string) => IncludedFile | { readonly refused: string };

/** A file, as text. */
interface IncludedFile {
  readonly text: string;
  /** Its name in errors and records. */
  readonly file: string;
}

const NO_INCLUDE: Include = () => ({ refused: '$INCLUDE is not supported here' });

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
  /** Which file that is; absent: the only one, or it has no name. */
  readonly file?: string;
  /** Why a server refuses the file for how this record is written: "... need quotes: BIND refuses the file". Absent: none does. */
  readonly refused?: string;
  /** Whether a semicolon ends its data early. */
  readonly isCut?: true;
  /** The wildcard or DNAME that the server made it from; absent: it is in the zone as it is. */
  readonly madeFrom?: Name;
}

/** The most records of one zone: some 700 MB for each million. */
const MOST_RECORDS = 2_000_000;
/** Files that include one another, one within the other. */
const MOST_DEPTH = 8;

/** What one entry passes on to the next (RFC 1035 5.1, RFC 2308 4). */
interface Context {
  origin: Name;
  owner?: Name | undefined;
  /** From $TTL. */
  defaultTtl?: number;
  /** The TTL of the record before. */
  lastTtl?: number;
}

/** What the files of one zone share. */
interface Reading {
  readonly records: ZoneRecord[];
  readonly include: Include;
  /** How many files include this one. */
  readonly depth: number;
}

/** Reads one file. */
class FileReader {
  readonly #entries: ZoneEntries;
  readonly #file: string | undefined;
  readonly #context: Context;
  readonly #reading: Reading;

  constructor(
    { text, file }: { readonly text: string; readonly file: string | undefined },
    context: Context,
    reading: Reading,
  ) {
    this.#entries = new ZoneEntries(text, file);
    this.#file = file;
    this.#context = context;
    this.#reading = reading;
  }

  read(): void {
    for (let entry = this.#entries.next(); entry !== undefined; entry = this.#entries.next()) {
      if (!entry.beginsBlank && entry.fields[0]?.startsWith('$')) this.#readDirective(entry);
      else this.#add(entry);
    }
  }

  #readDirective(entry: ZoneEntry): void {
    const [directive = '', argument] = entry.fields;
    const context = this.#context;
    switch (directive.toUpperCase()) {
      case '$ORIGIN':
        this.#takes(entry, 'one argument', 1, 1);
        context.origin = this.#at(entry, 1, () => relativeName(argument ?? '', context.origin));
        return;
      case '$TTL':
        this.#takes(entry, 'one argument', 1, 1);
        context.defaultTtl = this.#at(entry, 1, () => seconds(argument ?? ''));
        return;
      case '$INCLUDE':
        this.#takes(entry, 'a file, and perhaps an origin', 1, 2);
        this.#include(entry);
        return;
      case '$GENERATE':
        this.#takes(entry, 'a range, an owner, a type and data', 4, Number.POSITIVE_INFINITY);
        this.#generate(entry);
        return;
      default:
        throw this.#error(entry, 0, `${directive} is not supported`);
    }
  }

  #takes(entry: ZoneEntry, needs: string, least: number, most: number): void {
    const count = entry.fields.length - 1;
    if (count >= least && count <= most) return;
    throw this.#error(entry, count > most ? most + 1 : 0, `${entry.fields[0]} needs ${needs}`);
  }

  /** RFC 1035 5.1: origin and owner are afterwards those before. */
  #include(entry: ZoneEntry): void {
    const { include, depth } = this.#reading;
    const [, path = '', originText] = entry.fields;
    const before = { ...this.#context };
    const origin =
      originText === undefined
        ? before.origin
        : this.#at(entry, 2, () => relativeName(originText, before.origin));
    if (depth === MOST_DEPTH)
      throw this.#error(entry, 1, `more than ${MOST_DEPTH} files include one another`);
    const [word] = this.#at(entry, 1, () => splitWords(path));
    const found = include(this.#at(entry, 1, () => new TextDecoder().decode(octetsOf(word?.text ?? ''))));
    if ('refused' in found) throw this.#error(entry, 1, found.refused);
    const context = { ...before, origin };
    new FileReader(found, context, { ...this.#reading, depth: depth + 1 }).read();
    Object.assign(this.#context, context, { origin: before.origin, owner: before.owner });
  }

  #generate(entry: ZoneEntry): void {
    const [, rangeText = '', ...line] = entry.fields;
    const offsets = entry.offsets.slice(2);
    const range = generateRange(rangeText);
    if (range === undefined)
      throw this.#error(entry, 1, `"${rangeText}" is not a range (1-10, or 1-10/2 for every second number)`);
    if (sizeOf(range) > MOST_RECORDS - this.#reading.records.length) throw this.#tooMany(entry);
    const { owner } = this.#context;
    const at = line.findIndex((field, index) => index > 0 && typeOf(field) !== undefined);
    const data = line.slice(at + 1);
    // As BIND's manual writes data of several words: in quotes, which are not part of them.
    const [only = ''] = data;
    const isQuoted = data.length === 1 && /^".*"$/s.test(only);
    const words = isQuoted ? only.slice(1, -1).split(/[ \t]+/) : data;
    const fieldsOf = [...line.slice(0, at + 1), ...words];
    const places = fieldsOf.map((_, index) => offsets[Math.min(index, offsets.length - 1)] ?? 0);
    for (let number = range.first; number <= range.last; number += range.step) {
      const fields = fieldsOf.map((field, index) => {
        const made = generated(field, number);
        if (made === undefined)
          throw this.#error(
            entry,
            index + 2,
            `"${field}" needs \${OFFSET,WIDTH,BASE}, and no number below 0`,
          );
        return made;
      });
      const made = { line: entry.line, beginsBlank: false, fields, offsets: places };
      this.#add(
        made,
        data.length > 1
          ? 'several words of data in $GENERATE need quotes around all of them: BIND refuses the file'
          : undefined,
      );
    }
    this.#context.owner = owner;
  }

  #add(entry: ZoneEntry, refused?: string): void {
    const record = {
      ...this.#record(entry),
      ...(refused !== undefined && { refused }),
      ...(entry.isCut && { isCut: entry.isCut }),
    };
    const { records } = this.#reading;
    if (records.length === MOST_RECORDS) throw this.#tooMany(entry);
    records.push(record);
    this.#context.owner = record.name;
    this.#context.lastTtl = record.ttl;
  }

  #tooMany(entry: ZoneEntry): ZoneFileError {
    return this.#error(entry, 0, `the zone has more than ${MOST_RECORDS} records`);
  }

  #record(entry: ZoneEntry): ZoneRecord {
    const { origin, defaultTtl, lastTtl } = this.#context;
    const { fields, line } = entry;
    let at = entry.beginsBlank ? 0 : 1;
    const name = entry.beginsBlank
      ? this.#context.owner
      : this.#at(entry, 0, () => relativeName(fields[0] ?? '', origin));
    if (name === undefined) throw this.#error(entry, 0, 'the first record has no owner');
    // RFC 1035 5.1: TTL and class in either order, both optional.
    let stated: number | undefined;
    let type: string | undefined;
    for (; type === undefined; at += 1) {
      const field = fields[at] ?? '';
      // CLASS1 is IN (RFC 3597 5).
      if (/^(?:IN|CLASS1)$/i.test(field)) continue;
      type = typeOf(field);
      if (type !== undefined) continue;
      if (stated === undefined && isPeriod(field)) stated = this.#at(entry, at, () => seconds(field));
      else if (OTHER_CLASS.test(field))
        throw this.#error(entry, at, `class ${field} is not supported, only IN`);
      else throw this.#error(entry, at, `"${field}" is not a type`);
    }
    const first = at;
    const words = this.#words(entry, first);
    const rdata = this.#encoded(entry, first, type, words);
    const ttl = stated ?? defaultTtl ?? lastTtl ?? (type === 'SOA' ? lastNumber(rdata) : undefined);
    if (ttl === undefined)
      throw this.#error(entry, 0, 'no TTL: there is none here, in an earlier record or from $TTL');
    const target = HAS_TARGET.has(type) && fields[first] !== '\\#' ? fields[first] : undefined;
    const own = this.#file === undefined ? {} : { file: this.#file };
    if (target === undefined) return { name, type, ttl, rdata, line, ...own };
    return { name, type, ttl, rdata, line, target: relativeName(target, origin), ...own };
  }

  /** The data's words: most fields are one each. */
  #words(entry: ZoneEntry, first: number): readonly RdataWord[] {
    const words: RdataWord[] = [];
    for (let at = first; at < entry.fields.length; at += 1) {
      const text = entry.fields[at] ?? '';
      if (text.includes('"')) words.push(...this.#at(entry, at, () => splitWords(text)));
      else words.push({ text, quoted: false });
    }
    return words;
  }

  #encoded(entry: ZoneEntry, first: number, type: string, words: readonly RdataWord[]): Uint8Array {
    try {
      return encodeWords(type, words, this.#context.origin);
    } catch (error) {
      if (!(error instanceof RdataError)) throw error;
      throw this.#error(entry, first + (error.word ?? 0), error.message);
    }
  }

  /** What a field is read as. Its errors get its place. */
  #at<T>(entry: ZoneEntry, index: number, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof NameError || error instanceof RdataError)
        throw this.#error(entry, index, error.message);
      throw error;
    }
  }

  /** At a field; beyond the last one, at its end. */
  #error({ fields, offsets }: ZoneEntry, index: number, reason: string): ZoneFileError {
    const last = fields.length - 1;
    const end = (offsets[last] ?? 0) + (fields[last]?.length ?? 0);
    return this.#entries.errorAt(offsets[index] ?? end, reason);
  }
}

const OTHER_CLASS = /^(?:CH|HS|CLASS\d+)$/i;
const HAS_TARGET: ReadonlySet<string> = new Set(['NS', 'CNAME', 'DNAME']);

const types = new Map<string, string>();

/** `parseType`, which a large file asks for the same few words. */
function typeOf(word: string): string | undefined {
  const known = types.get(word);
  if (known !== undefined) return known;
  const type = parseType(word);
  if (type !== undefined && types.size < MOST_TYPES) types.set(word, type);
  return type;
}

const MOST_TYPES = 1_000;

/** The last 32 bits: of a SOA record its MINIMUM, which is the TTL where nothing states any. */
function lastNumber(rdata: Uint8Array): number {
  return rdata.length < 4 ? 0 : new DataView(rdata.buffer, rdata.byteOffset).getUint32(rdata.length - 4);
}
