import { addressOf, type BenchWorld, glued } from './world.ts';

/** Two servers at each of root, TLD and zone, all with glue. */
export const SMALL: BenchWorld = {
  ask: 'www.small.test.',
  chain: 3,
  zones: [
    { apex: '.', servers: glued('root.', 0, 2) },
    { apex: 'test.', servers: glued('nic.test.', 1, 2) },
    { apex: 'small.test.', servers: glued('small.test.', 2, 2) },
  ],
};

const PROVIDERS = ['p0.host.', 'p1.host.'];

/** Thirteen servers at root and TLDs, four without glue at the zone: two at each of two providers in another TLD. */
export const CLASSIC: BenchWorld = {
  ask: 'www.classic.test.',
  // Root, TLD; root, the other TLD and a provider for the name of a server; then that server.
  chain: 6,
  zones: [
    { apex: '.', servers: glued('root.', 0, 13) },
    { apex: 'test.', servers: glued('nic.test.', 1, 13) },
    { apex: 'host.', servers: glued('nic.host.', 2, 13) },
    ...PROVIDERS.map((apex, at) => ({ apex, servers: glued(apex, 3 + at, 2) })),
    {
      apex: 'classic.test.',
      servers: PROVIDERS.flatMap((provider, block) =>
        [0, 1].map((at) => ({
          name: `ns${at + 1}.${provider}`,
          address: addressOf(5 + block, at),
          glue: 'glueless' as const,
        })),
      ),
    },
  ],
};

/**
 * A zone for every name of d and seven digits, all at the same two servers. The lab takes the digits for
 * one and the same number.
 */
export const MANY: BenchWorld = {
  ask: 'd0000000.test.',
  chain: 3,
  zones: [
    { apex: '.', servers: glued('root.', 0, 2) },
    { apex: 'test.', servers: glued('nic.test.', 1, 2) },
    { apex: 'd0000000.test.', servers: glued('provider.test.', 2, 2) },
  ],
};
