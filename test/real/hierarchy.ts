import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { configureServer } from './configure-server.ts';
import { addAddresses, all, type Cleanup, type Daemon, startDaemon } from './daemon.ts';
import { askOnce } from './stub.ts';
import { address, type NameServer, type Zone } from './world/zone.ts';

const startMs = 120_000;

/** Name servers, and the root hints that lead to them. */
export interface Hierarchy {
  readonly nameServers: readonly NameServer[];
  /** A root hints file's text. */
  readonly rootHints: string;
}

/**
 * Starts every name server, and the one that never answers; resolves, with the path of the root
 * hints file, when each serves its zones. Stopping them is left to `cleanup`.
 */
export async function startHierarchy(
  { nameServers, rootHints }: Hierarchy,
  directory: string,
  cleanup: Cleanup,
): Promise<string> {
  const hints = join(directory, 'root.hints');
  await writeFile(hints, rootHints);
  const bind = nameServers.filter((server) => server.software === 'bind');
  cleanup.add(await addAddresses(bind.map((server) => server.address)));
  cleanup.add(await startSilentServer());
  await all(nameServers.map((server) => startServer(server, directory, cleanup)));
  return hints;
}

/** A server that takes every query and answers none. */
async function startSilentServer(): Promise<() => Promise<void>> {
  const socket = createSocket('udp4').bind(53, address.silent);
  await once(socket, 'listening');
  return async () => {
    socket.close();
    await once(socket, 'close');
  };
}

async function startServer(server: NameServer, parent: string, cleanup: Cleanup): Promise<void> {
  const directory = join(parent, `${server.software}-${server.address}`);
  await mkdir(directory);
  const daemon = await startDaemon(await configureServer(server, directory), directory);
  cleanup.add(daemon.stop);
  for (const zone of server.zones) await waitUntilServed(zone, server, daemon);
}

/** Most listen before they have read their zones: until then they refuse or fail. */
async function waitUntilServed(zone: Zone, server: NameServer, daemon: Daemon): Promise<void> {
  const deadline = Date.now() + startMs;
  const expected = zone.kind === 'loaded' ? 'NOERROR' : 'SERVFAIL';
  for (;;) {
    const heard = await askOnce(server.address, zone.origin, 'SOA', 1000);
    if (typeof heard === 'object' && heard.rcode === expected) return;
    await daemon.assertRunning();
    if (Date.now() > deadline) throw new Error(`${server.software} does not serve ${zone.origin}`);
    await delay(10);
  }
}
