/**
 * The lab: a small internet on loopback addresses, for the demo and the tests.
 *
 * `world` reads servers with their zone files. A query arrives at a socket (`listen`, `open`) and becomes a `reaction`:
 * `reply` puts the answer together, as an authoritative server does and with what `signing/` signs, then `faults` and
 * `misbehave` spoil, delay or withhold it. `demo/` is the world of `--demo`.
 */
import { getOrMake } from '../base/memo.ts';
import type { Name } from '../dns/name.ts';
import type { Endpoint } from '../exchange/attempt.ts';
import {
  type Count,
  type CountFilter,
  Counts,
  type HearQuery,
  type OpenAddress,
  openElsewhere,
  openServers,
} from './open.ts';
import { readWorld, rootServers, type ServerSpec, serverReader, type World } from './world.ts';

/** A running world. Its functions need no `this`. */
export interface Lab {
  /** The port shared by all servers that are bound to their own loopback address. */
  readonly port: number;
  /**
   * Where packets for a server's address go on this host; undefined for an address that no server
   * has. Fits an exchange's `route`.
   */
  readonly route: (address: string) => { readonly address: string; readonly port: number } | undefined;
  /** All that `route` knows. */
  readonly endpoints: ReadonlyMap<string, { readonly address: string; readonly port: number }>;
  /** The servers of the root zone and their addresses. */
  readonly roots: readonly { readonly name: Name; readonly addresses: readonly string[] }[];
  /** The same in named.root format. */
  readonly hints: string;
  /** How many queries came in that match every member of the filter. */
  readonly asked: (filter?: CountFilter) => number;
  /** The same for each distinct query, in the order in which they first came. */
  readonly counts: (filter?: CountFilter) => readonly Count[];
  /** Closes every socket and cancels what was still to be sent. May be called again. */
  readonly close: () => Promise<void>;
}

/** How a lab is started. */
export interface LabOptions {
  /** The port of the servers on loopback addresses; absent: a free one. */
  readonly port?: number;
  /** Which addresses this host has; absent: those of loopback. */
  readonly isHere?: (address: string) => boolean;
  readonly hear?: HearQuery;
}

/**
 * Starts the servers of a world, each on UDP and TCP. Rejects with WorldError, ZoneFileError or
 * NameError if the world is wrong, and with the system's error if a port is not available.
 *
 * Servers with loopback addresses are bound to them, all at one port. Any other address, and a
 * loopback address that this host does not have (macOS has 127.0.0.1 only), gets a port of its own on
 * 127.0.0.1. So a lab needs neither IPv6 nor a network; `route` knows all addresses.
 *
 * ```ts
 * const lab = await startLab({
 *   servers: [
 *     { name: 'a.root.', addresses: ['127.0.10.1'], zones: [zoneText('.', `
 *         @                NS    a.root.
 *         a.root.          A     127.0.10.1
 *         example          NS    ns1.example.
 *         example          NS    ns2.example.
 *         ns1.example      A     127.0.10.2
 *         ns2.example      A     127.0.10.3
 *     `)] },
 *     { name: 'ns1.example.', addresses: ['127.0.10.2', '2001:db8::2'], version: 'BIND 9.18',
 *       zones: [zoneText('example.', `
 *         @    NS  ns1
 *         @    NS  ns2
 *         ns1  A   127.0.10.2
 *         ns2  A   127.0.10.3
 *         www  A   203.0.113.80
 *     `)] },
 *     { name: 'ns2.example.', addresses: ['127.0.10.3'], faults: [
 *         { kind: 'rcode', rcode: 'REFUSED' },
 *         { kind: 'latency', ms: 20, only: { transport: 'udp' } },
 *     ] },
 *   ],
 * });
 * t.teardown(lab.close);
 * lab.route('127.0.10.3'); // { address: '127.0.10.3', port: 23456 }
 * lab.asked({ server: 'ns1.example.', name: 'www.example.', type: 'A' }); // 0
 * ```
 */
export async function startLab(world: World, options: LabOptions = {}): Promise<Lab> {
  const servers = readWorld(world);
  const counts = new Counts(options.hear);
  const { port, addresses } = await openServers(servers, counts, options);
  const endpoints = new Map(addresses.map(({ address, endpoint }) => [address, endpoint]));
  let closed: Promise<unknown> | undefined;
  const roots = rootServers(servers);
  return {
    port,
    route: (address) => endpoints.get(address),
    endpoints,
    roots,
    hints: hintsText(roots),
    asked: (filter) => counts.list(filter).reduce((sum, { count }) => sum + count, 0),
    counts: (filter) => counts.list(filter),
    close: () => {
      closed ??= Promise.all(addresses.map((open) => open.close()));
      return closed.then(() => {});
    },
  };
}

/** Root servers in named.root format. */
function hintsText(roots: Lab['roots']): string {
  const lines = roots.flatMap(({ name, addresses }) => [
    `. 3600000 NS ${name}`,
    ...addresses.map((address) => `${name} 3600000 ${address.includes(':') ? 'AAAA' : 'A'} ${address}`),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

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
