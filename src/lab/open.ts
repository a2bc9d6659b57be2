/* Starts the servers of the lab on this host's addresses, and counts the queries that they get. */

import { decodeMessage } from '../dns/decode.ts';
import type { Message } from '../dns/message.ts';
import { type Name, parseName } from '../dns/name.ts';
import { DecodeError } from '../dns/reader.ts';
import { isLoopback } from '../dns/special-purpose.ts';
import { errorCode } from '../exchange/attempt.ts';
import type { Transport } from '../exchange/exchanged.ts';
import { isClosed, type Received } from './faults.ts';
import { holdPort, type Listening, listenTcp, listenUdp, type Respond } from './listen.ts';
import { reactionTo, reactionToUndecodable, SILENCE } from './reaction.ts';
import type { Server } from './world.ts';

/**
 * Opens every address of every server, at `port` or, without one, at a random port that is free
 * for all of them. Rejects with the system's error, and then nothing is open.
 */
export async function openServers(
  servers: readonly Server[],
  counts: Counts,
  { port, isHere = isLoopback }: { readonly port?: number; readonly isHere?: (address: string) => boolean },
): Promise<OpenServers> {
  for (let tried = 1; ; tried += 1) {
    const chosen = port ?? LEAST_PORT + Math.floor(Math.random() * (MOST_PORT - LEAST_PORT + 1));
    try {
      return { port: chosen, addresses: await openAll(servers, counts, { port: chosen, isHere }) };
    } catch (error) {
      if (port !== undefined || tried === PORTS_TRIED || !isTaken(error)) throw error;
    }
  }
}

/** A server's address and the sockets that stand for it. */
export interface OpenAddress {
  /** The address in the lab's world. */
  readonly address: string;
  /** Where its packets go on this host. */
  readonly endpoint: { readonly address: string; readonly port: number };
  close(): Promise<void>;
}

/** The open sockets of all servers, and the port of those on their own loopback address. */
interface OpenServers {
  readonly port: number;
  readonly addresses: readonly OpenAddress[];
}

/** Below the ports that systems assign by themselves. */
const LEAST_PORT = 10_000;
const MOST_PORT = 32_767;
const PORTS_TRIED = 20;
const HOST = '127.0.0.1';

async function openAll(
  servers: readonly Server[],
  counts: Counts,
  { port, isHere }: { readonly port: number; readonly isHere: (address: string) => boolean },
): Promise<OpenAddress[]> {
  const opening = servers.flatMap((server) =>
    server.addresses.map((address) => {
      const binding = { server, address, counts, bind: { address, port } };
      return isHere(address) ? openAddress(binding) : openElsewhere(binding);
    }),
  );
  const settled = await Promise.allSettled(opening);
  const open = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed === undefined) return open;
  await Promise.all(open.map((address) => address.close()));
  throw failed.reason;
}

/** Where an address is to be bound on this host. */
interface Binding {
  readonly server: Server;
  readonly address: string;
  /** Port 0: any free one. */
  readonly bind: { readonly address: string; readonly port: number };
  readonly counts: Counts;
}

async function openAddress(binding: Binding): Promise<OpenAddress> {
  try {
    return await openAt(binding);
  } catch (error) {
    if (isAbsent(error)) return openElsewhere(binding);
    throw error;
  }
}

/** Opens an address of a server on the one that every host has, at any port that is free for UDP and TCP. */
export async function openElsewhere(binding: Omit<Binding, 'bind'>): Promise<OpenAddress> {
  const elsewhere = { ...binding, bind: { address: HOST, port: 0 } };
  for (let tried = 1; ; tried += 1) {
    try {
      return await openAt(elsewhere);
    } catch (error) {
      if (tried === PORTS_TRIED || !isTaken(error)) throw error;
    }
  }
}

/** Opens UDP and TCP at one address and one port. Rejects with the system's error, and then nothing is open. */
async function openAt({ server, address, bind, counts }: Binding): Promise<OpenAddress> {
  const respondOver = (transport: Transport) => responder(server, { address, transport }, counts);
  const udp = isClosed(server.faults, 'udp', address)
    ? await holdPort(bind.address, bind.port)
    : await listenUdp(bind.address, bind.port, respondOver('udp'));
  const tcp = isClosed(server.faults, 'tcp', address)
    ? undefined
    : await orClose(listenTcp(bind.address, udp.port, respondOver('tcp')), udp);
  const close = async () => {
    await Promise.all([udp.close(), tcp?.close()]);
  };
  return { address, endpoint: { address: bind.address, port: udp.port }, close };
}

async function orClose<T>(opening: Promise<T>, other: Listening): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    await other.close();
    throw error;
  }
}

/** Whether somebody else has the port, or it is reserved on this host. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && ['EADDRINUSE', 'EACCES'].includes(errorCode(error));
}

/** Whether this host does not have the address, or no IPv6 at all. */
function isAbsent(error: unknown): boolean {
  return error instanceof Error && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(errorCode(error));
}

/** What a server does about the messages that reach one of its addresses over one transport; it counts the queries. */
export function responder(
  server: Server,
  { address, transport }: Pick<Received, 'address' | 'transport'>,
  counts: Counts,
): Respond {
  return (octets) => {
    const query = decoded(octets);
    if (query === undefined) return reactionToUndecodable(octets, transport);
    if (query.flags.includes('qr')) return SILENCE;
    return reactionTo({ query, transport, address, count: count(query) }, server);
  };

  function count(query: Message): number {
    const [question] = query.questions;
    if (question === undefined) return 1;
    const { name, type, class: qclass } = question;
    const { edns } = query;
    return counts.add(
      { server: server.name, address, transport, name, type, class: qclass },
      edns && { edns },
    );
  }
}

function decoded(octets: Uint8Array): Message | undefined {
  try {
    return decodeMessage(octets);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** How often one server address was asked one question over one transport. */
export interface Count {
  readonly server: Name;
  readonly address: string;
  readonly transport: Transport;
  readonly name: Name;
  readonly type: string;
  /** Usually "IN" or "CH". */
  readonly class: string;
  /** Queries, so a retry or a query after truncation counts as well. */
  readonly count: number;
}

/** Which counts to look at: those that match every member given. */
export interface CountFilter {
  readonly server?: string;
  readonly address?: string;
  readonly transport?: Transport;
  readonly name?: string;
  readonly type?: string;
  readonly class?: string;
}

/** Hears of each query as it comes in. */
export type HearQuery = (query: Omit<Count, 'count'> & Pick<Message, 'edns'>) => void;

/** Counts of the queries that came in, one for each distinct query. */
export class Counts {
  readonly #counts = new Map<string, Count>();
  readonly #hear: HearQuery;

  constructor(hear: HearQuery = () => {}) {
    this.#hear = hear;
  }

  /** Counts one, and gives the number of queries like it so far. */
  add(query: Omit<Count, 'count'>, edns: Pick<Message, 'edns'> = {}): number {
    this.#hear({ ...query, ...edns });
    const key = [query.address, query.transport, query.name, query.type, query.class].join(' ');
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, { ...query, count });
    return count;
  }

  /** In the order in which they first came. */
  list(filter: CountFilter = {}): Count[] {
    const server = filter.server === undefined ? undefined : parseName(filter.server);
    const name = filter.name === undefined ? undefined : parseName(filter.name);
    const wanted = Object.entries({ ...filter, server, name }).filter(([, value]) => value !== undefined);
    return [...this.#counts.values()].filter((count) => {
      const actual = new Map<string, unknown>(Object.entries(count));
      return wanted.every(([key, value]) => actual.get(key) === value);
    });
  }
}
