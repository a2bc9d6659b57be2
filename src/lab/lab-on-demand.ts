import type { Endpoint } from '../exchange/attempt.ts';
import { getOrMake } from '../get-or-make.ts';
import { Counts } from './counts.ts';
import { hintsText } from './lab.ts';
import { type OpenAddress, openElsewhere } from './open.ts';
import { rootServers, type ServerSpec, serverReader, type World } from './world.ts';

/** A world whose addresses are started one by one. Its functions need no `this`. */
interface LabOnDemand {
  /** The root servers in named.root format. */
  readonly hints: string;
  /** Starts what stands at an address, unless it has been started. Rejects with the system's error. */
  readonly open: (address: string) => Promise<void>;
  /** Where packets for an address go on this host; undefined for an address that was not started or that no server has. */
  readonly route: (address: string) => Endpoint | undefined;
  /** Closes every socket and cancels what was still to be sent. */
  readonly close: () => Promise<void>;
}

/** Prepares a world. A mistake in a server throws when the server is started. `roots` is the part with the root zone. */
export function labOnDemand(world: World, roots: World): LabOnDemand {
  const specs = new Map(world.servers.flatMap((spec) => spec.addresses.map((address) => [address, spec])));
  const counts = new Counts();
  const read = serverReader(world.signed);
  const servers = new Map<ServerSpec, ReturnType<typeof read>>();
  const opening = new Map<string, Promise<void>>();
  const opened = new Map<string, OpenAddress>();
  const serverOf = (spec: ServerSpec) => getOrMake(servers, spec, () => read(spec));
  const start = async (address: string) => {
    const spec = specs.get(address);
    if (spec === undefined) return;
    const server = serverOf(spec);
    opened.set(address, await openElsewhere({ server, address, counts }));
  };
  return {
    hints: hintsText(rootServers(roots.servers.map(serverOf))),
    open: (address) => getOrMake(opening, address, () => start(address)),
    route: (address) => opened.get(address)?.endpoint,
    close: async () => {
      await Promise.allSettled(opening.values());
      await Promise.all([...opened.values()].map((address) => address.close()));
    },
  };
}
