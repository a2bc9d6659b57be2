/**
 * Random worlds for the property test. A world says what each address replies to each question, as a
 * `Said`: the brute-force walk reads that, and `exchangeOf` puts the same into the records of a real
 * exchange for the engine. Whatever a server says depends only on the seed, the address and the
 * question, so worlds are full of disagreement, loops, aliases and glueless servers.
 */
import { type Name, parseName } from '../../src/dns/name.ts';
import type { ResourceRecord } from '../../src/dns/record.ts';
import type { Exchanged, Failure, Reply } from '../../src/exchange/exchanged.ts';
import type { Query } from '../../src/exchange/query.ts';

export type Said =
  /** Data that begin with `\\#` fit no type. */
  | { readonly kind: 'answer'; readonly data: readonly string[] }
  | { readonly kind: 'alias'; readonly target: string }
  | { readonly kind: 'alias-loop' }
  | { readonly kind: 'ns'; readonly zone: string; readonly servers: readonly Server[] }
  | { readonly kind: 'nxdomain' | 'nodata' | 'empty' | 'timeout' | 'unreachable' | 'malformed' }
  | { readonly kind: 'error'; readonly rcode: string }
  /**
   * NS records as an answer, at the name asked or at one that it is an alias of, and address records
   * beside them. Names may have capitals, and data fit no type.
   */
  | {
      readonly kind: 'own';
      readonly names: readonly string[];
      readonly additional: readonly Server[];
      readonly through?: string;
    }
  /** Not asked: a limit or policy was before it. */
  | { readonly kind: 'query-limit' | 'blocked' };

export interface Server {
  readonly name: string;
  readonly addresses: readonly string[];
}

export interface World {
  readonly name: string;
  readonly type: 'A' | 'NS';
  readonly families: readonly (4 | 6)[];
  readonly maxDepth: number;
  readonly roots: readonly Server[];
  says(address: string, name: string, type: string): Said;
  takes(address: string, name: string, type: string): number;
}

/** mulberry32, started from a text. */
export function randomFrom(text: string): () => number {
  let state = 2166136261;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let z = Math.imul(state ^ (state >>> 15), 1 | state);
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z;
    return ((z ^ (z >>> 14)) >>> 0) / 4294967296;
  };
}

const ZONES = ['a.', 'b.', 'x.a.', 'y.a.', 'z.b.', 'p.x.a.'];
export const NAMESERVERS = ['ns1.a.', 'ns2.b.', 'ns.x.a.', 'ns2.x.a.', 'ns.y.a.', 'ns.z.b.', 'ns.p.x.a.'];
const ALIASES = ['www.p.x.a.', 'c.z.b.', 'd.y.a.', 'www.x.a.'];
/** The last one of each family is not globally reachable: policy blocks it. */
export const V4 = ['11.0.0.1', '11.0.0.2', '11.0.0.3', '11.0.0.4', '10.0.0.5'];
export const V6 = ['2a00::1', '2a00::2', 'fd00::3'];
/** Record data that are no address: a single octet. */
export const MISFIT = '\\# 1 00';

export function randomWorld(seed: number): World {
  const random = randomFrom(`world ${seed}`);
  const families = ([[4], [6], [4, 6], [4]] as const)[Math.floor(random() * 4)] ?? [4];
  const pool = families.flatMap((family) => (family === 4 ? V4 : V6));
  return {
    name: pick(random, ['www.x.a.', 'www.p.x.a.', 'c.z.b.']),
    type: 'A',
    families,
    maxDepth: 2 + Math.floor(random() * 6),
    roots: ['r1.', 'r2.'].slice(0, 1 + Math.floor(random() * 2)).map((name) => ({
      name,
      addresses: random() < 0.15 ? [] : some(random, pool, 2),
    })),
    says: (address, name, type) =>
      address === V4.at(-1) || address === V6.at(-1)
        ? { kind: 'blocked' }
        : said(randomFrom(`${seed} ${address} ${name} ${type}`), seed, name, type),
    takes: (address, name, type) =>
      1 + Math.floor(randomFrom(`time ${seed} ${address} ${name} ${type}`)() * 40),
  };
}

export function said(random: () => number, seed: number, name: string, type: string): Said {
  const dice = random() * 100;
  if (dice < 40) return referral(random, seed, name);
  if (dice < 68) return { kind: 'answer', data: some(random, type === 'A' ? V4 : V6, 2) };
  if (dice < 70) return { kind: 'answer', data: [MISFIT] };
  if (dice < 71) return { kind: 'answer', data: some(random, [MISFIT, ...(type === 'A' ? V4 : V6)], 2) };
  if (dice < 76)
    return {
      kind: 'alias',
      target: pick(
        random,
        ALIASES.filter((alias) => alias !== name),
      ),
    };
  const rest: readonly Said[] = [
    { kind: 'nxdomain' },
    { kind: 'nodata' },
    { kind: 'empty' },
    { kind: 'timeout' },
    { kind: 'unreachable' },
    { kind: 'malformed' },
    { kind: 'alias-loop' },
    { kind: 'error', rcode: 'REFUSED' },
    { kind: 'ns', zone: pick(random, ['.', ...ZONES]), servers: serversOf(seed, 'lame', random) },
  ];
  return pick(random, rest);
}

