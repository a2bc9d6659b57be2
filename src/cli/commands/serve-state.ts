import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../make-folder.ts';
import { DirectoryKeeper } from '../../service/directory/directory-keeper.ts';
import type { JobKeeper } from '../../service/jobs/job-keeper.ts';
import type { Log } from '../../service/log.ts';
import type { ServiceSettings } from '../../service/settings.ts';
import { notDone } from '../process/command-error.ts';
import { type Locked, lockFile } from '../process/file-lock.ts';
import { reason } from '../process/system-error.ts';

/** The directory that a service keeps its jobs in, which it has to itself. */
interface ServeState {
  readonly keeper: JobKeeper;
  /** Lets another service have it. */
  readonly release: () => Promise<void>;
}

/** Nobody else may read what clients ask. */
const MODE = 0o700;

/** Makes the directory, if there is none, and takes it. Throws a `CommandError` if that fails. */
export async function openState(
  path: string,
  settings: Pick<ServiceSettings, 'maxRetainedBytes'>,
  log: Log,
): Promise<ServeState> {
  const folder = join(path, 'jobs');
  const locked = await lock(path, folder).catch((error: unknown) => {
    throw notDone(`cannot keep jobs in ${path}: ${whyNot(error)}`);
  });
  if (locked.kind === 'held') {
    const by = locked.holder === undefined ? '' : ` (process ${locked.holder.pid} on ${locked.holder.host})`;
    throw notDone(`cannot keep jobs in ${path}: another service${by} does; give each a directory of its own`);
  }
  return { keeper: new DirectoryKeeper(folder, settings, log), release: locked.release };
}

/** The directory may be one that others can read, and the names of files tell identifiers, so these have a folder of their own. */
async function lock(path: string, folder: string): Promise<Locked> {
  await makeFolder(folder, MODE);
  for (const one of [path, folder]) await access(one, constants.R_OK | constants.W_OK | constants.X_OK);
  return await lockFile(join(path, 'service'));
}

function whyNot(error: unknown): string {
  const isFile = error instanceof Error && 'code' in error && ['EEXIST', 'ENOTDIR'].includes(`${error.code}`);
  return isFile ? 'it is not a directory' : reason(error);
}
