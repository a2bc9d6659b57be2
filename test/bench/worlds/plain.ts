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
 * A zone for every name of d and seven digits, all at the same three servers. The lab takes the digits for
 * one and the same number.
 */
export const MANY: BenchWorld = {
  ask: 'd0000000.test.',
  chain: 3,
  zones: [
    { apex: '.', servers: glued('root.', 0, 2) },
    { apex: 'test.', servers: glued('nic.test.', 1, 2) },
    { apex: 'd0000000.test.', servers: glued('provider.test.', 2, 3) },
  ],
};

const HOSTERS = 20;
const PORTFOLIO_ZONES = 100;

const hosterOf = (zone: number) => `h${zone % HOSTERS}.host.`;
const zoneOf = (zone: number) => `c${zone}.test.`;

/** A hundred zones on three servers of each of twenty hosters. Each has every name of d and seven digits, as in `MANY`. */
export const PORTFOLIO: BenchWorld = {
  ask: `d0000000.${zoneOf(0)}`,
  others: Array.from({ length: PORTFOLIO_ZONES }, (_, zone) => `d0000000.${zoneOf(zone)}`),
  chain: 6,
  zones: [
    { apex: '.', servers: glued('root.', 0, 3) },
    { apex: 'test.', servers: glued('nic.test.', 1, 3) },
    { apex: 'host.', servers: glued('nic.host.', 2, 3) },
    ...Array.from({ length: HOSTERS }, (_, hoster) => ({
      apex: hosterOf(hoster),
      servers: glued(hosterOf(hoster), 10 + hoster, 3),
    })),
    ...Array.from({ length: PORTFOLIO_ZONES }, (_, zone) => ({
      apex: zoneOf(zone),
      servers: glued(hosterOf(zone), 10 + (zone % HOSTERS), 3).map((server) => ({
        ...server,
        glue: 'glueless' as const,
      })),
    })),
  ],
};

/** So many names of it, the zones in turn. */
export function portfolioNames(count: number): readonly string[] {
  return Array.from(
    { length: count },
    (_, at) => `d${`${Math.floor(at / PORTFOLIO_ZONES)}`.padStart(7, '0')}.${zoneOf(at % PORTFOLIO_ZONES)}`,
  );
}
