import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { getSystemErrorMap } from 'node:util';
import { notDone } from './exit-status.ts';

/** Reads a file of text. Throws a `CommandError` if that cannot be done. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw notDone(`cannot read ${path}: ${reason(error)}`);
  }
}

/** Writes a file whole or not at all. Throws a `CommandError` if that cannot be done. */
export async function writeTextFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${process.pid}.part`;
  try {
    await writeFile(unfinished, text);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw notDone(`cannot write ${path}: ${reason(error)}`);
  }
}

/** The system's words for an error, without its codes and paths; throws what is no such error. */
export function reason(error: unknown): string {
  if (!(error instanceof Error) || !('errno' in error) || typeof error.errno !== 'number') throw error;
  return getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
}
