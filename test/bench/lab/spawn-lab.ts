import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorldName } from '../worlds/worlds.ts';

const LAB = fileURLToPath(new URL('lean-lab.js', import.meta.url));

/** A running lab. */
export interface LeanLab {
  readonly port: number;
  /** A file with its root servers, in named.root format. */
  readonly hintsFile: string;
  /** A file with the trust anchor of the worlds that are signed. */
  readonly anchorFile: string;
  readonly root: string;
  /** What it has seen since this was last asked. */
  readonly seen: () => Promise<Seen>;
  readonly close: () => void;
}

/** What a lab sees. */
export interface Seen {
  /** Queries that came in. */
  readonly asked: number;
  /** From the first query to the last reply. */
  readonly tookMs: number;
  /** When these were, by the clock of `monotonicMs`. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** Processor time of the lab since its start. */
  readonly cpuMs: number;
  /** By "address name": when it sent the reply, by that clock. */
  readonly moments: Readonly<Record<string, number>>;
}

/** How a lab is started. */
interface LabSetting {
  /** Absent: any port. */
  readonly port?: number;
  /** Whether it keeps when it sent its replies to questions for A records. */
  readonly keeps?: 'moments';
}

/** Starts the servers of a world. Each reply goes out so many milliseconds after its query came. */
export async function spawnLab(
  world: WorldName,
  delayMs: number,
  { port: at, keeps }: LabSetting = {},
): Promise<LeanLab> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const hintsFile = join(folder, 'hints');
  const anchorFile = join(folder, 'anchor');
  const child = fork(LAB, [world, `${delayMs}`, `${at ?? ''}`, keeps ?? '']);
  const died = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`the lab of ${world}: ${code}`)),
  );
  died.catch(() => {});
  const message = async () => (await Promise.race([once(child, 'message'), died]))[0];
  const { port, hints, anchor } = await message();
  writeFileSync(hintsFile, hints);
  writeFileSync(anchorFile, anchor);
  return {
    port,
    hintsFile,
    anchorFile,
    root: / A (\S+)/.exec(hints)?.[1] ?? '',
    seen: () => {
      const answer = message();
      child.send('what have you seen?');
      return answer;
    },
    close: () => {
      child.removeAllListeners('exit');
      child.kill();
      rmSync(folder, { recursive: true });
    },
  };
}
