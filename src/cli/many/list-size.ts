import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

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
