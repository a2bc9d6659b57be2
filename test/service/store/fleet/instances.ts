import type { Test } from 'tap';
import type { Place } from '../../http-client.ts';
import { type Spawned, startServe } from '../../spawned.ts';

/** Instances of a service in processes of their own, one of which may be dead at any time. */
export interface Fleet {
  /** Where they are, dead or alive. */
  readonly places: readonly Place[];
  /** Kills one at once, and starts it again at the same place. */
  readonly restart: (at: number) => Promise<void>;
  /** Every line that any of them logged. */
  readonly lines: () => readonly string[];
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
  return {
    places: all.map(({ host, port }) => ({ host, port })),
    restart: async (at) => {
      const one = all[at];
      if (one === undefined) return;
      one.kill('SIGKILL');
      await one.exit;
      dead.push(one);
      all[at] = await startServe(t, [...args, '--listen', `${one.host}:${one.port}`], env);
    },
    lines: () => [...dead, ...all].flatMap(({ lines }) => lines),
  };
}
