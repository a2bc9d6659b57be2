/**
 * An independent reading of svc-model(7) for the property tests: every path is enumerated one by one, by
 * plain recursion, nothing is shared or remembered, and a resolver's order of trial is enumerated as
 * permutations. It knows only what worlds say, not the program's types or its evaluation.
 */
import { type Leaf, LIMITS, leaf, mergeLeaves, type Ratio, times } from './leaf.ts';
import type { Server, World } from './random-world.ts';
import { type Cut, meaning, ownSet, within } from './said-means.ts';

/** Thrown when a world has too many paths to enumerate. */
export class TooMany extends Error {}

interface Pending {
  readonly of: string;
  readonly name: string;
  readonly inDomain: boolean;
}

/** What a walk asks at a step, apart from the delegations that it came through. */
interface Asking {
  readonly walk: 'cold' | 'warm' | 'lookup';
  readonly name: string;
  readonly type: string;
  readonly depth: number;
  readonly pending: readonly Pending[];
  /** Names of the walk's questions so far. */
  readonly walked: readonly string[];
}

/** One way to pick a server and an address; or, without one, where the path ends. */
type Pick = { readonly p: Ratio; readonly ms: number } & (
  | { readonly server: string; readonly address: string }
  | { readonly end: Leaf }
);

/** What a resolver comes to first that it can use. */
type First = { readonly p: Ratio } & (
  | { readonly kind: 'visit'; readonly server: string; readonly address: string }
  | { readonly kind: 'limit'; readonly end: Leaf }
  | { readonly kind: 'none' }
);

/** What the main walk came to in a zone. */
interface Place {
  readonly names: Set<string>;
  readonly addresses: Set<string>;
}

/** Ends of a reply with which a resolver tries no other server. */
const USABLE = new Set(['nxdomain', 'nodata', 'alias-loop']);

export class BruteForce {
  readonly #world: World;
  readonly #ignorePending: boolean;
  #left: number;
  /** "address name type" of every exchange that some path contains. */
  readonly asked = new Set<string>();
  readonly #places = new Map<string, Place>();

  constructor(world: World, pendingLookups: 'kept' | 'ignored', work: number) {
    this.#world = world;
    this.#ignorePending = pendingLookups === 'ignored';
    this.#left = work;
  }

  paths(): readonly Leaf[] {
    return this.#step([this.#root()], this.#question('cold'));
  }

  resolver(): readonly Leaf[] {
    return this.#resolve([this.#root()], this.#question('cold'));
  }

  warmPaths(): readonly Leaf[] {
    return this.#arrive([this.#root()], this.#question('warm'));
  }

  warmResolver(): readonly Leaf[] {
    return this.#resolveArriving([this.#root()], this.#question('warm'));
  }

  /** "address name type" of what is asked about the zones that the main walks so far came to. */
  zoneQuestions(): Set<string> {
    const asked = new Set<string>();
    for (const [zone, { names, addresses }] of this.#places) {
      const inDomain = isRootOrTop(zone) ? [] : [...names].filter((name) => within(name, zone));
      const types = this.#world.families.map((family) => (family === 4 ? 'A' : 'AAAA'));
      const hosts = inDomain.flatMap((name) => types.map((type) => [name, type] as const));
      for (const address of addresses) {
        for (const [name, type] of [[zone, 'SOA'], [zone, 'NS'], ...hosts] as const) {
          if (!LIMITS.has(this.#world.says(address, name, type).kind))
            asked.add(`${address} ${name} ${type}`);
        }
      }
    }
    return asked;
  }

  #root(): Cut {
    return { zone: '.', servers: this.#world.roots };
  }

  #question(walk: 'cold' | 'warm'): Asking {
    const { name, type } = this.#world;
    return { walk, name, type, depth: 0, pending: [], walked: [name] };
  }

  #spend(leaves: number): void {
    this.#left -= leaves;
    if (this.#left < 0) throw new TooMany();
  }

  /** The first step of a walk, or one that a referral led to. */
  #arrive(chain: readonly Cut[], asking: Asking): Leaf[] {
    if (asking.walk !== 'warm' || asking.depth > this.#world.maxDepth) return this.#step(chain, asking);
    const cut = last(chain);
    // Asked even if every server has an own set.
    const standing = this.#step(chain, asking);
    const leaves: Leaf[] = [];
    for (const pick of this.#picks(chain, apexOf(cut, asking))) {
      const rest = 'end' in pick ? limitIn(pick.end) : this.#askApex(chain, asking, pick);
      for (const one of rest ?? standing) leaves.push({ ...one, p: times(pick.p, one.p) });
    }
    this.#spend(leaves.length);
    return mergeLeaves(leaves);
  }

  /** Where a path goes from a reply to the apex question; undefined: on with the delegation as it stands. */
  #askApex(
    chain: readonly Cut[],
    asking: Asking,
    { server, address }: { readonly server: string; readonly address: string },
  ): Leaf[] | undefined {
    const cut = last(chain);
    const said = this.#world.says(address, cut.zone, 'NS');
    if (LIMITS.has(said.kind))
      return [leaf(said.kind, { name: cut.zone, type: 'NS' }, cut.zone, `${server} ${address}`, '')];
    this.asked.add(`${address} ${cut.zone} NS`);
    const own = ownSet(said, cut);
    return own && this.#step([...chain.slice(0, -1), own], asking);
  }

