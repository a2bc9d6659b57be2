import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { Cleanup } from './cleanup.ts';
import { startHierarchy } from './hierarchy.ts';
import { rootHints } from './world/registries.ts';
import { nameServers } from './world/servers.ts';

/** A hierarchy that runs until the test ends, and where those that use it may put their files. */
export interface Setting {
  readonly rootHints: string;
  /** A file with the root's DS or DNSKEY records; absent if nothing is signed. */
  readonly trustAnchors?: string | undefined;
  readonly directory: string;
  readonly cleanup: Cleanup;
}

/** Starts the hierarchy in which nothing is signed for this test. */
export async function settingFor(t: Test): Promise<Setting> {
  const { directory, cleanup } = await placeFor(t);
  const hierarchy = { nameServers, rootHints };
  return { rootHints: await startHierarchy(hierarchy, directory, cleanup), directory, cleanup };
}

/** Where a test may put its files, and what is to be undone at its end. */
export async function placeFor(t: Test): Promise<Pick<Setting, 'directory' | 'cleanup'>> {
  const cleanup = new Cleanup();
  const directory = await mkdtemp(join(tmpdir(), 'svc-real-'));
  cleanup.add(() => rm(directory, { recursive: true }));
  t.teardown(() => cleanup.run());
  return { directory, cleanup };
}
