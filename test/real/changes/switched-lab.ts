import { decodeMessage } from '../../../src/dns/decode.ts';
import { DecodeError } from '../../../src/dns/reader.ts';
import { type Listening, listenTcp, listenUdp, type Respond } from '../../../src/lab/listen.ts';
import { Counts, responder } from '../../../src/lab/open.ts';
import { SILENCE } from '../../../src/lab/reaction.ts';
import { readWorld, type World } from '../../../src/lab/world.ts';
import { all, type Cleanup } from '../daemon.ts';

/** The servers of two worlds at port 53: each zone below "test." is of one world until it is of the other. */
interface SwitchedLab {
  /** From now on the zones with these labels, and what is said of them, are those of the second world. */
  readonly change: (labels: readonly string[]) => void;
}

/** Starts all servers, as in the first world. Closing them is left to `cleanup`. */
export async function startSwitchedLab(
  [before, after]: readonly [World, World],
  cleanup: Cleanup,
): Promise<SwitchedLab> {
  const [old, changed] = [respondersOf(before), respondersOf(after)];
  const labels = new Set<string>();
  const listening: Listening[] = [];
  cleanup.add(async () => {
    await all(listening.map((one) => one.close()));
  });
  for (const key of new Set([...old.keys(), ...changed.keys()])) {
    const [address = '', transport] = key.split(' ');
    const respond: Respond = (octets) => {
      const world = labels.has(labelIn(octets)) ? changed : old;
      return world.get(key)?.(octets) ?? SILENCE;
    };
    listening.push(await (transport === 'udp' ? listenUdp : listenTcp)(address, PORT, respond));
  }
  return {
    change: (some) => {
      for (const label of some) labels.add(label);
    },
  };
}

const PORT = 53;

/** What each address does about messages over each transport, by "ADDRESS TRANSPORT". */
function respondersOf(world: World): ReadonlyMap<string, Respond> {
  const counts = new Counts();
  return new Map(
    readWorld(world).flatMap((server) =>
      server.addresses.flatMap((address) =>
        (['udp', 'tcp'] as const).map(
          (transport) =>
            [`${address} ${transport}`, responder(server, { address, transport }, counts)] as const,
        ),
      ),
    ),
  );
}

/** The label of the zone below "test." or "host." that a query is about. */
function labelIn(octets: Uint8Array): string {
  try {
    const [question] = decodeMessage(octets).questions;
    return question?.name.toLowerCase().split('.').at(-3) ?? '';
  } catch (error) {
    if (error instanceof DecodeError) return '';
    throw error;
  }
}
