import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { makeServerFolder, runAsServer } from './postgres-programs.ts';

/** A file system for a tablespace, which can be full. */
export interface SmallDisk {
  /** An empty folder of the server's user. */
  readonly folder: string;
  /** From now on it has no room. */
  readonly fill: () => void;
  /** It has room again. */
  readonly empty: () => void;
}

/** Room for an empty database and a few thousand rows. */
const SIZE = '24m';

/** Only root can mount a file system. */
export const mayMount = process.getuid?.() === 0;

/** Mounts one in memory, gone when the test ends. */
export async function mountSmallDisk(t: Pick<Test, 'teardown'>): Promise<SmallDisk> {
  const disk = await makeServerFolder();
  t.teardown(() => rmSync(disk, { recursive: true, force: true }));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=1777`, 'svc-test', disk]);
  // The server may still have files open.
  t.teardown(() => void execFileSync('umount', ['--lazy', disk]));
  const [folder, ballast] = [join(disk, 'space'), join(disk, 'ballast')];
  await runAsServer('mkdir', [folder]);
  return {
    folder,
    fill: () => {
      const { status } = spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4096'], { stdio: 'ignore' });
      if (status === 0) throw new Error('the disk has no end');
    },
    empty: () => rmSync(ballast),
  };
}
