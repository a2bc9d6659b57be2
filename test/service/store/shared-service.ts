import type { Test } from 'tap';
import { DEFAULT_OPTIONS } from '../../../src/base/options.ts';
import { createLog } from '../../../src/service/log.ts';
import { startService } from '../../../src/service/service.ts';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../../../src/service/settings.ts';
import { openStore } from '../../../src/service/store/open-store.ts';
import { createFakeEngine } from '../fake-engine.ts';
import type { RedisServer } from './redis-server.ts';

/**
 * An instance of a service on a store, in the test's own process, gone when the test ends, on a made-up engine. Its
 * clock is the real one, as the store's is.
 */
export async function startInstance(
  t: Pick<Test, 'teardown'>,
  redis: RedisServer,
  settings: Partial<ServiceSettings> = {},
  pace: 'manual' | 'prompt' = 'manual',
) {
  const engine = createFakeEngine(pace);
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), 'json');
  const opened = await openStore(redis.url, DEFAULT_SETTINGS.rateLimit, log);
  if (opened.kind !== 'open') throw new Error(opened.reason);
  const { createJobs, limiter, metrics, close: closeStore } = opened.store;
  const all = { ...DEFAULT_SETTINGS, version: '1.2.3', options: DEFAULT_OPTIONS, port: 0, ...settings };
  const service = await startService(all, { engine, log, createJobs, limiter, metrics });
  let closed: Promise<void> | undefined;
  const close = (graceMs = 0) => {
    closed ??= service.close(graceMs).then(closeStore);
    return closed;
  };
  t.teardown(() => close());
  return { ...service, engine, lines, close };
}
