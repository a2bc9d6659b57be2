import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** What a process holds. Memory is that behind a garbage collection, but for the resident one. */
export interface Holding {
  readonly rss: number;
  readonly heap: number;
  /** What hangs on objects of the heap. */
  readonly external: number;
  readonly descriptors: number;
  readonly timers: number;
}

/** Asks a process that `spawnService` started. */
export async function holdingOf(child: ChildProcess): Promise<Holding> {
  const answer = once(child, 'message');
  child.send('hold still');
  const [holding] = await answer;
  return holding;
}
