/**
 * Random worlds for the property test of lookups that need each other: a few zones that host each other's name servers.
 * Servers of a zone mostly agree, but some are down, some lack glue, and some say something else.
 */
import { pick, randomFrom, type Said, type Server, some, V4, V6, type World } from './random-world.ts';

const ZONES = ['a.', 'b.', 'c.', 'd.'];

export function randomRingWorld(seed: number): World {
  const random = randomFrom(`ring ${seed}`);
  const families = ([[4], [4], [4, 6]] as const)[Math.floor(random() * 3)] ?? [4];
  const zones = ZONES.slice(0, 2 + Math.floor(random() * 3));
  const hosts = zones.flatMap((zone) => ['n.', 'm.'].map((host) => `${host}${zone}`));
  const strangeness = pick(random, [0, 0, 0.05, 0.2]);
  const addressesOf = new Map(
    hosts.map((host) => [
      host,
      families.flatMap((family) => some(random, family === 4 ? V4.slice(0, 4) : V6.slice(0, 2), 2)),
    ]),
  );
  const glued = pick(random, [0.3, 0.6, 0.9]);
  const serversOf = new Map(
    zones.map((zone) => [
      zone,
      some(random, hosts, 3).map((name): Server => {
        const hasGlue = name.endsWith(zone) && random() < glued;
        return { name, addresses: hasGlue ? (addressesOf.get(name) ?? []) : [] };
      }),
    ]),
  );
  const down = new Set(random() < 0.5 ? some(random, V4, 2) : []);
  return {
    name: `www.${pick(random, zones)}`,
    type: 'A',
    families,
    maxDepth: pick(random, [3, 5, 8, 12, 30]),
    roots: [{ name: 'r.', addresses: ['11.0.1.1'] }],
    says: (address, name, type) => {
      const strange = randomFrom(`strange ${seed} ${address} ${name} ${type}`);
      if (down.has(address)) return { kind: 'timeout' };
      if (strange() < strangeness) return strangely(strange);
      const zone = zones.find((one) => name.endsWith(one)) ?? '.';
      if (address === '11.0.1.1') return { kind: 'ns', zone, servers: serversOf.get(zone) ?? [] };
      const servers = serversOf.get(zone) ?? [];
      if (type === 'NS') return { kind: 'own', names: servers.map((one) => one.name), additional: servers };
      const data = addressesOf.get(name)?.filter((one) => one.includes(':') === (type === 'AAAA'));
      if (data === undefined) return { kind: 'answer', data: ['11.0.2.1'] };
      return data.length === 0 ? { kind: 'nodata' } : { kind: 'answer', data };
    },
    takes: () => 1,
  };

  function strangely(strange: () => number): Said {
    const zone = pick(strange, zones);
    return pick<Said>(strange, [
      { kind: 'answer', data: some(strange, V4, 2) },
      { kind: 'alias', target: pick(strange, hosts) },
      { kind: 'nxdomain' },
      { kind: 'error', rcode: 'REFUSED' },
      { kind: 'ns', zone, servers: serversOf.get(zone) ?? [] },
    ]);
  }
}
