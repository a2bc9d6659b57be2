import { createSocket } from 'node:dgram';

import type { Family } from '../wire/address.ts';

/** Whether this host has a route to an address of the family. */
type HasRoute = (family: Family) => Promise<boolean>;

/**
 * The families in which this host can reach the internet, IPv4 first. Connecting a UDP socket asks
 * the kernel for a route and sends nothing.
 */
export async function hostFamilies(hasRoute: HasRoute = hasGlobalRoute): Promise<readonly Family[]> {
  const families = [4, 6] as const;
  const routed = await Promise.all(families.map(hasRoute));
  return families.filter((_, index) => routed[index]);
}

/** k.root-servers.net: addresses that will stay globally routed. */
const GLOBAL_ADDRESS = { 4: '193.0.14.129', 6: '2001:7fd::1' } as const;

function hasGlobalRoute(family: Family): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(family === 4 ? 'udp4' : 'udp6');
    const settle = (answer: boolean) => {
      socket.removeAllListeners();
      socket.close();
      resolve(answer);
    };
    socket.once('error', () => settle(false));
    socket.once('connect', () => settle(true));
    socket.connect(53, GLOBAL_ADDRESS[family]);
  });
}
