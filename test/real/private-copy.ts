import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/**
 * Copies a program and returns where the copy is. Debian confines named and unbound (AppArmor, by
 * path) to their usual directories; the suite keeps its files in a temporary one.
 */
export async function privateCopy(program: string, directory: string): Promise<string> {
  const copy = join(directory, basename(program));
  await copyFile(program, copy);
  return copy;
}
