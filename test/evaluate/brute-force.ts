/**
 * An independent reading of svc-model(7) for the property test: every path is enumerated one by one, by
 * plain recursion, nothing is shared or remembered, and a resolver's order of trial is enumerated as
 * permutations. It knows only what worlds say, not the program's types or its evaluation.
 */
import type { Said, Server, World } from './random-world.ts';

/** A rational that is never reduced: [numerator, denominator]. */
export type Ratio = readonly [bigint, bigint];

export interface Leaf {
  /** Text that is equal exactly for ends that merge. */
  readonly end: string;
  readonly kind: string;
  readonly cause?: Leaf;
  readonly addresses: readonly string[];
  readonly p: Ratio;
  readonly ms: number;
}

/** Thrown when a world has too many paths to enumerate. */
export class TooMany extends Error {}

interface Cut {
  readonly zone: string;
  readonly servers: readonly Server[];
}

interface Pending {
  readonly of: string;
  readonly name: string;
  readonly inDomain: boolean;
}

const LIMITS = new Set(['depth-limit', 'query-limit', 'blocked']);

/** Ends of a reply with which a resolver tries no other server. */
const USABLE = new Set(['nxdomain', 'nodata', 'alias-loop']);

export class BruteForce {
  readonly #world: World;
  readonly #ignorePending: boolean;
  #left: number;
  /** "address name type" of every exchange that some path contains. */
  readonly asked = new Set<string>();

  constructor(world: World, pendingLookups: 'kept' | 'ignored', work: number) {
    this.#world = world;
    this.#ignorePending = pendingLookups === 'ignored';
    this.#left = work;
  }

  paths(): readonly Leaf[] {
    return this.#step([this.#root()], this.#world.name, 'A', 0, [], [this.#world.name]);
  }

  resolver(): readonly Leaf[] {
    return this.#resolve([this.#root()], this.#world.name, 'A', 0, [], [this.#world.name]);
  }

  #root(): Cut {
    return { zone: '.', servers: this.#world.roots };
  }

  #spend(leaves: number): void {
    this.#left -= leaves;
    if (this.#left < 0) throw new TooMany();
  }

