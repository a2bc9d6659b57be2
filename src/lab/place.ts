import { errorCode } from '../exchange/attempt.ts';
import type { Counts } from './counts.ts';
import { isClosed, type Transport } from './faults.ts';
import { holdPort, type Listening, listenTcp, listenUdp } from './listen.ts';
import { responder } from './respond.ts';
import type { Server } from './world.ts';

/** A server's address and the sockets that stand for it. */
export interface Place {
  /** The address in the lab's world. */
  readonly address: string;
  /** Where its packets go on this host. */
  readonly endpoint: { readonly address: string; readonly port: number };
  close(): Promise<void>;
}

/** Where an address is to be bound on this host; port 0: to any free one. */
export interface Site {
  readonly server: Server;
  readonly address: string;
  readonly bind: { readonly address: string; readonly port: number };
  readonly counts: Counts;
}

/** Opens UDP and TCP at one address and one port. Rejects with the system's error, and then nothing is open. */
export async function openPlace(site: Site): Promise<Place> {
  const { server, address, bind } = site;
  const listen = (transport: Transport) => responder(server, address, transport, site.counts);
  const udp = isClosed(server.faults, 'udp', address)
    ? await holdPort(bind.address, bind.port)
    : await listenUdp(bind.address, bind.port, listen('udp'));
  const tcp = isClosed(server.faults, 'tcp', address)
    ? undefined
    : await orClose(listenTcp(bind.address, udp.port, listen('tcp')), udp);
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

/** Whether the port is another's, or reserved on this host. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && ['EADDRINUSE', 'EACCES'].includes(errorCode(error));
}

/** Whether this host does not have the address, or no IPv6 at all. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(errorCode(error));
}
