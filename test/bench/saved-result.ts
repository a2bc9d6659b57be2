import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnLab } from './lab/spawn-lab.ts';
import { labFlags, type Program, tryNode } from './program.ts';
import { WORLDS, type WorldName } from './worlds/worlds.ts';

/** A file with a result as JSON, which is removed after use. */
export interface SavedResult {
  readonly file: string;
  readonly remove: () => void;
}

/** Has a program traverse a world with these flags and save the result, which may be incomplete. */
export async function savedResult(
  program: Program,
  world: WorldName,
  flags: readonly string[],
): Promise<SavedResult> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const file = join(folder, 'result.json');
  const remove = () => rmSync(folder, { recursive: true });
  const lab = await spawnLab(world, 0);
  try {
    const args = ['traverse', WORLDS[world].ask, ...labFlags(program, lab), ...flags, '--save', file];
    const { status, stderr } = tryNode([program.svc, ...args]);
    if (!existsSync(file)) throw new Error(`${world}: ${status} ${stderr}`);
    return { file, remove };
  } finally {
    lab.close();
  }
}
