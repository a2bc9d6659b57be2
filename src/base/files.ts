/* Writes files and folders so that they outlive a power cut. */

import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file whole or not at all, and so that it outlives a power cut. `mode` is for the umask to take
 * from. Rejects with the system's error.
 */
export async function writeWholeFile(
  path: string,
  pieces: Iterable<string | Uint8Array>,
  mode: number,
): Promise<void> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}${UNFINISHED}`;
  try {
    const file = await open(unfinished, 'wx', mode);
    try {
      for (const piece of pieces) await file.writeFile(piece);
      // Some disks are full only now; and after a power cut the new name must not stand for an empty file.
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** What the name of a file ends with until the file is whole. */
export const UNFINISHED = '.part';

/** Only then does the new name outlive a power cut. Where folders cannot be synced, the system does it later. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/**
 * Makes a folder with all that lead to it, as far as there are none. `mode` is for the umask to take from. Rejects with
 * the system's error.
 *
 * Node can do that by itself (`recursive`), but Node 20 never ends where a folder exists and yet takes none, as /proc.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const error = await failure(path, mode);
  if (error === undefined || (await isFolder(path))) return;
  const parent = dirname(path);
  if (error.code !== 'ENOENT' || parent === path) throw error;
  await makeFolder(parent, mode);
  const again = await failure(path, mode);
  // Somebody else may have made it meanwhile.
  if (again !== undefined && !(await isFolder(path))) throw again;
}

async function failure(path: string, mode: number): Promise<NodeJS.ErrnoException | undefined> {
  return await mkdir(path, { mode }).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
