/* How long resolvers can hold what servers no longer say, by the TTLs seen: svc-wait(1), OLD COPIES. */

import type { Name } from '../../dns/name.ts';
import { type ResourceRecord, targetOf } from '../../dns/record.ts';
import type { ExchangeRow } from '../../document/exchanges.ts';
import type { TraversalResult } from '../../document/result.ts';
import { grouped } from '../../document/words/lists.ts';
import { asked, plain } from '../../document/words/names.ts';

/** RRsets, and denials, that a resolver can have from these servers, by a text that is equal if they are the same. */
export type Copies = ReadonlyMap<string, Copy>;

/** An RRset, or the denial of one, as a resolver can hold it. */
interface Copy {
  /** `parent`: NS records of a delegation; `own`: the zone's own; `address`: of a name server. */
  readonly kind: 'data' | 'parent' | 'own' | 'address';
  readonly owner: Name;
  readonly type: string;
  /** Seconds. */
  readonly ttl: number;
}

type Replies = Pick<TraversalResult, 'exchanges'>;

/** What a resolver could hold after any of these replies. `before`: what it could hold already. */
export function copiesIn({ exchanges }: Replies, before: Copies = new Map()): Copies {
  const copies = new Map(before);
  const servers = new Set(exchanges.flatMap(recordsOf).flatMap(serverNameIn));
  for (const exchange of exchanges.filter(({ purpose }) => purpose !== 'check'))
    for (const [key, copy] of copiesOf(exchange, servers))
      copies.set(key, { ...copy, ttl: Math.max(copy.ttl, copies.get(key)?.ttl ?? 0) });
  return copies;
}

function recordsOf({ answer = [], authority = [], additional = [] }: ExchangeRow): readonly ResourceRecord[] {
  return [...answer, ...authority, ...additional];
}

function serverNameIn(record: ResourceRecord): readonly Name[] {
  const name = record.type === 'NS' ? targetOf(record) : undefined;
  return name === undefined ? [] : [name];
}

function copiesOf(exchange: ExchangeRow, servers: ReadonlySet<Name>): readonly (readonly [string, Copy])[] {
  const { question, answer = [], authority = [] } = exchange;
  const denial = authority.find(({ type }) => type === 'SOA');
  const isReferral = [...answer].length === 0 && denial === undefined;
  const kindOf = ({ name, type }: ResourceRecord): Copy['kind'] => {
    if (type === 'NS') return isReferral ? 'parent' : 'own';
    return ADDRESS_TYPES.has(type) && servers.has(name) ? 'address' : 'data';
  };
  const held = recordsOf(exchange).filter(({ type }) => !NOT_HELD.has(type) || type === question.type);
  const sets = grouped(held, ({ name, type }) => `${name} ${type}`).map((set) => {
    const [{ name: owner, type }] = set;
    const kind = kindOf(set[0]);
    const data = set.map((record) => record.data).sort();
    return [[kind, owner, type, ...data].join(' '), { kind, owner, type, ttl: longest(set) }] as const;
  });
  if (denial === undefined) return sets;
  const { name: owner, type } = question;
  return [...sets, [`denial ${owner} ${type}`, { kind: 'data', owner, type, ttl: denial.ttl }]];
}

const ADDRESS_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA']);

/** Signatures and proofs are held with the records they belong to, and a SOA record with the denial. */
const NOT_HELD: ReadonlySet<string> = new Set(['RRSIG', 'NSEC', 'NSEC3', 'SOA', 'OPT']);

function longest(copies: readonly { readonly ttl: number }[]): number {
  return Math.max(...copies.map(({ ttl }) => ttl));
}

/** A TTL that counts: how long a copy of something lives, in seconds. */
export interface Lifetime {
  /** "www.example.com A", "the NS records of example.com at its parent". */
  readonly what: string;
  readonly ttl: number;
}

/**
 * The TTLs whose sum, with a second more for each, is the longest that a resolver can go on with what it got before now.
 * For each zone whose name servers changed: the NS records at its parent, then those of its own, which the old servers
 * may still give. For each with a server at another address: that address. At last the longest of the data.
 */
export function lifetimes(before: Copies, now: Replies): readonly Lifetime[] {
  const today = copiesIn(now);
  const old = [...before].flatMap(([key, copy]) => (today.has(key) || copy.ttl === 0 ? [] : [copy]));
  const servers = serversByZone(now);
  const nsSets = old.filter(({ kind }) => kind === 'parent' || kind === 'own');
  const addresses = [...servers].flatMap(([zone, names]) => {
    const moved = old.filter(({ kind, owner }) => kind === 'address' && names.has(owner));
    return moved.length === 0
      ? []
      : [{ what: `an address of a server of ${plain(zone)}`, ttl: longest(moved) }];
  });
  const data = old.filter(({ kind }) => kind === 'data').sort((a, b) => b.ttl - a.ttl);
  return [
    ...grouped(nsSets, ({ kind, owner }) => `${kind} ${owner}`).map((alike) => ({
      what: nsWords(alike[0]),
      ttl: longest(alike),
    })),
    ...addresses,
    ...data.slice(0, 1).map(({ owner, type, ttl }) => ({ what: asked({ name: owner, type }), ttl })),
  ];
}

function nsWords({ kind, owner }: Copy): string {
  return kind === 'parent'
    ? `the NS records of ${plain(owner)} at its parent`
    : `${plain(owner)}'s own NS records`;
}

/** The names of the name servers of each zone, at its parent and of its own. */
function serversByZone({ exchanges }: Replies): ReadonlyMap<Name, ReadonlySet<Name>> {
  const records = exchanges.flatMap(recordsOf).filter(({ type }) => type === 'NS');
  return new Map(
    grouped(records, ({ name }) => name).map((alike) => [
      alike[0].name,
      new Set(alike.flatMap(serverNameIn)),
    ]),
  );
}

/** How long the last of these can live, in milliseconds: resolvers count whole seconds, so each may live a second longer. */
export function lifetimeMs(lives: readonly Lifetime[]): number {
  return lives.reduce((sum, { ttl }) => sum + (ttl + 1) * 1_000, 0);
}