  #step(chain: readonly Cut[], asking: Asking): Leaf[] {
    if (asking.depth > this.#world.maxDepth) return [leaf('depth-limit', asking, last(chain).zone, null, '')];
    const leaves: Leaf[] = [];
    for (const pick of this.#picks(chain, asking)) {
      if ('end' in pick) leaves.push({ ...pick.end, p: pick.p });
      else {
        for (const rest of this.#visit(chain, asking, pick.server, pick.address)) {
          leaves.push({ ...rest, p: times(pick.p, rest.p), ms: pick.ms + rest.ms });
        }
      }
    }
    this.#spend(leaves.length + 1);
    return asking.walk === 'warm' ? mergeLeaves(leaves) : leaves;
  }

  #picks(chain: readonly Cut[], asking: Asking): Pick[] {
    const { servers, zone } = last(chain);
    return servers.flatMap((server) => {
      const one: Ratio = [1n, BigInt(servers.length)];
      const sets = this.#sets(chain, server, asking);
      if (asking.walk !== 'lookup') this.#note(zone, server.name, sets);
      return sets.flatMap((set): Pick[] => {
        const { addresses, ms } = set;
        if (addresses.length === 0) return [{ end: set, p: times(one, set.p), ms }];
        const p = times(times(one, set.p), [1n, BigInt(addresses.length)]);
        return addresses.map((address) => ({ server: server.name, address, p, ms }));
      });
    });
  }

  #note(zone: string, server: string, sets: readonly Leaf[]): void {
    const place = this.#places.get(zone) ?? { names: new Set(), addresses: new Set() };
    this.#places.set(zone, place);
    place.names.add(server);
    for (const { addresses } of sets) for (const address of addresses) place.addresses.add(address);
  }

  /** Address sets a server can come to, and ends without one, each by one pair of lookup paths. */
  #sets(chain: readonly Cut[], server: Server, asking: Asking): Leaf[] {
    const { zone } = last(chain);
    const found = this.#addresses(chain, server, asking, (from, lookup) => this.#step(from, lookup));
    if (typeof found === 'string') return [leaf(found, asking, zone, null, server.name)];
    return found.map((end) => (end.addresses.length > 0 ? end : failed(end, server.name, asking, zone)));
  }

  #addresses(
    chain: readonly Cut[],
    server: Server,
    { depth, pending }: Asking,
    walk: (from: readonly Cut[], lookup: Asking) => Leaf[],
  ): Leaf[] | 'no-glue' | 'loop' {
    const cut = last(chain);
    const glue = server.addresses.filter((address) =>
      this.#world.families.includes(address.includes(':') ? 6 : 4),
    );
    if (glue.length > 0) return [{ end: '', kind: 'glue', addresses: glue, p: [1n, 1n], ms: 0 }];
    const before = chain.slice(0, -1);
    while (before.length > 0 && !within(server.name, last(before).zone)) before.pop();
    if (before.length === 0) return 'no-glue';
    const { name } = server;
    const inDomain = within(name, cut.zone);
    const me = contentOf(cut);
    if (!this.#ignorePending) {
      if (inDomain && pending.some((other) => other.of === me && other.inDomain)) return 'no-glue';
      if (pending.some((other) => other.name === name)) return 'loop';
    }
    const more = [...pending, { of: me, name, inDomain }];
    const types = this.#world.families.map((family) => (family === 4 ? 'A' : 'AAAA'));
    const [a, b] = types.map((type) =>
      walk(before, { walk: 'lookup', name, type, depth: depth + 1, pending: more, walked: [name] }),
    );
    if (a === undefined) throw new Error('no family');
    if (b === undefined) return a.map((end) => (end.kind === 'answer' ? end : { ...end, addresses: [] }));
    this.#spend(a.length * b.length);
    return a.flatMap((x) => b.map((y) => bothOf(x, y)));
  }

  #visit(chain: readonly Cut[], asking: Asking, server: string, address: string): Leaf[] {
    const { name, type, walked } = asking;
    const { zone } = last(chain);
    const seen = meaning(this.#world.says(address, name, type), name, type, zone);
    const at = `${server} ${address}`;
    if (seen.kind === 'end' && LIMITS.has(seen.end)) return [leaf(seen.end, asking, zone, at, '')];
    this.asked.add(`${address} ${name} ${type}`);
    const ms = this.#world.takes(address, name, type);
    const later = (leaves: Leaf[]) => leaves.map((rest) => ({ ...rest, ms: rest.ms + ms }));
    if (seen.kind === 'answer')
      return [{ ...leaf('answer', asking, zone, at, seen.text), addresses: seen.addresses, ms }];
    if (seen.kind === 'end') return [{ ...leaf(seen.end, asking, zone, at, seen.text), ms }];
    if (seen.kind === 'referral') return later(this.#arrive([...chain, seen.to], deeper(asking)));
    if (walked.includes(seen.target)) return [{ ...leaf('alias-loop', asking, zone, at, seen.target), ms }];
    return later(this.#step(cutAt(chain, seen.target), aliasedTo(seen.target, asking)));
  }

  #resolveArriving(chain: readonly Cut[], asking: Asking): Leaf[] {
    if (asking.walk !== 'warm' || asking.depth > this.#world.maxDepth) return this.#resolve(chain, asking);
    const cut = last(chain);
    const ownBy = (address: string) => {
      const said = this.#world.says(address, cut.zone, 'NS');
      return LIMITS.has(said.kind) ? said.kind : ownSet(said, cut);
    };
    const firsts = this.#firsts(chain, apexOf(cut, asking), (address) => ownBy(address) !== undefined);
    return this.#thenFrom(firsts, (first) => {
      switch (first.kind) {
        case 'none':
          return this.#resolve(chain, asking);
        case 'limit':
          return [certain(first.end)];
        case 'visit': {
          const own = ownBy(first.address);
          if (typeof own === 'object') return this.#resolve([...chain.slice(0, -1), own], asking);
          const at = `${first.server} ${first.address}`;
          return [leaf(own ?? '', { name: cut.zone, type: 'NS' }, cut.zone, at, '')];
        }
      }
    });
  }

  #resolve(chain: readonly Cut[], asking: Asking): Leaf[] {
    const { zone } = last(chain);
    const { name, type } = asking;
    if (asking.depth > this.#world.maxDepth) return [leaf('depth-limit', asking, zone, null, '')];
    const firsts = this.#firsts(chain, asking, (address) => {
      const seen = meaning(this.#world.says(address, name, type), name, type, zone);
      return seen.kind !== 'end' || USABLE.has(seen.end) || LIMITS.has(seen.end);
    });
    return this.#thenFrom(firsts, (first) => {
      switch (first.kind) {
        case 'none':
          return [leaf('servfail', asking, zone, null, '')];
        case 'limit':
          return [certain(first.end)];
        case 'visit':
          return this.#resolveAt(chain, asking, first.server, first.address);
      }
    });
  }

  #thenFrom(firsts: readonly First[], then: (first: First) => Leaf[]): Leaf[] {
    const merged = mergeLeaves(
      firsts.flatMap((first) => then(first).map((rest) => ({ ...rest, p: times(first.p, rest.p) }))),
    );
    this.#spend(merged.length);
    return merged;
  }

  /** What a resolver uses first, by every order of trial and every set of addresses that names can have. */
  #firsts(chain: readonly Cut[], asking: Asking, isUsable: (address: string) => boolean): First[] {
    const perServer = last(chain).servers.map((server) =>
      this.#realisations(chain, server, asking, isUsable),
    );
    return product(perServer).flatMap((joint) => {
      const orders = permutations(joint);
      this.#spend(orders.length);
      const p = joint.reduce<Ratio>((sum, one) => times(sum, one.p), [1n, BigInt(orders.length)]);
      return orders.flatMap((order): First[] => {
        const first = order.find((one) => one.limit !== undefined || one.usable.length > 0);
        if (first === undefined) return [{ kind: 'none', p }];
        if (first.limit !== undefined) return [{ kind: 'limit', end: first.limit, p }];
        const each = times(p, [1n, BigInt(first.usable.length)]);
        return first.usable.map((address) => ({ kind: 'visit', server: first.name, address, p: each }));
      });
    });
  }

  #realisations(
    chain: readonly Cut[],
    server: Server,
    asking: Asking,
    isUsable: (address: string) => boolean,
  ) {
    const found = this.#addresses(chain, server, asking, (from, lookup) => this.#resolve(from, lookup));
    const none = { name: server.name, usable: [] as string[], limit: undefined as Leaf | undefined };
    if (typeof found === 'string') return [{ ...none, p: [1n, 1n] as Ratio }];
    return found.map((set) => {
      if (set.addresses.length === 0)
        return { ...none, limit: LIMITS.has(set.kind) ? set : undefined, p: set.p };
      return { ...none, usable: set.addresses.filter(isUsable), p: set.p };
    });
  }

  #resolveAt(chain: readonly Cut[], asking: Asking, server: string, address: string): Leaf[] {
    const { name, type, walked } = asking;
    const { zone } = last(chain);
    const seen = meaning(this.#world.says(address, name, type), name, type, zone);
    const at = `${server} ${address}`;
    if (seen.kind === 'answer')
      return [{ ...leaf('answer', asking, zone, at, seen.text), addresses: seen.addresses }];
    if (seen.kind === 'end') return [leaf(seen.end, asking, zone, at, seen.text)];
    if (seen.kind === 'referral') return this.#resolveArriving([...chain, seen.to], deeper(asking));
    if (walked.includes(seen.target)) return [leaf('alias-loop', asking, zone, at, seen.target)];
    return this.#resolve(cutAt(chain, seen.target), aliasedTo(seen.target, asking));
  }
}

