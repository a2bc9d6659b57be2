import { mkdir } from 'node:fs/promises';
import type { Message } from '../../src/dns/message.ts';
import { type Cleanup, type Command, type Daemon, startDaemon } from './daemon.ts';
import type { Place, ResolverSoftware } from './resolvers.ts';
import { ask } from './stub.ts';
import type { ExpectedViews } from './world/expectation.ts';

/** A question for a resolver. */
export interface Lookup {
  readonly name: string;
  readonly type: string;
}

/**
 * Looks some things up, one after another, and says what came out of each ("servfail", ...). Nothing is
 * in the cache when the first is asked, and what was learnt is when the next one is.
 */
type Session = (lookups: readonly Lookup[]) => Promise<readonly string[]>;

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

/**
 * What a user of a resolver gets, in the words of the expected ends: "answer 192.0.2.1 192.0.2.2",
 * "nxdomain", "nodata", or "servfail" for every error and for no reply at all.
 */
function outcomeOf(reply: Message | undefined, type: string): string {
  if (reply?.rcode === 'NXDOMAIN') return 'nxdomain';
  if (reply?.rcode !== 'NOERROR') return 'servfail';
  const data = reply.answer.filter((record) => record.type === type).map((record) => record.data);
  return data.length > 0 ? `answer ${data.sort().join(' ')}` : 'nodata';
}

/** The same with what a resolver that validates says of it in the AD bit: "secure nxdomain", "insecure nodata". */
function provenOutcomeOf(reply: Message | undefined, type: string): string {
  const outcome = outcomeOf(reply, type);
  if (outcome === 'servfail') return outcome;
  return `${reply?.flags.includes('ad') ? 'secure' : 'insecure'} ${outcome}`;
}

/** What users can get in the resolver view, in the same words: they do not see which server answered. */
export function userOutcomes({ resolver }: ExpectedViews): ReadonlySet<string> {
  return new Set(resolver.map(([, what]) => what));
}
