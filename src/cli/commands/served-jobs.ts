import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../base/files.ts';
import { keysOf, LIMITS } from '../../base/limits.ts';
import type { Pace } from '../../exchange/pacer.ts';
import { JobDirectory } from '../../service/jobs/job-directory.ts';
import { LocalJobs } from '../../service/jobs/local-jobs.ts';
import type { JobPersistence } from '../../service/jobs/persistence.ts';
import type { Log } from '../../service/log.ts';
import type { ServiceSurroundings } from '../../service/service.ts';
import type { ServiceSettings } from '../../service/settings.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { notDone, reason, usageError } from '../process/errors.ts';
import { type Locked, lockFile } from '../process/file-lock.ts';
import type { Io } from '../process/io.ts';

/** Where a service keeps its jobs, and what comes with that. */
export interface ServedJobs {
  /** What the service is to be started with. */
  readonly around: Pick<ServiceSurroundings, 'createJobs' | 'limiter' | 'metrics'>;
  /** What it may send to name servers; absent: as if it were alone. */
  readonly allowances?: NonNullable<Pace['allowances']>;
  /** Lets go of it, once the service has ended. */
  readonly release: () => Promise<void>;
}

interface HomeContext {
  readonly settings: Pick<
    ServiceSettings,
    'rateLimit' | 'region' | 'maxRetainedBytes' | 'historyMs' | 'maxHistoryBytes'
  >;
  readonly log: Log;
  readonly io: Io;
}

type HomeFlags = Pick<ServeFlags, 'state' | 'store' | keyof typeof KEEPING>;

/** The options that say for how long ended jobs are kept, by where that is. */
const KEEPING = {
  retainMs: 'here',
  maxRetained: 'here',
  maxRetainedMiB: 'here',
  historyMs: 'store',
  maxHistoryGiB: 'store',
} as const;

/** Throws a `CommandError` for an option that would change nothing. */
function checkKeeping(flags: HomeFlags, home: 'here' | 'store'): void {
  for (const name of keysOf(KEEPING)) {
    if (flags[name] === undefined || KEEPING[name] === home) continue;
    const { flag } = LIMITS[name];
    throw usageError(
      home === 'store'
        ? `${flag}: a store keeps ended jobs as --history and --history-gib say; leave it out`
        : `${flag}: is for jobs in a store (--store); without a store use --retain`,
    );
  }
}

/** Opens the home that flags and environment name. Throws a `CommandError` if that cannot be. */
export async function openServedJobs(
  flags: HomeFlags,
  { settings, log, io }: HomeContext,
): Promise<ServedJobs> {
  const { state, store } = flags;
  const { SERVICE_STORE: named = '' } = io.env;
  const url = store ?? (named === '' ? undefined : named);
  checkKeeping(flags, url === undefined ? 'here' : 'store');
  if (url !== undefined && state !== undefined)
    throw usageError(
      'jobs are either in a directory or in a store: leave out --state, or --store and SERVICE_STORE',
    );
  if (url !== undefined) return await openShared(url, settings, log);
  if (state === undefined) return { around: {}, release: () => Promise.resolve() };
  const { keeper, release } = await openState(state, settings, log);
  return {
    around: { createJobs: (jobSettings, around) => new LocalJobs(jobSettings, around, keeper) },
    release,
  };
}

/** Connects to the store that a URL names. Throws a `CommandError` if that fails; its message has no credentials. */
async function openShared(url: string, settings: HomeContext['settings'], log: Log): Promise<ServedJobs> {
  const { openStore } = await loadStore();
  const opened = await openStore(url, settings, log);
  switch (opened.kind) {
    case 'invalid':
      throw notDone(`the URL of the store ${opened.reason}`);
    case 'refused':
      throw notDone(opened.reason);
    case 'open': {
      const { createJobs, limiter, metrics, allowances, close } = opened.store;
      return { around: { createJobs, limiter, metrics }, allowances, release: close };
    }
  }
}

/** What speaks to a store is loaded only by those that have one, for the package behind it is optional. */
async function loadStore() {
  try {
    return await import('../../service/store/open-store.ts');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && isMissing(error.code))) throw error;
    throw notDone('a store needs a package that is not installed: npm install pg');
  }
}

/** What `import` and `require` say, for the built program uses both. */
function isMissing(code: unknown): boolean {
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}

/** The directory that a service keeps its jobs in, which it has to itself. */
interface ServeState {
  readonly keeper: JobPersistence;
  /** Lets another service have it. */
  readonly release: () => Promise<void>;
}

/** Nobody else may read what clients ask. */
const MODE = 0o700;

/** Makes the directory, if there is none, and takes it. Throws a `CommandError` if that fails. */
async function openState(
  path: string,
  settings: Pick<ServiceSettings, 'maxRetainedBytes'>,
  log: Log,
): Promise<ServeState> {
  const folder = join(path, 'jobs');
  const locked = await lock(path, folder).catch((error: unknown) => {
    throw notDone(`cannot keep jobs in ${path}: ${whyNot(error)}`);
  });
  if (locked.kind === 'no-file')
    throw notDone(`cannot keep jobs in ${path}: ${locked.lock} is not a regular file: remove it`);
  if (locked.kind === 'held') {
    const by = locked.holder === undefined ? '' : ` (process ${locked.holder.pid} on ${locked.holder.host})`;
    throw notDone(`cannot keep jobs in ${path}: another service${by} does; give each a directory of its own`);
  }
  const keeper = new JobDirectory(folder, settings, log);
  const release = async () => {
    await keeper.settled();
    await locked.release();
  };
  return { keeper, release };
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