function deeper(asking: Asking): Asking {
  return { ...asking, depth: asking.depth + 1 };
}

function aliasedTo(name: string, asking: Asking): Asking {
  return { ...deeper(asking), name, walked: [...asking.walked, name] };
}

function apexOf({ zone }: Cut, asking: Asking): Asking {
  return { ...asking, name: zone, type: 'NS' };
}

/** The limit that an end is or comes from, as the end of a path. */
function limitIn(end: Leaf): Leaf[] | undefined {
  const cause = end.cause ?? end;
  return LIMITS.has(cause.kind) ? [certain(cause)] : undefined;
}

function certain(end: Leaf): Leaf {
  return { ...end, p: [1n, 1n] };
}

function bothOf(a: Leaf, b: Leaf): Leaf {
  const addresses = [
    ...(a.kind === 'answer' ? a.addresses : []),
    ...(b.kind === 'answer' ? b.addresses : []),
  ];
  const kept = LIMITS.has(b.kind) && !LIMITS.has(a.kind) ? b : a;
  return { ...kept, addresses, p: times(a.p, b.p), ms: Math.max(a.ms, b.ms) };
}

function failed(end: Leaf, nameserver: string, asking: Asking, zone: string): Leaf {
  const cause = end.cause ?? end;
  const kind = within(nameserver, zone) ? 'no-glue' : 'unresolvable-ns';
  const kept = kind === 'no-glue' && cause.kind === 'no-glue' ? undefined : cause;
  const text = kept === undefined ? nameserver : `${nameserver} because (${kept.end})`;
  const made = leaf(kind, asking, zone, null, text);
  return { ...made, ...(kept && { cause: kept }), p: end.p, ms: end.ms };
}

function last(chain: readonly Cut[]): Cut {
  const cut = chain.at(-1);
  if (cut === undefined) throw new Error('empty chain');
  return cut;
}

function cutAt(chain: readonly Cut[], target: string): readonly Cut[] {
  const kept = [...chain];
  while (kept.length > 1 && !within(target, last(kept).zone)) kept.pop();
  return kept;
}

function isRootOrTop(zone: string): boolean {
  return zone.split('.').length <= 2;
}

function contentOf(cut: Cut): string {
  const servers = cut.servers.map(
    (server) => `${server.name}=${[...new Set(server.addresses)].sort().join(',')}`,
  );
  return `${cut.zone} ${servers.sort().join(' ')}`;
}

function product<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>((all, list) => all.flatMap((one) => list.map((item) => [...one, item])), [[]]);
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}
