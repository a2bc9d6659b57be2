/* Reads a list of names, one a line. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { MOST_OCTETS, type OctetSource, octetsText } from '../../base/octets.ts';
import { parseAddress } from '../../dns/address.ts';
import type { Question } from '../../dns/message.ts';
import { quoted, readQuestion, readReverse } from '../flags/names.ts';
import { CommandError, notDone } from '../process/errors.ts';
import { linesOf } from '../process/files.ts';

/** A line that is neither blank nor a comment. Lines count from 1. */
export type NameLine =
  | { readonly kind: 'name'; readonly line: number; readonly question: Question }
  | { readonly kind: 'bad'; readonly line: number; readonly why: string };

/**
 * Reads a line: a name and perhaps a type, or an address for the name behind it. Comments begin with "#"
 * or ";". Undefined for a line that holds nothing else.
 */
export function readLine(text: string, line: number): NameLine | undefined {
  const [name, type, ...more] = text
    .replace(/(^|\s)[#;].*/, '')
    .trim()
    .split(/\s+/);
  if (name === undefined || name === '') return undefined;
  if (more.length > 0)
    return { kind: 'bad', line, why: `${quoted(text.trim())} is more than a name and a type` };
  try {
    const isAddress = type === undefined && parseAddress(name) !== undefined;
    return { kind: 'name', line, question: isAddress ? readReverse(name) : readQuestion(name, type) };
  } catch (error) {
    if (error instanceof CommandError) return { kind: 'bad', line, why: error.message };
    throw error;
  }
}

/**
 * The lines of a text that are neither blank nor comments, as they come. Throws a `CommandError` for a
 * line so long that this is no text; `name` is what the text is called there.
 */
export async function* nameLines(source: OctetSource, name: string): AsyncGenerator<NameLine, void> {
  let number = 0;
  for await (const line of linesOf(source, MOST_OCTETS.nameLine)) {
    number += 1;
    if (line.kind === 'too-long')
      throw notDone(
        `${name} line ${number} is longer than ${octetsText(MOST_OCTETS.nameLine)}: is it the right file?`,
      );
    const text = line.octets.toString('utf8');
    const read = readLine(number === 1 ? text.replace(/^\ufeff/, '') : text, number);
    if (read !== undefined) yield read;
  }
}

/** Items read before they are wanted: some, so that nobody waits for them, but memory must not grow with a list. */
const MOST_AHEAD = 1_000;

/** Items, read a little before they are wanted. */
export class Ahead<Item> implements AsyncIterator<Item, void> {
  readonly #waiting: Item[] = [];
  #read = 0;
  #state: 'reading' | 'ended' | 'stopped' = 'reading';
  #failure: { readonly error: unknown } | undefined;
  #wake: (() => void)[] = [];

  constructor(source: AsyncIterable<Item>) {
    void this.#fill(source);
  }

  /** How many items there are; undefined while it is not known. */
  get total(): number | undefined {
    return this.#state === 'ended' ? this.#read : undefined;
  }

  /** Gives no more items. Whoever waits for one waits in vain no longer. */
  stop(): void {
    this.#state = 'stopped';
    this.#changed();
  }

  async next(): Promise<IteratorResult<Item, void>> {
    for (;;) {
      if (this.#state === 'stopped') return { done: true, value: undefined };
      if (this.#failure !== undefined) throw this.#failure.error;
      const item = this.#waiting.shift();
      if (item !== undefined) {
        this.#changed();
        return { done: false, value: item };
      }
      if (this.#state === 'ended') return { done: true, value: undefined };
      await this.#change();
    }
  }

  async #fill(source: AsyncIterable<Item>): Promise<void> {
    try {
      for await (const item of source) {
        if (this.#state === 'stopped') return;
        this.#waiting.push(item);
        this.#read += 1;
        this.#changed();
        while (this.#waiting.length >= MOST_AHEAD && this.#state === 'reading') await this.#change();
      }
    } catch (error) {
      this.#failure = { error };
    }
    if (this.#state === 'reading') this.#state = 'ended';
    this.#changed();
  }

  #changed(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  #change(): Promise<void> {
    return new Promise((wake) => {
      this.#wake.push(wake);
    });
  }
}

/** How many names a list has, as far as that can be known before it is worked on. */
export interface ListSize {
  readonly kind: 'counted' | 'estimated';
  readonly names: number;
}

/** Octets that are counted; that of a longer list is an estimate. */
const MOST_COUNTED = 64 * 1_024 * 1_024;

/** How many lines of a file are neither blank nor comments; undefined for what is no file, or cannot be read. */
export async function listSize(path: string, most = MOST_COUNTED): Promise<ListSize | undefined> {
  try {
    // A pipe is not even opened: that would wait for a writer, or take what others are to read.
    const file = await stat(path);
    if (!file.isFile()) return undefined;
    const count = new LineCount();
    for await (const piece of createReadStream(path, { end: most - 1 })) count.add(piece);
    if (file.size <= most) return { kind: 'counted', names: count.names };
    return { kind: 'estimated', names: Math.round((count.names * file.size) / most) };
  } catch {
    // Whoever reads the list says what is wrong with it.
    return undefined;
  }
}

/** Counts lines that hold more than a comment, without making texts of them. */
class LineCount {
  names = 0;
  #state: 'at-start' | 'passing' = 'at-start';

  add(octets: Uint8Array): void {
    for (const octet of octets) {
      if (octet === LF) this.#state = 'at-start';
      else if (this.#state === 'at-start' && !BLANKS.has(octet)) this.#begin(octet);
    }
  }

  #begin(octet: number): void {
    this.#state = 'passing';
    if (octet !== HASH && octet !== SEMICOLON) this.names += 1;
  }
}

const [LF, HASH, SEMICOLON] = [0x0a, 0x23, 0x3b];
const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0b, 0x0c, 0x0d, 0x20]);
