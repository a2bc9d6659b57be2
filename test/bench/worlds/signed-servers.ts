import { isAtOrBelow, isBelow, labelCount, type Name, parseName } from '../../../src/dns/name.ts';
import type { Signings } from '../../../src/lab/signing/zone-signing.ts';
import { readWorld, type Server, trustAnchorOf, type World } from '../../../src/lab/world.ts';
import { zoneText } from '../../../src/lab/zone-text.ts';
import type { BenchWorld, BenchZone } from './world.ts';

/** The servers of a world as the lab has them, all its zones signed, by address; and what its root is trusted by. */
export function signedServers(world: BenchWorld): {
  readonly servers: ReadonlyMap<string, Server>;
  readonly anchor: string;
} {
  const lab = labWorld(world);
  const servers = readWorld(lab).flatMap((server) => server.addresses.map((one) => [one, server] as const));
  return { servers: new Map(servers), anchor: trustAnchorOf(lab) };
}

function labWorld(world: BenchWorld): World {
  const names = new Map<string, { readonly name: string; readonly zones: string[] }>();
  for (const zone of world.zones) {
    const text = textOf(zone, world);
    for (const { name, address } of zone.servers) {
      const server = names.get(address) ?? { name, zones: [] };
      server.zones.push(text);
      names.set(address, server);
    }
  }
  const servers = [...names].map(([address, { name, zones }]) => ({ name, addresses: [address], zones }));
  const signed: Signings = Object.fromEntries(world.zones.map(({ apex }) => [apex, {}]));
  return { servers, signed };
}

/** Its own servers, those of the zones right below it with their glue, and the addresses of the names in it. */
function textOf(zone: BenchZone, { zones, ask }: BenchWorld): string {
  const homeOf = (name: Name) => deepest(zones.filter(({ apex }) => isAtOrBelow(name, parseName(apex))));
  const apex = parseName(zone.apex);
  const children = zones.filter((one) => {
    const others = zones.filter(({ apex: above }) => isBelow(parseName(one.apex), parseName(above)));
    return deepest(others) === zone;
  });
  const hosts = zones
    .flatMap(({ servers }) => servers)
    .filter(({ name }) => homeOf(parseName(name)) === zone);
  const glued = children.flatMap(({ servers }) => servers).filter(({ glue }) => glue === 'glue');
  const addresses = new Set([...hosts, ...glued].map(({ name, address }) => `${name} A ${address}`));
  const lines = [
    ...[zone, ...children].flatMap((one) => one.servers.map(({ name }) => `${one.apex} NS ${name}`)),
    ...addresses,
    ...(homeOf(parseName(ask)) === zone ? [`${ask} A 192.0.2.80`] : []),
  ];
  return zoneText(apex, lines.join('\n'));
}

function deepest(zones: readonly BenchZone[]): BenchZone | undefined {
  return [...zones].sort((a, b) => labelCount(parseName(b.apex)) - labelCount(parseName(a.apex)))[0];
}
