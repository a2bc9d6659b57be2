/* Makes worlds of the lab from rows: zones with their servers, and what is otherwise than usual. */

import { createFairClock } from '../../../src/base/clock.ts';
import { type Name, parseName } from '../../../src/dns/name.ts';
import { rdataText } from '../../../src/dns/rdata/rdata.ts';
import { Reader } from '../../../src/dns/reader.ts';
import { DEFAULT_OPTIONS, type TraversalOptions } from '../../../src/document/options.ts';
import type { TraversalResult } from '../../../src/document/result.ts';
import { createExchange, probing } from '../../../src/exchange/exchange.ts';
import { parseRootHints } from '../../../src/explore/root-hints.ts';
import type { Fault } from '../../../src/lab/faults.ts';
import { startLab } from '../../../src/lab/lab.ts';
import { dsData } from '../../../src/lab/signing/signing-key.ts';
import type { DsSpec, Signings, ZoneSigning } from '../../../src/lab/signing/zone-signing.ts';
import { type ServerSpec, trustAnchorOf, type World } from '../../../src/lab/world.ts';
import { traverse } from '../../../src/traversal/traverse.ts';

/** A zone. Names in it are relative to it. */
export interface ZoneRow {
  /** The servers that the delegation names; usually these serve it, and it names them itself. */
  readonly ns: string;
  /** The servers that the zone itself names, if others. */
  readonly own?: string;
  /** Lines of its zone file besides SOA, NS, the addresses of servers, and delegations. */
  readonly records?: string;
  /** The server that its SOA record names, if it is not its first. */
  readonly primary?: string;
  readonly serial?: number;
  readonly ttl?: number;
  /** The servers of zones below as this version of it has them; empty: it does not know the zone. */
  readonly delegations?: Readonly<Record<string, string>>;
  /** The DS records that its CDS records ask for. */
  readonly cds?: readonly DsSpec[];
  /** Absent: it is not signed, unless it is the root or a top-level domain. */
  readonly signed?: ZoneSigning | 'unsigned';
}

/** A world. Without a row of their own the root and each top-level domain have two healthy servers, and are signed. */
export interface WorldRow {
  /** "name type" */
  readonly ask: string;
  readonly zones: Readonly<Record<string, ZoneRow>>;
  /** The addresses that each server has: "4", "4 6", "4 4 6"; absent: one of each family. */
  readonly families?: string;
  /** The same for some of them, with addresses that are given, too. A name that no zone has is a server beside the others. */
  readonly hosts?: Readonly<Record<string, string>>;
  /** Addresses of servers as parents have them, and as their own zones do, if not those of the server; empty: none. */
  readonly glue?: Readonly<Record<string, string>>;
  readonly named?: Readonly<Record<string, string>>;
  /** Absent: parents have the addresses of all servers below them. */
  readonly siblings?: 'without-glue';
  /** What servers do wrong, or all addresses of one family of a server: "ns1.a", "ns1.a 6". */
  readonly faults?: Readonly<Record<string, readonly Fault[]>>;
  /** How servers have zones, if otherwise than others. */
  readonly at?: Readonly<Record<string, Readonly<Record<string, Partial<ZoneRow> | 'none'>>>>;
  /** What servers have by turns, whatever else they have of the zone. */
  readonly turns?: Readonly<Record<string, Readonly<Record<string, readonly Partial<ZoneRow>[]>>>>;
  readonly options?: Partial<TraversalOptions>;
}

/** The world with these members; zones are changed member by member. */
export function changed(row: WorldRow, change: WorldChange): WorldRow {
  const zones: Record<string, ZoneRow> = { ...row.zones };
  for (const [zone, more] of Object.entries(change.zones ?? {}))
    zones[zone] = { ns: 'a.nic b.nic', ...zones[zone], ...more };
  return { ...row, ...change, hosts: { ...row.hosts, ...change.hosts }, zones };
}

export type WorldChange = Partial<Omit<WorldRow, 'zones'>> & {
  readonly zones?: Readonly<Record<string, Partial<ZoneRow>>>;
};

/** One patient try: on a busy machine a late reply must not count as lost. */
const TRIES = { timeoutMs: 1_500, retries: 0 } as const;

