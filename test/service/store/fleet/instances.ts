import type { Test } from 'tap';
import type { Place } from '../../http-client.ts';
import { type Entry, type Spawned, startServe } from '../../spawned.ts';

/** Where an instance listens; undefined while it is dead. */
export type Spot = Place | undefined;

/** A process that is, or was, an instance. */
export interface Life {
  readonly end: 'killed' | 'none';
  readonly entries: () => readonly Entry[];
}

/** Instances of a service in processes of their own, one of which may be dead at any time. */
export interface Fleet {
  /** Where they are now: to be looked up again for every request. */
  readonly spots: readonly Spot[];
  /** Kills one at once, and starts another in its place. */
  readonly replace: (at: number) => Promise<void>;
  /** All that there were. */
  readonly lives: () => readonly Life[];
}

/** Starts so many instances, which are gone when the test ends. */
export async function startFleet(
  t: Test,
  count: number,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Fleet> {
  const all = await Promise.all(Array.from({ length: count }, () => startServe(t, args, env)));
  const dead: Spawned[] = [];
  const spots: Spot[] = all.map(spotOf);
  return {
    spots,
    replace: async (at) => {
      const one = all[at];
      if (one === undefined) return;
      // Its port may be anybody's from now on.
      spots[at] = undefined;
      one.kill('SIGKILL');
      await one.exit;
      dead.push(one);
      const another = await startServe(t, args, env);
      all[at] = another;
      spots[at] = spotOf(another);
    },
    lives: () => [
      ...dead.map(({ entries }) => ({ end: 'killed', entries }) as const),
      ...all.filter((one) => !dead.includes(one)).map(({ entries }) => ({ end: 'none', entries }) as const),
    ],
  };
}

function spotOf({ host, port }: Spawned): Spot {
  return { host, port };
}
