import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What the name of a file ends with until the file is whole. */
export const UNFINISHED = '.part';

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

/** Only then does the new name outlive a power cut. Where folders cannot be synced, the system does it later. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
