import { addressOf, type BenchWorld, type BenchZone, glued } from './world.ts';

const ROOTS = 3;
const TLD_SERVERS = 13;
/** Root, TLD. */
const ABOVE = 2;
/** Root, the other TLD and the provider for the name of a server, and then that server. */
const EACH_LEVEL = 4;

/**
 * The glueless ladder: zones one below the other, each with so many servers, whose names are in the
 * zone of a provider of that level, in another TLD, and have no glue.
 */
export function wide(servers: number, levels: number): BenchWorld {
  const zones: BenchZone[] = [
    { apex: '.', servers: glued('root.', 0, ROOTS) },
    { apex: 'test.', servers: glued('nic.test.', 1, TLD_SERVERS) },
    { apex: 'host.', servers: glued('nic.host.', 2, TLD_SERVERS) },
  ];
  let apex = 'test.';
  for (let level = 0; level < levels; level += 1) {
    apex = `z${level}.${apex}`;
    const provider = `p${level}.host.`;
    zones.push({ apex: provider, servers: glued(provider, 100 + level, servers) });
    zones.push({
      apex,
      servers: Array.from({ length: servers }, (_, at) => ({
        name: `ns${at + 1}.${provider}`,
        address: addressOf(50 + level, at),
        glue: 'glueless',
      })),
    });
  }
  return { ask: `www.${apex}`, chain: ABOVE + EACH_LEVEL * levels, zones };
}
