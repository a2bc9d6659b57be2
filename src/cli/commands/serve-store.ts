import type { Log } from '../../service/log.ts';
import type { ServiceSettings } from '../../service/settings.ts';
import { notDone, usageError } from '../process/command-error.ts';
import type { ServeHome } from './serve-home.ts';

/** Connects to the store that a URL names. Throws a `CommandError` if that fails; its message has no credentials. */
export async function openShared(
  url: string,
  { rateLimit }: Pick<ServiceSettings, 'rateLimit'>,
  log: Log,
): Promise<ServeHome> {
  const { openStore } = await loadStore();
  const opened = await openStore(url, rateLimit, log);
  switch (opened.kind) {
    case 'invalid':
      throw usageError(`the URL of the store ${opened.reason}`);
    case 'refused':
      throw notDone(opened.reason);
    case 'open': {
      const { home, limiter, metrics, allowances, close } = opened.store;
      return { around: { home, limiter, metrics }, allowances, release: () => Promise.resolve(close()) };
    }
  }
}

/** What speaks to a store is loaded only by those that have one, for the packages behind it are optional. */
async function loadStore() {
  try {
    return await import('../../service/store/open-store.ts');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && isMissing(error.code))) throw error;
    throw notDone('a store needs two packages that are not installed: npm install bullmq ioredis');
  }
}

/** What `import` and `require` say, for the built program uses both. */
function isMissing(code: unknown): boolean {
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}
