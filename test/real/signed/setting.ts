import { join } from 'node:path';
import type { Test } from 'tap';
import { startHierarchy } from '../hierarchy.ts';
import { placeFor, type Setting } from '../setting.ts';
import { buildHierarchy } from './build.ts';
import type { World } from './world/world.ts';

/** What the suite does not do without: a hierarchy that runs until the test ends, and its root's keys. */
export type SignedSetting = Setting & Required<Pick<Setting, 'trustAnchors'>>;

/** Signs these worlds, and starts their servers for this test. */
export async function signedSettingFor(t: Test, worlds: readonly World[]): Promise<SignedSetting> {
  const { directory, cleanup } = await placeFor(t);
  const zones = worlds.flatMap((world) => world.zones);
  const hierarchy = await buildHierarchy(zones, join(directory, 'keys'));
  const { trustAnchors } = hierarchy;
  return {
    rootHints: await startHierarchy(hierarchy, directory, cleanup),
    trustAnchors,
    directory,
    cleanup,
  };
}
