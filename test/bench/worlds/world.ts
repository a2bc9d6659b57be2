import type { EncodableRecord } from '../../../src/dns/encode.ts';
import type { Question } from '../../../src/dns/message.ts';
import { isAtOrBelow, isBelow, labelCount, type Name, parseName, ROOT } from '../../../src/dns/name.ts';
import { encodeRdata } from '../../../src/dns/rdata/rdata.ts';

/** A world without faults, in which it is known how long a traversal has to take. */
export interface BenchWorld {
  /** The name whose address is asked for. */
  readonly ask: string;
  /** Further names that have the same address. */
  readonly others?: readonly string[];
  /** Exchanges of which each can begin only when the one before has ended. */
  readonly chain: number;
  /** The root zone first. */
  readonly zones: readonly BenchZone[];
  /** Whether they are signed. */
  readonly isSigned?: boolean;
}

/** A zone. A server answers for the addresses of all servers named in it, and for the name asked. */
export interface BenchZone {
  readonly apex: string;
  readonly servers: readonly BenchServer[];
}

/** A server of a zone. What is named "glueless" has to be looked up. */
export interface BenchServer {
  readonly name: string;
  readonly address: string;
  readonly glue: 'glue' | 'glueless';
}

/** The sections of a reply. */
interface Said {
  readonly rcode: string;
  readonly answer: readonly EncodableRecord[];
  readonly authority: readonly EncodableRecord[];
  readonly additional: readonly EncodableRecord[];
}

/** What the server at an address says to a question. */
export type Says = (address: string, question: Question) => Said;

/** Whoever asks here gets every address at once, as tools do that leave the servers' addresses to a resolver. */
export const RESOLVER = '127.1.255.1';

const NOTHING = { rcode: 'NOERROR', answer: [], authority: [], additional: [] } as const;
const ANSWER = '192.0.2.80';

/** The behaviour of all servers of a world. */
export function saysIn({ zones, ask, others = [] }: BenchWorld): Says {
  const apexes = new Map(zones.map((zone) => [parseName(zone.apex), zone]));
  const hosts = new Map([ask, ...others].map((name) => [parseName(name), ANSWER]));
  for (const { name, address } of zones.flatMap(({ servers }) => servers)) {
    hosts.set(parseName(name), address);
  }
  const served = new Map<string, Name[]>();
  for (const [apex, { servers }] of apexes) {
    for (const { address } of servers) served.set(address, [...(served.get(address) ?? []), apex]);
  }
  return (address, { name, type }) => {
    if (address === RESOLVER) return addressesOf(name, type, hosts);
    const own = deepest((served.get(address) ?? []).filter((apex) => isAtOrBelow(name, apex)));
    if (own === undefined) return { ...NOTHING, rcode: 'REFUSED' };
    const cut = highest([...apexes.keys()].filter((apex) => isBelow(apex, own) && isAtOrBelow(name, apex)));
    const below = cut === undefined ? undefined : apexes.get(cut);
    if (below !== undefined) return referral(below);
    const apex = type === 'NS' ? apexes.get(name) : undefined;
    return apex === undefined ? addressesOf(name, type, hosts) : ownServers(apex);
  };
}

function addressesOf(name: Name, type: string, hosts: ReadonlyMap<Name, string>): Said {
  const host = type === 'A' ? hosts.get(name) : undefined;
  return host === undefined ? NOTHING : { ...NOTHING, answer: [record(name, 'A', host)] };
}

function ownServers(zone: BenchZone): Said {
  const { authority, additional } = referral(zone);
  return { ...NOTHING, answer: authority, additional };
}

function referral({ apex, servers }: BenchZone): Said {
  const glued = servers.filter(({ glue }) => glue === 'glue');
  return {
    ...NOTHING,
    authority: servers.map(({ name }) => record(apex, 'NS', name)),
    additional: glued.map(({ name, address }) => record(name, 'A', address)),
  };
}

function record(name: string, type: string, data: string): EncodableRecord {
  return { name: parseName(name), type, ttl: 3_600, rdata: encodeRdata(type, data, ROOT) };
}

function deepest(names: readonly Name[]): Name | undefined {
  return [...names].sort((a, b) => labelCount(b) - labelCount(a))[0];
}

function highest(names: readonly Name[]): Name | undefined {
  return [...names].sort((a, b) => labelCount(a) - labelCount(b))[0];
}

/** So many servers with glue: `a1.HOST` and so on, from the first address of a block on. */
export function glued(host: string, block: number, count: number): readonly BenchServer[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `a${at + 1}.${host}`,
    address: addressOf(block, at),
    glue: 'glue',
  }));
}

/** An address on loopback, by its block and its place there, from 0 on. */
export function addressOf(block: number, at: number): string {
  return `127.1.${block}.${at + 1}`;
}
