import { address } from '../../world/addresses.ts';
import type { NameServer } from '../../world/zone.ts';

/** The servers of the signed hierarchy, which runs when the other does not. */
export const hosts = {
  rootBind: { software: 'bind', address: address.rootBind },
  rootNsd: { software: 'nsd', address: address.rootNsd },
  testKnot: { software: 'knot', address: address.testKnot },
  testPowerdns: { software: 'powerdns', address: address.testPowerdns },
  exampleNsd: { software: 'nsd', address: address.exampleNsd },
  exampleBind: { software: 'bind', address: address.exampleBind },
  nsd: { software: 'nsd', address: address.nsd },
  knot: { software: 'knot', address: address.knot },
  powerdns: { software: 'powerdns', address: address.powerdns },
  bind: { software: 'bind', address: address.bind },
} as const satisfies Readonly<Record<string, Omit<NameServer, 'zones'>>>;

/** One of them. */
export type Host = keyof typeof hosts;
