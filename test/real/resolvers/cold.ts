import { mkdir } from 'node:fs/promises';
import type { Cleanup } from '../cleanup.ts';
import { type Command, type Daemon, startDaemon } from '../daemon.ts';
import { ask } from '../stub.ts';
import { outcomeOf } from './outcome.ts';
import type { Place, ResolverSoftware } from './resolver.ts';

/** A question for a resolver. */
export interface Lookup {
  readonly name: string;
  readonly type: string;
}

/** Looks something up with nothing in the cache, and says what came out ("servfail", ...). */
export type ColdLookup = (lookup: Lookup) => Promise<string>;

/** Sets up one resolver that is cold for each lookup. Ending it is left to `cleanup`. */
export async function coldResolver(
  software: ResolverSoftware,
  place: Place,
  cleanup: Cleanup,
): Promise<ColdLookup> {
  await mkdir(place.directory);
  const command = await software.configure(place);
  return software.cold.by === 'restart'
    ? restarting(command, place, cleanup)
    : await flushing(command, place, cleanup, software.cold.flush);
}

function restarting(command: Command, place: Place, cleanup: Cleanup): ColdLookup {
  let daemon: Daemon | undefined;
  cleanup.add(async () => await daemon?.kill());
  return async (lookup) => {
    daemon = await startDaemon(command, place.directory);
    const outcome = await lookUp(lookup, place, daemon);
    await daemon.kill();
    return outcome;
  };
}

async function flushing(
  command: Command,
  place: Place,
  cleanup: Cleanup,
  flush: (place: Place) => Promise<void>,
): Promise<ColdLookup> {
  const daemon = await startDaemon(command, place.directory);
  cleanup.add(daemon.kill);
  // It is up when it has answered something.
  await lookUp({ name: '.', type: 'NS' }, place, daemon);
  return async (lookup) => {
    await flush(place);
    return await lookUp(lookup, place, daemon);
  };
}

async function lookUp({ name, type }: Lookup, place: Place, daemon: Daemon): Promise<string> {
  try {
    return outcomeOf(await ask(place.address, name, type), type);
  } finally {
    await daemon.assertRunning();
  }
}
