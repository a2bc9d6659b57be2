import { addressOf, type BenchWorld, glued } from './world.ts';

/** Root, zone, and a server that is known when its address has been asked for at every other zone. */
const LEAST = 2;

/**
 * Zones that host each other: each is served by so many servers named in every one of them, and only its
 * own have glue. Every chain of zones without repetition is a way to look one up.
 */
export function ring(zones: number, serversEach: number): BenchWorld {
  const all = Array.from({ length: zones }, (_, zone) => zone);
  const hosts = all.flatMap((zone) =>
    Array.from({ length: serversEach }, (_, at) => ({
      name: `n${at}.q${zone}.`,
      address: addressOf(10 + zone, at),
      zone,
    })),
  );
  const servers = (own: number) =>
    hosts.map(({ name, address, zone }) => ({
      name,
      address,
      glue: zone === own ? ('glue' as const) : ('glueless' as const),
    }));
  return {
    ask: 'www.q0.',
    chain: LEAST,
    zones: [
      { apex: '.', servers: glued('root.', 0, 1) },
      ...all.map((zone) => ({ apex: `q${zone}.`, servers: servers(zone) })),
    ],
  };
}
