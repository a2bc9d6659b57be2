import { mkdir } from 'node:fs/promises';
import type { Cleanup } from '../cleanup.ts';
import { type Command, type Daemon, startDaemon } from '../daemon.ts';
import { ask } from '../stub.ts';
import { outcomeOf, provenOutcomeOf } from './outcome.ts';
import type { Place, ResolverSoftware } from './resolver.ts';

/** A question for a resolver. */
export interface Lookup {
  readonly name: string;
  readonly type: string;
}

/**
 * Looks some things up, one after another, and says what came out of each ("servfail", ...). Nothing is
 * in the cache when the first is asked, and what was learnt is when the next one is.
 */
export type Session = (lookups: readonly Lookup[]) => Promise<readonly string[]>;

/** Sets up one resolver that starts each session cold. Ending it is left to `cleanup`. */
export async function coldResolver(
  software: ResolverSoftware,
  place: Place,
  cleanup: Cleanup,
): Promise<Session> {
  await mkdir(place.directory);
  const command = await software.configure(place);
  return software.cold.by === 'restart'
    ? restarting(command, place, cleanup)
    : await flushing(command, place, cleanup, software.cold.flush);
}

function restarting(command: Command, place: Place, cleanup: Cleanup): Session {
  let daemon: Daemon | undefined;
  cleanup.add(async () => await daemon?.kill());
  return async (lookups) => {
    daemon = await startDaemon(command, place.directory);
    const outcomes = await lookUpAll(lookups, place, daemon);
    await daemon.kill();
    return outcomes;
  };
}

async function flushing(
  command: Command,
  place: Place,
  cleanup: Cleanup,
  flush: (place: Place) => Promise<void>,
): Promise<Session> {
  const daemon = await startDaemon(command, place.directory);
  cleanup.add(daemon.kill);
  // It is up when it has answered something.
  await lookUp({ name: '.', type: 'NS' }, place, daemon);
  return async (lookups) => {
    await flush(place);
    return await lookUpAll(lookups, place, daemon);
  };
}

async function lookUpAll(
  lookups: readonly Lookup[],
  place: Place,
  daemon: Daemon,
): Promise<readonly string[]> {
  const outcomes: string[] = [];
  for (const lookup of lookups) outcomes.push(await lookUp(lookup, place, daemon));
  return outcomes;
}

async function lookUp({ name, type }: Lookup, place: Place, daemon: Daemon): Promise<string> {
  try {
    if (place.trustAnchors === undefined) return outcomeOf(await ask(place.address, name, type), type);
    return provenOutcomeOf(await ask(place.address, name, type, ['rd', 'ad']), type);
  } finally {
    await daemon.assertRunning();
  }
}
