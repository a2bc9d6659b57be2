/**
 * Where everything listens, on port 53: root hints carry no port, so resolvers know no other. The
 * suite runs in a network of its own, where nothing else has these addresses.
 */
export const address = {
  rootBind: '127.53.0.1',
  rootNsd: '127.53.0.2',
  testKnot: '127.53.1.1',
  testPowerdns: '127.53.1.2',
  exampleNsd: '127.53.2.1',
  exampleBind: '127.53.2.2',
  /** The four that host everything below the two top-level domains. */
  nsd: '127.53.3.1',
  knot: '127.53.3.2',
  powerdns: '127.53.3.3',
  bind: '127.53.3.4',
  /** Dead: a socket that never answers. */
  silent: '127.53.4.1',
  /** Dead: nothing listens, the network says so. */
  closed: '127.53.4.2',
} as const;