  #step(
    chain: Cut[],
    name: string,
    type: string,
    depth: number,
    pending: Pending[],
    walked: string[],
  ): Leaf[] {
    const { cut, zone } = last(chain);
    if (depth > this.#world.maxDepth) return [leaf('depth-limit', name, type, zone, null, '')];
    const leaves: Leaf[] = [];
    for (const server of cut.servers) {
      const one: Ratio = [1n, BigInt(cut.servers.length)];
      for (const set of this.#sets(chain, server, name, type, depth, pending)) {
        const reached = times(one, set.p);
        if (set.addresses.length === 0) leaves.push({ ...set, p: reached });
        for (const address of set.addresses) {
          const each = times(reached, [1n, BigInt(set.addresses.length)]);
          for (const rest of this.#visit(chain, server.name, address, name, type, depth, pending, walked)) {
            leaves.push({ ...rest, p: times(each, rest.p), ms: set.ms + rest.ms });
          }
        }
      }
    }
    this.#spend(leaves.length + 1);
    return leaves;
  }

  /** Address sets a server can come to, and ends without one, each by one pair of lookup paths. */
  #sets(chain: Cut[], server: Server, name: string, type: string, depth: number, pending: Pending[]): Leaf[] {
    const { zone } = last(chain);
    const found = this.#addresses(chain, server, depth, pending, (from, n, t, d, p) =>
      this.#step(from, n, t, d, p, [n]),
    );
    if (typeof found === 'string') return [leaf(found, name, type, zone, null, server.name)];
    return found.map((end) => (end.addresses.length > 0 ? end : failed(end, server.name, name, type, zone)));
  }

  #addresses(
    chain: Cut[],
    server: Server,
    depth: number,
    pending: Pending[],
    walk: (from: Cut[], name: string, type: string, depth: number, pending: Pending[]) => Leaf[],
  ): Leaf[] | 'no-glue' | 'loop' {
    const { cut, zone } = last(chain);
    const glue = server.addresses.filter((address) =>
      this.#world.families.includes(address.includes(':') ? 6 : 4),
    );
    if (glue.length > 0) return [{ end: '', kind: 'glue', addresses: glue, p: [1n, 1n], ms: 0 }];
    const before = chain.slice(0, -1);
    while (before.length > 0 && !within(server.name, last(before).zone)) before.pop();
    if (before.length === 0) return 'no-glue';
    const inDomain = within(server.name, zone);
    const me = contentOf(cut);
    if (!this.#ignorePending) {
      if (inDomain && pending.some((other) => other.of === me && other.inDomain)) return 'no-glue';
      if (pending.some((other) => other.name === server.name)) return 'loop';
    }
    const more = [...pending, { of: me, name: server.name, inDomain }];
    const types = this.#world.families.map((family) => (family === 4 ? 'A' : 'AAAA'));
    const [a, b] = types.map((t) => walk(before, server.name, t, depth + 1, more));
    if (a === undefined) throw new Error('no family');
    if (b === undefined) return a.map((end) => (end.kind === 'answer' ? end : { ...end, addresses: [] }));
    this.#spend(a.length * b.length);
    return a.flatMap((x) => b.map((y) => bothOf(x, y)));
  }

  #visit(
    chain: Cut[],
    server: string,
    address: string,
    name: string,
    type: string,
    depth: number,
    pending: Pending[],
    walked: string[],
  ): Leaf[] {
    const seen = meaning(this.#world.says(address, name, type), name, type, last(chain).zone);
    const at = `${server} ${address}`;
    const { zone } = last(chain);
    if (seen.kind === 'end' && LIMITS.has(seen.end)) return [leaf(seen.end, name, type, zone, at, '')];
    this.asked.add(`${address} ${name} ${type}`);
    const ms = this.#world.takes(address, name, type);
    if (seen.kind === 'answer')
      return [{ ...leaf('answer', name, type, zone, at, seen.text), addresses: seen.addresses, ms }];
    if (seen.kind === 'end') return [{ ...leaf(seen.end, name, type, zone, at, seen.text), ms }];
    if (seen.kind === 'referral') {
      return this.#step([...chain, seen.to], name, type, depth + 1, pending, walked).map((rest) =>
        later(rest, ms),
      );
    }
    if (walked.includes(seen.target))
      return [{ ...leaf('alias-loop', name, type, zone, at, seen.target), ms }];
    const from = cutAt(chain, seen.target);
    return this.#step(from, seen.target, type, depth + 1, pending, [...walked, seen.target]).map((rest) =>
      later(rest, ms),
    );
  }

  #resolve(
    chain: Cut[],
    name: string,
    type: string,
    depth: number,
    pending: Pending[],
    walked: string[],
  ): Leaf[] {
    const { cut, zone } = last(chain);
    if (depth > this.#world.maxDepth) return [leaf('depth-limit', name, type, zone, null, '')];
    const perServer = cut.servers.map((server) =>
      this.#realisations(chain, server, name, type, depth, pending),
    );
    const leaves: Leaf[] = [];
    for (const joint of product(perServer)) {
      const orders = permutations(joint);
      this.#spend(orders.length);
      const p = joint.reduce<Ratio>((sum, one) => times(sum, one.p), [1n, BigInt(orders.length)]);
      for (const order of orders) {
        const first = order.find((one) => one.limit !== undefined || one.usable.length > 0);
        if (first === undefined) leaves.push({ ...leaf('servfail', name, type, zone, null, ''), p });
        else if (first.limit !== undefined) leaves.push({ ...first.limit, p });
        else {
          const each = times(p, [1n, BigInt(first.usable.length)]);
          for (const address of first.usable) {
            for (const rest of this.#resolveAt(
              chain,
              first.name,
              address,
              name,
              type,
              depth,
              pending,
              walked,
            )) {
              leaves.push({ ...rest, p: times(each, rest.p) });
            }
          }
        }
      }
    }
    const merged = mergeLeaves(leaves);
    this.#spend(leaves.length);
    return merged;
  }

  #realisations(chain: Cut[], server: Server, name: string, type: string, depth: number, pending: Pending[]) {
    const found = this.#addresses(chain, server, depth, pending, (from, n, t, d, p) =>
      this.#resolve(from, n, t, d, p, [n]),
    );
    const none = { name: server.name, usable: [] as string[], limit: undefined as Leaf | undefined };
    if (typeof found === 'string') return [{ ...none, p: [1n, 1n] as Ratio }];
    return found.map((set) => {
      if (set.addresses.length === 0)
        return { ...none, limit: LIMITS.has(set.kind) ? set : undefined, p: set.p };
      const usable = set.addresses.filter((address) => {
        const seen = meaning(this.#world.says(address, name, type), name, type, last(chain).zone);
        return seen.kind !== 'end' || USABLE.has(seen.end) || LIMITS.has(seen.end);
      });
      return { ...none, usable, p: set.p };
    });
  }

  #resolveAt(
    chain: Cut[],
    server: string,
    address: string,
    name: string,
    type: string,
    depth: number,
    pending: Pending[],
    walked: string[],
  ): Leaf[] {
    const seen = meaning(this.#world.says(address, name, type), name, type, last(chain).zone);
    const at = `${server} ${address}`;
    const { zone } = last(chain);
    if (seen.kind === 'answer')
      return [{ ...leaf('answer', name, type, zone, at, seen.text), addresses: seen.addresses }];
    if (seen.kind === 'end') return [leaf(seen.end, name, type, zone, at, seen.text)];
    if (seen.kind === 'referral')
      return this.#resolve([...chain, seen.to], name, type, depth + 1, pending, walked);
    if (walked.includes(seen.target)) return [leaf('alias-loop', name, type, zone, at, seen.target)];
    return this.#resolve(cutAt(chain, seen.target), seen.target, type, depth + 1, pending, [
      ...walked,
      seen.target,
    ]);
  }
}

