/**
 * Random worlds whose servers are asked for their zone's NS RRset: some agree with the delegation, others
 * differ from it, and from each other, in names and glue, and some give nothing that serves.
 */
import {
  MISFIT,
  NAMESERVERS,
  pick,
  randomFrom,
  randomWorld,
  type Said,
  type Server,
  said,
  serversOf,
  some,
  V4,
  V6,
  type World,
} from './random-world.ts';

export function randomWarmWorld(seed: number): World {
  const random = randomFrom(`warm world ${seed}`);
  const cold = randomWorld(seed);
  return {
    ...cold,
    name: pick(random, ['www.x.a.', 'www.p.x.a.', 'c.z.b.', 'x.a.', 'ns.x.a.']),
    type: random() < 0.85 ? 'A' : 'NS',
    maxDepth: 1 + Math.floor(random() * 4),
    says: (address, name, type) => {
      if (address === V4.at(-1) || address === V6.at(-1)) return { kind: 'blocked' };
      const own = randomFrom(`${seed} ${address} ${name} ${type}`);
      if (type === 'SOA')
        return pick(own, [{ kind: 'answer', data: ['m. h. 1 2 3 4 5'] }, { kind: 'timeout' }]);
      return type === 'NS' ? saidOfZone(own, seed, name) : said(own, seed, name, type);
    },
  };
}

function saidOfZone(random: () => number, seed: number, zone: string): Said {
  const dice = random() * 100;
  if (dice < 60) return ownSet(random, seed, zone);
  if (dice < 63) return { kind: 'own', names: [MISFIT], additional: [] };
  if (dice < 66)
    return { ...ownSet(random, seed, zone), through: otherThan(zone, random, ['www.x.a.', 'c.z.b.']) };
  const rest: readonly Said[] = [
    { kind: 'nodata' },
    { kind: 'nodata' },
    { kind: 'nxdomain' },
    { kind: 'empty' },
    { kind: 'timeout' },
    { kind: 'timeout' },
    { kind: 'unreachable' },
    { kind: 'malformed' },
    { kind: 'alias-loop' },
    { kind: 'alias', target: otherThan(zone, random, ['www.p.x.a.', 'd.y.a.']) },
    { kind: 'error', rcode: 'REFUSED' },
    { kind: 'ns', zone, servers: serversOf(seed, `${zone} 0`, random) },
    { kind: 'ns', zone: pick(random, ['.', 'a.', 'p.x.a.']), servers: serversOf(seed, 'lame', random) },
  ];
  return pick(random, rest);
}

/** The servers of a delegation of the zone, or some of them and others, with glue of its own. */
function ownSet(random: () => number, seed: number, zone: string): Said & { readonly kind: 'own' } {
  const delegated = serversOf(seed, `${zone} ${Math.floor(random() * 1.4)}`, random);
  const kept = random() < 0.6 ? delegated : delegated.slice(1);
  const others = kept.length > 0 && random() < 0.6 ? [] : some(random, NAMESERVERS, 2);
  const names = [...new Set([...kept.map(({ name }) => name), ...others])];
  const misfit = random() < 0.1 ? [MISFIT] : [];
  return {
    kind: 'own',
    names: [...names.map((name) => (random() < 0.1 ? name.toUpperCase() : name)), ...misfit],
    additional: names.map((name) => ({ name, addresses: additional(random, name, delegated) })),
  };
}

function additional(random: () => number, name: string, delegated: readonly Server[]): readonly string[] {
  const dice = random();
  if (dice < 0.35) return [];
  if (dice < 0.55) return delegated.find((server) => server.name === name)?.addresses ?? [];
  if (dice < 0.6) return [MISFIT];
  return some(random, pick(random, [V4, V6, [...V4, ...V6]]), 2);
}

function otherThan(name: string, random: () => number, from: readonly string[]): string {
  return pick(
    random,
    from.filter((one) => one !== name),
  );
}