/** All that is found in a world, with `--check`, as in the demo. */
export async function traverseRow(row: WorldRow): Promise<TraversalResult> {
  const world = worldOf(row);
  const lab = await startLab(world);
  const [name = '', type = ''] = row.ask.split(' ');
  const options: TraversalOptions = {
    ...DEFAULT_OPTIONS,
    ...TRIES,
    specialTargets: 'allowed',
    trustAnchors: trustAnchorOf(world).trim().split('\n'),
    check: true,
    ...row.options,
  };
  const { timeoutMs, retries } = options;
  const exchange = createExchange({ timeoutMs, retries, clock: createFairClock(), route: lab.route });
  try {
    return await traverse(
      { question: { name: parseName(name), type }, options, hints: parseRootHints(lab.hints) },
      { exchange, probing: probing(exchange), signal: new AbortController().signal },
    );
  } finally {
    await lab.close();
  }
}

/** The world of a row, for the lab. */
export function worldOf(row: WorldRow): World {
  return new Builder(row).world();
}

class Builder {
  readonly #row: WorldRow;
  readonly #zones: ReadonlyMap<Name, ZoneRow>;
  /** The addresses of each server. */
  readonly #hosts: ReadonlyMap<Name, readonly string[]>;

  constructor(row: WorldRow) {
    this.#row = row;
    this.#zones = withTopLevel(row);
    const listed = Object.keys(row.hosts ?? {}).map(parseName);
    const named = [...this.#zones].flatMap(([apex, { ns, own = '' }]) => namesIn(`${ns} ${own}`, apex));
    const numbered = [...new Set([...named, ...listed])].map((host, index): [Name, readonly string[]] => [
      host,
      this.#addresses(host, index),
    ]);
    this.#hosts = new Map(numbered);
  }

  world(): World {
    const servers = [...this.#hosts.keys()].flatMap((host) => this.#serversAt(host));
    const signed = Object.fromEntries(
      [...this.#zones].flatMap(([apex, zone]) => (zone.signed === undefined ? [] : [[apex, zone.signed]])),
    );
    return { servers, signed };
  }

  #addresses(host: Name, index: number): readonly string[] {
    const { families = '4 6', hosts = {} } = this.#row;
    const words = wordsIn(byName(hosts, host) ?? families);
    return words.map((word, at) => {
      if (word === '4') return `192.0.2.${index + 1 + 60 * at}`;
      return word === '6' ? `2001:db8:${at}::${index + 1}` : word;
    });
  }

  /** A name can stand for several servers: one for each family with faults of its own. */
  #serversAt(host: Name): readonly ServerSpec[] {
    const { faults = {}, turns = {} } = this.#row;
    const zones = [...this.#zones].filter(([apex, zone]) => this.#serves(host, apex, zone));
    const spoken = (apex: Name) => this.#zoneAt(host, apex);
    const signed: Signings = Object.fromEntries(
      zones.flatMap(([apex]) => {
        const own = spoken(apex).signed;
        return own === undefined || own === this.#zones.get(apex)?.signed ? [] : [[apex, own]];
      }),
    );
    const turning = byName(turns, host) ?? {};
    const byTurns = Object.entries(turning).flatMap(([zone, versions]) =>
      versions.map((version) => [this.#fileOf(parseName(zone), { ...spoken(parseName(zone)), ...version })]),
    );
    const steady = zones.filter(([apex]) => byName(turning, apex) === undefined);
    const common = {
      name: host,
      zones: steady.map(([apex]) => this.#fileOf(apex, spoken(apex))),
      signed,
      ...(byTurns.length > 0 && { turns: byTurns }),
    };
    const addresses = this.#hosts.get(host) ?? [];
    return (['4', '6'] as const).flatMap((family) => {
      const own = addresses.filter((address) => address.includes(':') === (family === '6'));
      const wrong = [...(byName(faults, host) ?? []), ...(byName(faults, host, ` ${family}`) ?? [])];
      return own.length === 0 ? [] : [{ ...common, addresses: own, faults: wrong }];
    });
  }

  #serves(host: Name, apex: Name, { ns, own = '' }: ZoneRow): boolean {
    const here = byName(byName(this.#row.at ?? {}, host) ?? {}, apex);
    return here !== 'none' && (here !== undefined || namesIn(`${ns} ${own}`, apex).includes(host));
  }

  #zoneAt(host: Name, apex: Name): ZoneRow {
    const here = byName(byName(this.#row.at ?? {}, host) ?? {}, apex);
    return { ns: '', ...this.#zones.get(apex), ...(here === 'none' ? {} : here) };
  }

  #fileOf(apex: Name, zone: ZoneRow): string {
    const {
      ns,
      own = ns,
      records = '',
      serial = 1,
      ttl = 3600,
      cds = [],
      signed = 'unsigned',
      delegations = {},
    } = zone;
    const { primary = namesIn(own, apex)[0] } = zone;
    const asking = signed === 'unsigned' ? [] : cds.map((ds) => dsData(apex, ds, signed));
    const lines = [
      `$ORIGIN ${apex}\n$TTL ${ttl}\n@ SOA ${primary} hostmaster ${serial} 2h 15m 2w 1h`,
      // As it is written: in whatever letters.
      ...wordsIn(own).map((server) => `@ NS ${server}`),
      ...[...this.#hosts.keys()]
        .filter((host) => this.#zoneOf(host) === apex)
        .flatMap((host) => this.#addressLines(host, this.#row.named)),
      ...[...this.#zones.keys()]
        .filter((child) => child !== apex && this.#zoneOf(child, child) === apex)
        .flatMap((child) => {
          const servers = byName(delegations, child) ?? this.#zones.get(child)?.ns ?? '';
          return this.#delegationLines(child, apex, namesIn(servers, child));
        }),
      ...asking.map((rdata) => `@ CDS ${rdataText('CDS', 'IN', Reader.of(rdata).data(rdata.length))}`),
      ...records.split('\n').map((line) => line.trim()),
    ];
    return `${[...new Set(lines)].join('\n')}\n`;
  }

  #delegationLines(child: Name, parent: Name, servers: readonly Name[]): readonly string[] {
    const needed = servers.filter((server) => {
      const isInDomain = isBelow(server, child);
      const isSibling = isBelow(server, parent) && this.#zoneOf(server) !== parent;
      return isInDomain || (isSibling && this.#row.siblings === undefined);
    });
    return [
      ...servers.map((server) => `${child} NS ${server}`),
      ...needed.flatMap((server) => this.#addressLines(server, this.#row.glue)),
    ];
  }

  /** The addresses of a server as zones give them. */
  #addressLines(host: Name, otherwise: Readonly<Record<string, string>> = {}): readonly string[] {
    const real = this.#hosts.get(host) ?? [];
    const words = byName(otherwise, host);
    const given = words === undefined ? real : wordsIn(words).flatMap((word) => fitting(word, real));
    return given.map((address) => `${host} ${address.includes(':') ? 'AAAA' : 'A'} ${address}`);
  }

  /** The zone that has a name: the deepest, one of them aside. */
  #zoneOf(name: Name, but?: Name): Name | undefined {
    const above = [...this.#zones.keys()].filter((apex) => apex !== but && isBelow(name, apex));
    return above.sort((a, b) => b.length - a.length)[0];
  }
}

/** "4" and "6" stand for the addresses of that family. */
function fitting(word: string, real: readonly string[]): readonly string[] {
  if (word === '4') return real.filter((address) => !address.includes(':'));
  return word === '6' ? real.filter((address) => address.includes(':')) : [word];
}

function withTopLevel({ zones }: WorldRow): Map<Name, ZoneRow> {
  const all = new Map<Name, ZoneRow>([[parseName('.'), { ns: 'a.root. b.root.', signed: {} }]]);
  const apexes = Object.keys(zones).map(parseName);
  for (const apex of apexes) {
    const top = apex.split('.').at(-2) ?? '';
    if (top !== '') all.set(parseName(`${top}.`), { ns: 'a.nic b.nic', signed: {} });
  }
  for (const [zone, row] of Object.entries(zones)) {
    const apex = parseName(zone);
    all.set(apex, { ...all.get(apex), ...row });
  }
  return all;
}

function isBelow(name: Name, zone: Name): boolean {
  return zone === '.' || name === zone || name.endsWith(`.${zone}`);
}

function namesIn(text: string, apex: Name): readonly Name[] {
  const whole = (word: string) => (word.endsWith('.') ? word : `${word}.${apex === '.' ? '' : apex}`);
  return wordsIn(text).map((word) => parseName(whole(word)));
}

function wordsIn(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}

/** The member for a name, which keys have without the last dot. */
function byName<T>(table: Readonly<Record<string, T>>, name: Name, after = ''): T | undefined {
  return table[`${name === '.' ? name : name.slice(0, -1)}${after}`];
}
