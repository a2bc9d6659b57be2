import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { object } from '../../shape/object.ts';
import type { Of } from '../../shape/shape.ts';
import { integer, TEXT } from '../../shape/values.ts';

/** A process that holds a lock. `began` tells it from a later one of the same number; empty where that is not known. */
export const HOLDER = object({ pid: integer(1, 2 ** 31 - 1), host: TEXT, began: TEXT });

/** A process that holds a lock. */
export type Holder = Of<typeof HOLDER>;

/** This process. */
export async function thisProcess(): Promise<Holder> {
  return { pid: process.pid, host: hostname(), began: (await stateOf(process.pid))[1] };
}

/** Whether a process of this host is still there. */
export async function isRunning({ pid, began }: Holder): Promise<boolean> {
  if (!exists(pid)) return false;
  const [state, now] = await stateOf(pid);
  if (state === ZOMBIE) return false;
  return now === '' || began === '' || now === began;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, but is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** What a process does, and when it began in clock ticks since the host did (proc_pid_stat(5)); empty where there is no /proc. */
async function stateOf(pid: number): Promise<readonly [state: string, began: string]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The name of the program, in parentheses, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [fields[0] ?? '', fields[BEGAN] ?? ''];
}

/** It has ended, but its parent has not looked yet; in a container that can be for ever. */
const ZOMBIE = 'Z';

/** The field after the name is the third of the page. */
const BEGAN = 22 - 3;
