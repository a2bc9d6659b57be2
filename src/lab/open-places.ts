import { isLoopback } from '../wire/special-purpose.ts';
import type { Counts } from './counts.ts';
import { isAbsent, isTaken, openPlace, type Place, type Site } from './place.ts';
import type { Server } from './world.ts';

/** Below the ports that systems hand out on their own. */
const LEAST_PORT = 10_000;
const MOST_PORT = 32_767;
const PORTS_TRIED = 20;
const HOST = '127.0.0.1';

/** The open sockets of all servers, and the port of those on their own loopback address. */
export interface Places {
  readonly port: number;
  readonly places: readonly Place[];
}

/**
 * Opens every address of every server, at `port` or, without one, at a random port that is free
 * for all of them. Rejects with the system's error, and then nothing is open.
 */
export async function openPlaces(servers: readonly Server[], counts: Counts, port?: number): Promise<Places> {
  for (let tried = 1; ; tried += 1) {
    const chosen = port ?? randomPort();
    try {
      return { port: chosen, places: await openAll(servers, counts, chosen) };
    } catch (error) {
      if (port !== undefined || tried === PORTS_TRIED || !isTaken(error)) throw error;
    }
  }
}

function randomPort(): number {
  return LEAST_PORT + Math.floor(Math.random() * (MOST_PORT - LEAST_PORT + 1));
}

async function openAll(servers: readonly Server[], counts: Counts, port: number): Promise<Place[]> {
  const opening = servers.flatMap((server) =>
    server.addresses.map((address) => openAddress({ server, address, counts, bind: { address, port } })),
  );
  const settled = await Promise.allSettled(opening);
  const places = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed === undefined) return places;
  await Promise.all(places.map((place) => place.close()));
  throw failed.reason;
}

async function openAddress(site: Site): Promise<Place> {
  if (!isLoopback(site.address)) return openElsewhere(site);
  try {
    return await openPlace(site);
  } catch (error) {
    if (isAbsent(error)) return openElsewhere(site);
    throw error;
  }
}

/** At the one address every host has, at any port that is free for UDP and TCP. */
async function openElsewhere(site: Site): Promise<Place> {
  const elsewhere = { ...site, bind: { address: HOST, port: 0 } };
  for (let tried = 1; ; tried += 1) {
    try {
      return await openPlace(elsewhere);
    } catch (error) {
      if (tried === PORTS_TRIED || !isTaken(error)) throw error;
    }
  }
}
