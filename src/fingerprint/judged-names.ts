import type { Recording } from '../explore/recording.ts';
import type { ServerNames } from '../explore/server-names.ts';
import type { Name } from '../wire/name.ts';

/** All names of a server that has more than are shown; unknown if they are too many to keep. */
export type AllNames = readonly Name[] | 'unknown';

/** How many names are kept for one traversal: some megabytes, if they are as long as can be. */
const MOST_KEPT = 10_000;

/** By address, all names of those servers that a traversal asked and that have more than are shown. */
export function namesOfMany({ exchanges }: Recording, names: ServerNames): ReadonlyMap<string, AllNames> {
  const found = new Map<string, AllNames>();
  let room = MOST_KEPT;
  for (const { address } of exchanges.values()) {
    const all = found.has(address) ? undefined : names.ofMany(address);
    if (all === undefined) continue;
    found.set(address, all.size <= room ? [...all] : 'unknown');
    room = Math.max(0, room - all.size);
  }
  return found;
}
