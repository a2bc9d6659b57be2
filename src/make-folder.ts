import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

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
