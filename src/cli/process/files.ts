import { randomBytes } from 'node:crypto';
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { notDone } from './exit-status.ts';
import { getSystemErrorMap } from './node-util.ts';

/** Reads a file of text. Throws a `CommandError` if that cannot be done. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw notDone(`cannot read ${path}: ${reason(error)}`);
  }
}

/**
 * Writes a file whole or not at all; what is there and is no ordinary file (a pipe, a device) is written
 * to as it is. Throws a `CommandError` if that cannot be done.
 */
export async function writeTextFile(path: string, text: string): Promise<void> {
  try {
    const there = await stat(path).catch(noneThere);
    if (there === undefined) await writeWhole(path, text, USUAL_MODE);
    else if (there.isFile()) await writeWhole(await realpath(path), text, there.mode);
    else await writeFile(path, text);
  } catch (error) {
    throw notDone(`cannot write ${path}: ${reason(error)}`);
  }
}

/** The system's umask takes from it what the user does not grant. */
const USUAL_MODE = 0o666;

function noneThere(error: NodeJS.ErrnoException): undefined {
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

/** The system's words for an error, without its codes and paths; throws what is no such error. */
export function reason(error: unknown): string {
  if (!(error instanceof Error) || !('errno' in error) || typeof error.errno !== 'number') throw error;
  return getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
}
