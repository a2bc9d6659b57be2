import { CLASSIC, MANY, PORTFOLIO, SMALL } from './plain.ts';
import { addressOf, type BenchWorld, type BenchZone, glued } from './world.ts';

const ROOTS = 3;
const TLD_SERVERS = 13;

/** Root, zone, and a server that is known when its address has been asked for at every other zone. */
const LEAST = 2;

/**
 * Zones that host each other: each is served by so many servers named in every one of them, and only its
 * own have glue. Every chain of zones without repetition is a way to look one up. They are below these top-level domains in
 * turn, or are top-level domains themselves.
 */
function ring(zones: number, serversEach: number, tlds: readonly string[] = []): BenchWorld {
  const all = Array.from({ length: zones }, (_, zone) => `q${zone}.${tlds[zone % tlds.length] ?? ''}`);
  const hosts = all.flatMap((zone, block) =>
    Array.from({ length: serversEach }, (_, at) => ({
      name: `n${at}.${zone}`,
      address: addressOf(10 + block, at),
      zone,
    })),
  );
  const servers = (own: string) =>
    hosts.map(({ name, address, zone }) => ({
      name,
      address,
      glue: zone === own ? ('glue' as const) : ('glueless' as const),
    }));
  return {
    ask: `www.${all[0]}`,
    chain: LEAST + Math.min(1, tlds.length),
    zones: [
      { apex: '.', servers: glued('root.', 0, tlds.length === 0 ? 1 : ROOTS) },
      ...tlds.map((apex, at) => ({ apex, servers: glued(`nic.${apex}`, 1 + at, TLD_SERVERS) })),
      ...all.map((apex) => ({ apex, servers: servers(apex) })),
    ],
  };
}

/** Root, TLD. */
const ABOVE = 2;
/** Root, the other TLD and the provider for the name of a server, and then that server. */
const EACH_LEVEL = 4;

/**
 * The glueless ladder: zones one below the other, each with so many servers, whose names are in the
 * zone of a provider of that level, in another TLD, and have no glue.
 */
function wide(servers: number, levels: number): BenchWorld {
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

/** The worlds of the measurements, as their figures name them. */
export const WORLDS = {
  small: SMALL,
  classic: CLASSIC,
  'classic-signed': { ...CLASSIC, isSigned: true },
  many: MANY,
  portfolio: PORTFOLIO,
  'wide-3-6': wide(3, 6),
  'wide-6-6': wide(6, 6),
  'wide-8-8': wide(8, 8),
  'wide-13-4': wide(13, 4),
  'wide-13-8': wide(13, 8),
  'wide-13-12': wide(13, 12),
  'ring-7-1': ring(7, 1),
  'ring-4-2': ring(4, 2),
  'ring-8-1': ring(8, 1),
  'ring-3-2': ring(3, 2),
  'ring-6-2': ring(6, 2),
  'ring-6-2-tlds': ring(6, 2, ['test.', 'host.']),
} as const satisfies Record<string, BenchWorld>;

export type WorldName = keyof typeof WORLDS;

/** Whether there is a world of that name. */
export function isWorldName(text: string): text is WorldName {
  return Object.hasOwn(WORLDS, text);
}
