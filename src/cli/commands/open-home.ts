import { Jobs } from '../../service/jobs/jobs.ts';
import type { Log } from '../../service/log.ts';
import type { ServiceSettings } from '../../service/settings.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { usageError } from '../process/command-error.ts';
import type { Io } from '../process/io.ts';
import type { ServeHome } from './serve-home.ts';
import { openState } from './serve-state.ts';
import { openShared } from './serve-store.ts';

interface HomeContext {
  readonly settings: Pick<ServiceSettings, 'rateLimit' | 'maxRetainedBytes'>;
  readonly log: Log;
  readonly io: Io;
}

/** Opens the home that flags and environment name. Throws a `CommandError` if that cannot be. */
export async function openHome(
  { state, store }: Pick<ServeFlags, 'state' | 'store'>,
  { settings, log, io }: HomeContext,
): Promise<ServeHome> {
  const { SERVICE_STORE: named = '' } = io.env;
  const url = store ?? (named === '' ? undefined : named);
  if (url !== undefined && state !== undefined)
    throw usageError(
      'jobs are either in a directory or in a store: leave out --state, or --store and SERVICE_STORE',
    );
  if (url !== undefined) return await openShared(url, settings, log);
  if (state === undefined) return { around: {}, release: () => Promise.resolve() };
  const { keeper, release } = await openState(state, settings, log);
  return { around: { home: (jobSettings, around) => new Jobs(jobSettings, around, keeper) }, release };
}
