import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { CommandError, notDone } from './command-error.ts';
import { reason } from './system-error.ts';

/** What stands for the standard input where a file is asked for. */
export const STDIN = '-';

/** What a file, or stdin, is called in messages. */
export function nameOf(path: string): string {
  return path === STDIN ? 'stdin' : path;
}

/** Reads a file of text. Throws a `CommandError` if that fails. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw notDone(`cannot read ${path}: ${reason(error)}`);
  }
}

/** The same, where "-" is the standard input. */
export function readTextInput(path: string, stdin: Readable): Promise<string> {
  return path === STDIN ? textOf(stdin) : readTextFile(path);
}

/** Checks, before there is anything to write, that a file can be written. Throws a `CommandError` if not. */
export async function checkWritable(path: string): Promise<void> {
  try {
    const existing = await stat(path).catch(undefinedIfMissing);
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
export async function writeTextFile(path: string, text: string): Promise<void> {
  try {
    const existing = await stat(path).catch(undefinedIfMissing);
    if (existing === undefined) await writeWhole(path, text, USUAL_MODE);
    else if (existing.isFile()) await writeWhole(await realpath(path), text, existing.mode);
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

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    await writeFile(unfinished, text, { mode, flag: 'wx' });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