type Meaning =
  | { readonly kind: 'answer'; readonly addresses: readonly string[]; readonly text: string }
  | { readonly kind: 'end'; readonly end: string; readonly text: string }
  | { readonly kind: 'alias'; readonly target: string }
  | { readonly kind: 'referral'; readonly to: Cut };

function meaning(said: Said, name: string, type: string, zone: string): Meaning {
  switch (said.kind) {
    case 'answer': {
      const text = [...said.data]
        .sort()
        .map((data) => `${name} ${type} ${data}`)
        .join(',');
      const addresses = said.data.filter((data) => !data.startsWith('\\#'));
      return { kind: 'answer', addresses: [...new Set(addresses)], text };
    }
    case 'alias':
      return { kind: 'alias', target: said.target };
    case 'alias-loop':
      return { kind: 'end', end: 'alias-loop', text: name };
    case 'empty':
      return { kind: 'end', end: 'lame', text: 'empty -' };
    case 'error':
      return { kind: 'end', end: 'error', text: said.rcode };
    case 'ns': {
      if (said.zone !== zone && within(said.zone, zone) && within(name, said.zone)) {
        const servers = said.servers.map((server) => ({
          name: server.name,
          addresses: within(server.name, zone) ? server.addresses : [],
        }));
        return { kind: 'referral', to: { zone: said.zone, servers } };
      }
      const reason = said.zone === zone ? 'self' : within(zone, said.zone) ? 'upward' : 'sideways';
      return { kind: 'end', end: 'lame', text: `${reason} ${said.zone}` };
    }
    default:
      return { kind: 'end', end: said.kind, text: '' };
  }
}

function bothOf(a: Leaf, b: Leaf): Leaf {
  const addresses = [
    ...(a.kind === 'answer' ? a.addresses : []),
    ...(b.kind === 'answer' ? b.addresses : []),
  ];
  const kept = LIMITS.has(b.kind) && !LIMITS.has(a.kind) ? b : a;
  return { ...kept, addresses, p: times(a.p, b.p), ms: Math.max(a.ms, b.ms) };
}

function failed(end: Leaf, nameserver: string, name: string, type: string, zone: string): Leaf {
  const cause = end.cause ?? end;
  const kind = within(nameserver, zone) ? 'no-glue' : 'unresolvable-ns';
  const kept = kind === 'no-glue' && cause.kind === 'no-glue' ? undefined : cause;
  const text = kept === undefined ? nameserver : `${nameserver} because (${kept.end})`;
  const made = leaf(kind, name, type, zone, null, text);
  return { ...made, ...(kept && { cause: kept }), p: end.p, ms: end.ms };
}

function leaf(
  kind: string,
  name: string,
  type: string,
  zone: string,
  server: string | null,
  text: string,
): Leaf {
  return {
    end: [kind, name, type, zone, server ?? '-', text].join('|'),
    kind,
    addresses: [],
    p: [1n, 1n],
    ms: 0,
  };
}

function later(rest: Leaf, ms: number): Leaf {
  return { ...rest, ms: rest.ms + ms };
}

function last(chain: readonly Cut[]): { cut: Cut; zone: string } {
  const cut = chain.at(-1);
  if (cut === undefined) throw new Error('empty chain');
  return { cut, zone: cut.zone };
}

function cutAt(chain: readonly Cut[], target: string): Cut[] {
  const kept = [...chain];
  while (kept.length > 1 && !within(target, last(kept).zone)) kept.pop();
  return kept;
}

function within(name: string, zone: string): boolean {
  return zone === '.' || name === zone || name.endsWith(`.${zone}`);
}

function contentOf(cut: Cut): string {
  const servers = cut.servers.map(
    (server) => `${server.name}=${[...new Set(server.addresses)].sort().join(',')}`,
  );
  return `${cut.zone} ${servers.sort().join(' ')}`;
}

export function times([a, b]: Ratio, [c, d]: Ratio): Ratio {
  return [a * c, b * d];
}

export function plus([a, b]: Ratio, [c, d]: Ratio): Ratio {
  return b === d ? [a + c, b] : [a * d + c * b, b * d];
}

function mergeLeaves(leaves: readonly Leaf[]): Leaf[] {
  const merged = new Map<string, Leaf>();
  for (const one of leaves) {
    const known = merged.get(one.end);
    merged.set(one.end, known === undefined ? one : { ...known, p: plus(known.p, one.p) });
  }
  return [...merged.values()].map((one) => ({ ...one, p: lowest(one.p) }));
}

export function lowest([n, d]: Ratio): Ratio {
  let [x, y] = [n, d];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? [0n, 1n] : [n / x, d / x];
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
