import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { encodeQuery } from '../../../src/dns/encode.ts';
import { parseName } from '../../../src/dns/name.ts';
import type { LeanLab } from './spawn-lab.ts';

const BARE = fileURLToPath(new URL('bare-asker.js', import.meta.url));

/** How often a bare loop asks. */
interface Asking {
  readonly times: number;
  readonly atOnce: number;
}

/** What bare Node takes for so many exchanges with the lab, in milliseconds. */
export function bareTime({ root, port }: LeanLab, name: string, { times, atOnce }: Asking): Bare {
  const query = encodeQuery({ id: 1, nameAsSent: parseName(name), type: 'A' });
  const hex = Buffer.from(query).toString('hex');
  const ran = spawnSync(process.execPath, [BARE, root, `${port}`, hex, `${times}`, `${atOnce}`]);
  if (ran.status !== 0) throw new Error(`bare asking: ${ran.stderr}`);
  return JSON.parse(ran.stdout.toString());
}

/** What the loop took, without the start of Node. */
interface Bare {
  readonly tookMs: number;
  readonly cpuMs: number;
}
