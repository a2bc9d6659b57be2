/* Reads and writes the files that a user names, and words what went wrong. */

import { constants, open as openOpenPipe } from 'node:fs';
import { access, open, realpath, stat, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { writeWholeFile } from '../../base/files.ts';
import { bufferOf, type OctetSource, octetsText, readOctets } from '../../base/octets.ts';
import { CommandError, notDone, reason, unless } from './errors.ts';

/** Reads a file of at most so many octets. Throws a `CommandError` if that fails. */
export async function readFileUpTo(path: string, most: number): Promise<Buffer> {
  return await readUpTo(most, await openToRead(path), path);
}

/** What stands for the standard input where a file is asked for. */
export const STDIN = '-';

/** What a file, or stdin, is called in messages. */
export function nameOf(path: string): string {
  return path === STDIN ? 'stdin' : path;
}

/** As `readFileUpTo`, where "-" is the standard input. */
export async function readInputUpTo(path: string, most: number, stdin: Readable): Promise<Buffer> {
  return path === STDIN ? await readUpTo(most, stdin, 'stdin') : await readFileUpTo(path, most);
}

/** Opens a file to read. Throws a `CommandError` if that fails; reading throws errors of the system. */
export async function openToRead(path: string): Promise<Readable> {
  try {
    if ((await stat(path)).isFIFO()) return await openPipe(path);
    const file = await open(path);
    return file.createReadStream();
  } catch (error) {
    throw cannotRead(path, error);
  }
}

/** The `CommandError` for a file that could not be read; throws what is no system error. */
export function cannotRead(name: string, error: unknown): Error {
  return notDone(`cannot read ${name}: ${reason(error)}`);
}

async function readUpTo(most: number, source: Readable, name: string): Promise<Buffer> {
  const octets = await readOctets(source, most).catch((error: unknown) => {
    throw cannotRead(name, error);
  });
  if (octets === undefined) throw notDone(`cannot read ${name}: it is larger than ${octetsText(most)}`);
  return octets;
}

/** Checks, before there is anything to write, that a file can be written. Throws a `CommandError` if not. */
export async function checkWritable(path: string): Promise<void> {
  try {
    const existing = await stat(path).catch(unless('ENOENT'));
    if (existing?.isDirectory()) throw notDone(`cannot write ${path}: is a directory`);
    if (existing !== undefined) await access(path, constants.W_OK);
    // A file is replaced by a new one beside it; a pipe or a device is not.
    if (existing === undefined || existing.isFile()) await access(await folderOf(path), constants.W_OK);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/**
 * Writes a file whole or not at all. A pipe or a device is written to, not replaced. Throws a
 * `CommandError` if that fails.
 */
export async function writeTextFile(path: string, text: Iterable<string | Uint8Array>): Promise<void> {
  try {
    const existing = await stat(path).catch(unless('ENOENT'));
    if (existing === undefined) await writeWholeFile(path, text, USUAL_MODE);
    else if (existing.isFile()) await writeWholeFile(await realpath(path), text, existing.mode);
    else await writeFile(path, text);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** The `CommandError` for a file that could not be written; throws what is no system error. */
export function cannotWrite(path: string, error: unknown): Error {
  return error instanceof CommandError ? error : notDone(`cannot write ${path}: ${reason(error)}`);
}

/** The umask takes away what the user does not grant. */
const USUAL_MODE = 0o666;

async function folderOf(path: string): Promise<string> {
  return dirname(await realpath(path).catch(() => path));
}

/**
 * Opens a named pipe to read. Rejects with the system's error. (As a file, one that nobody writes to any more would
 * keep the process: a read of a file cannot be taken back.)
 */
function openPipe(path: string): Promise<Readable> {
  return new Promise((resolve, reject) => {
    openOpenPipe(path, 'r', (error, fd) => {
      if (error === null) resolve(new Socket({ fd, readable: true, writable: false }));
      else reject(error);
    });
  });
}

/** A line of a text, without its line end. */
type TextLine =
  /** A torn line is the last and has no line end. */
  | { readonly kind: 'whole' | 'torn'; readonly octets: Buffer }
  /** Longer than was allowed. Nothing after it is read. */
  | { readonly kind: 'too-long' };

/** The lines of a text, however long it is. A line of more than `most` octets is the last. */
export async function* linesOf(source: OctetSource, most: number): AsyncGenerator<TextLine, void> {
  let rest: Buffer[] = [];
  let held = 0;
  for await (const piece of source) {
    const chunk = bufferOf(piece);
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      if (held + end - from > most) break;
      yield { kind: 'whole', octets: Buffer.concat([...rest, chunk.subarray(from, end)]) };
      [rest, held, from] = [[], 0, end + 1];
    }
    rest.push(chunk.subarray(from));
    held += chunk.length - from;
    if (held > most) {
      yield { kind: 'too-long' };
      return;
    }
  }
  if (held > 0) yield { kind: 'torn', octets: Buffer.concat(rest) };
}

const LF = 0x0a;
