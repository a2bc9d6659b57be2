import type { World } from '../world.ts';
import { CUSTOMER_SERVERS } from './customers.ts';
import { HARBOUR_SERVERS } from './harbour.ts';
import { MEADOW_SERVERS } from './meadow.ts';
import { REGISTRY_SERVERS } from './registries.ts';
import { ROOT_SERVERS } from './roots.ts';
import { DEMO_SIGNED } from './signed.ts';

/**
 * The demo: a root, two top-level domains, two hosters and their customers, with one of each
 * classic mistake (see `showcases`). Most of its zones are signed, which only those see who ask for
 * signatures. Its addresses are those reserved for documentation, so they belong to nobody.
 */
export const demoWorld: World = {
  servers: [...ROOT_SERVERS, ...REGISTRY_SERVERS, ...HARBOUR_SERVERS, ...MEADOW_SERVERS, ...CUSTOMER_SERVERS],
  signed: DEMO_SIGNED,
};

/** Its root servers. */
export const demoRoots: World = { servers: ROOT_SERVERS };
