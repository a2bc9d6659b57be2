import { basename, join } from 'node:path';
import { run } from './daemon.ts';

/**
 * Copies a program and returns where the copy is. Debian confines named and unbound (AppArmor, by
 * path) to their usual directories; the suite keeps its files in a temporary one. Another process copies it: children
 * that begin meanwhile would hold a file that this one writes, and then it cannot be run (ETXTBSY).
 */
export async function privateCopy(program: string, directory: string): Promise<string> {
  const copy = join(directory, basename(program));
  await run({ program: 'cp', args: [program, copy] });
  return copy;
}
