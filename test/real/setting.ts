import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { Cleanup } from './cleanup.ts';
import { startHierarchy } from './hierarchy.ts';

/** A hierarchy that runs until the test ends, and where those that use it may put their files. */
export interface Setting {
  readonly rootHints: string;
  readonly directory: string;
  readonly cleanup: Cleanup;
}

/** Starts the hierarchy for this test. */
export async function settingFor(t: Test): Promise<Setting> {
  const cleanup = new Cleanup();
  const directory = await mkdtemp(join(tmpdir(), 'svc-real-'));
  cleanup.add(() => rm(directory, { recursive: true }));
  t.teardown(() => cleanup.run());
  return { rootHints: await startHierarchy(directory, cleanup), directory, cleanup };
}
