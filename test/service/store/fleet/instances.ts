import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Test } from 'tap';
import type { Place } from '../../http-client.ts';
import { type Link, openLink } from '../../link.ts';
import { type Spawned, startServe } from '../../spawned.ts';
import { type Entry, monotonicNow } from './history.ts';

/** Instances of a service, in processes of their own, each with a link of its own to the store. */
export interface Fleet {
  /** Where they listen now, to be looked up again for every request; undefined: dead. */
  readonly places: readonly (Place | undefined)[];
  /** The way of each to the store, which those that follow it take, too. */
  readonly links: readonly Link[];
  /** Which of them has this name in the history; -1: none any more. */
  readonly indexOf: (name: string) => number;
  /** Kills one at once, and starts another in its place. */
  readonly replace: (at: number) => Promise<void>;
  /** Notes that one is cut off from the store. */
  readonly noteCutOff: (at: number) => void;
  /** Sets the time of day of one an hour ahead or back. */
  readonly setClock: (at: number) => void;
}

/** What a fleet is started with. */
interface FleetSetting {
  readonly count: number;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly store: Place;
  /** The URL of the store, seen through a link at this port. */
  readonly storeUrl: (port: number) => string;
  readonly note: (entry: Entry) => void;
}

const JUMPING_CLOCK = pathToFileURL(fileURLToPath(new URL('jumping-clock.js', import.meta.url))).href;

/** Starts instances, which are gone when the test ends. */
export async function startFleet(t: Pick<Test, 'teardown'>, setting: FleetSetting): Promise<Fleet> {
  const { count, args, store, storeUrl, note } = setting;
  const env = { ...setting.env, NODE_OPTIONS: `--import=${JUMPING_CLOCK}` };
  const links = await Promise.all(Array.from({ length: count }, () => openLink(t, store)));
  let begun = 0;
  const startAt = async (link: Link): Promise<Instance> => {
    begun += 1;
    const name = `instance ${begun}`;
    const all = [...args, '--store', storeUrl(link.port)];
    const spawned = await startServe(t, all, env, (line) => noteLine(line, name, note));
    return { name, spawned };
  };
  const instances = await Promise.all(links.map(startAt));
  const places: (Place | undefined)[] = instances.map(({ spawned }) => placeOf(spawned));
  return {
    places,
    links,
    indexOf: (name) => instances.findIndex((instance) => instance.name === name),
    replace: async (at) => {
      const [instance, link] = [instances[at], links[at]];
      if (instance === undefined || link === undefined) return;
      // Its port may be anybody's from now on.
      places[at] = undefined;
      instance.spawned.kill('SIGKILL');
      await instance.spawned.exit;
      note({ kind: 'loss', at: monotonicNow(), instance: instance.name, how: 'killed' });
      const next = await startAt(link);
      instances[at] = next;
      places[at] = placeOf(next.spawned);
    },
    noteCutOff: (at) => {
      const instance = instances[at];
      if (instance !== undefined)
        note({ kind: 'loss', at: monotonicNow(), instance: instance.name, how: 'cut-off' });
    },
    setClock: (at) => instances[at]?.spawned.kill('SIGUSR2'),
  };
}

interface Instance {
  readonly name: string;
  readonly spawned: Spawned;
}

function placeOf({ host, port }: Spawned): Place {
  return { host, port };
}

/** Notes what a line of an instance's log says of jobs. */
function noteLine(line: string, instance: string, note: (entry: Entry) => void): void {
  // The last words of a process that a bug ends are no entries.
  if (!line.startsWith('{')) return;
  const { message, job, name } = JSON.parse(line);
  const at = monotonicNow();
  if (message === 'job started') note({ kind: 'began', at, instance, job, name });
  if (message === 'job ended') note({ kind: 'ended', at, instance, job });
}
