import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DirectoryStore } from '../../service/directory/directory-store.ts';
import type { JobStore } from '../../service/jobs/job-store.ts';
import type { Log } from '../../service/log.ts';
import type { ServiceSettings } from '../../service/settings.ts';
import { notDone } from '../process/command-error.ts';
import { type Locked, lockFile } from '../process/file-lock.ts';
import { reason } from '../process/system-error.ts';

/** The directory that a service keeps its jobs in, which it has to itself. */
export interface ServeState {
  readonly store: JobStore;
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
  const locked = await lock(path).catch((error: unknown) => {
    throw notDone(`cannot keep jobs in ${path}: ${reason(error)}`);
  });
  if (locked.kind === 'held') {
    const by = locked.holder === undefined ? '' : ` (process ${locked.holder.pid} on ${locked.holder.host})`;
    throw notDone(`cannot keep jobs in ${path}: another service${by} does; give each a directory of its own`);
  }
  return { store: new DirectoryStore(path, settings, log), release: locked.release };
}

async function lock(path: string): Promise<Locked> {
  await mkdir(path, { recursive: true, mode: MODE });
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  return await lockFile(join(path, 'service'));
}