function referral(random: () => number, seed: number, name: string): Said {
  const cuts = ZONES.filter((zone) => name === zone || name.endsWith(`.${zone}`));
  const zone = pick(random, cuts);
  return { kind: 'ns', zone, servers: serversOf(seed, `${zone} ${Math.floor(random() * 1.4)}`, random) };
}

/** One of few server sets for a zone, so that delegations of equal content come back. */
export function serversOf(seed: number, variant: string, glueRandom: () => number): readonly Server[] {
  const random = randomFrom(`delegation ${seed} ${variant}`);
  const glueless = random();
  const names = some(random, NAMESERVERS, 3);
  const complete = glueRandom() < 0.9;
  return names.map((name) => ({
    name,
    addresses: random() < 0.45 + glueless / 4 && complete ? some(random, [...V4, ...V6], 2) : [],
  }));
}

export function pick<T>(random: () => number, from: readonly T[]): T {
  const picked = from[Math.floor(random() * from.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
}

export function some<T>(random: () => number, from: readonly T[], most: number): readonly T[] {
  const count = 1 + Math.floor(random() * most);
  return [...new Set(Array.from({ length: count }, () => pick(random, from)))];
}

/** The same world, of which only these exchanges ("address name type") were made. */
export function limitedTo(world: World, asked: ReadonlySet<string>): World {
  const says: World['says'] = (address, name, type) => {
    const said = world.says(address, name, type);
    return said.kind === 'blocked' || asked.has(`${address} ${name} ${type}`)
      ? said
      : { kind: 'query-limit' };
  };
  const takes: World['takes'] = (address, name, type) =>
    asked.has(`${address} ${name} ${type}`) ? world.takes(address, name, type) : 0;
  return { ...world, says, takes };
}

/** What a world's server says, as a recorded exchange. */
export function exchangeOf(world: World, { address, question }: Query): Exchanged {
  const { name, type } = question;
  const said = world.says(address, name, type);
  const outcome = outcomeOf(said, name, type);
  const elapsedMs = world.takes(address, name, type);
  const traffic = { packetsSent: 1, packetsReceived: 1, bytesSent: 40, bytesReceived: 40 };
  return { address, question, outcome, transport: 'udp', tries: [], elapsedMs, traffic };
}

function outcomeOf(said: Said, name: Name, type: string): Reply | Failure {
  const record = (owner: string, recordType: string, data: string): ResourceRecord => ({
    name: parseName(owner),
    type: recordType,
    ttl: 300,
    data,
  });
  const addressRecords = (servers: readonly Server[]) =>
    servers.flatMap((server) =>
      server.addresses.map((data) => record(server.name, data.includes(':') ? 'AAAA' : 'A', data)),
    );
  const base = {
    kind: 'reply' as const,
    rcode: 'NOERROR',
    flags: ['qr' as const],
    rttMs: 1,
    bytes: 40,
    answer: [] as readonly ResourceRecord[],
    authority: [] as readonly ResourceRecord[],
    additional: [] as readonly ResourceRecord[],
  };
  switch (said.kind) {
    case 'answer':
      return { ...base, answer: said.data.map((data) => record(name, type, data)) };
    case 'alias':
      // Records of the target come along that no other reply has.
      return {
        ...base,
        answer: [
          record(name, 'CNAME', said.target),
          record(said.target, type, type === 'AAAA' ? '2001:db8::add' : '192.0.2.250'),
        ],
      };
    case 'alias-loop':
      return { ...base, answer: [record(name, 'CNAME', name)] };
    case 'ns':
      return {
        ...base,
        authority: said.servers.map((server) => record(said.zone, 'NS', server.name)),
        additional: addressRecords(said.servers),
      };
    case 'own': {
      const owner = said.through ?? name;
      const alias = said.through === undefined ? [] : [record(name, 'CNAME', said.through)];
      const own = said.names.map((data) => record(owner, 'NS', data));
      return { ...base, answer: [...alias, ...own], additional: addressRecords(said.additional) };
    }
    case 'nxdomain':
      return { ...base, rcode: 'NXDOMAIN' };
    case 'nodata':
      return { ...base, authority: [record('.', 'SOA', 'm. h. 1 2 3 4 5')] };
    case 'empty':
      return base;
    case 'error':
      return { ...base, rcode: said.rcode };
    case 'timeout':
    case 'unreachable':
    case 'malformed':
      return { kind: said.kind };
    case 'query-limit':
    case 'blocked':
      throw new Error(`asked although ${said.kind}`);
  }
}

/**
 * Random worlds for the property test of lookups that need each other: a few zones that host each other's name servers.
 * Servers of a zone mostly agree, but some are down, some lack glue, and some say something else.
 */

const ZONES_RANDOM_RING_WORLD = ['a.', 'b.', 'c.', 'd.'];

export function randomRingWorld(seed: number): World {
  const random = randomFrom(`ring ${seed}`);
  const families = ([[4], [4], [4, 6]] as const)[Math.floor(random() * 3)] ?? [4];
  const zones = ZONES_RANDOM_RING_WORLD.slice(0, 2 + Math.floor(random() * 3));
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
