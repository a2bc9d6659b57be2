/* The kinds of change of which svc when tells how long they take, each as a zone before and after. */

import type { Fault } from '../../../src/lab/faults.ts';
import type { ZoneSigning } from '../../../src/lab/signing/zone-signing.ts';

/** A kind of change. TTLs are seconds, few and different. */
export interface Kind {
  readonly name: string;
  /** Relative to the zone. */
  readonly asks: { readonly name: string; readonly type: string };
  readonly before: Shape;
  readonly after: Shape;
  /** Whether users of all its zones ask for the NS records, late; else those of every second zone that changes its servers. */
  readonly asksNs?: boolean;
}

/** A zone, as its parent and its servers have it. */
export interface Shape {
  /** What its parent has; absent: a delegation to `servers`. */
  readonly parent?: { readonly records: string };
  /** Where the names of its servers are: in the zone itself, or in a zone that does not change but for addresses. */
  readonly namesIn?: 'zone' | 'elsewhere';
  readonly servers: readonly ServerShape[];
  /** Servers of before whose addresses are still where their names are. */
  readonly keeps?: readonly ServerShape[];
  /** The zone's records. "~" stands for the zone that does not change, where the names of other zones' servers are. */
  readonly records: string;
  /** Of that zone. */
  readonly elsewhere?: string;
  readonly ttl?: Ttls;
  /** Servers that are not delegated to any more, or not yet. */
  readonly others?: readonly OtherServer[];
  readonly signing?: ZoneSigning;
}

interface Ttls {
  /** Of the NS records at the parent, and the zone's own. */
  readonly parent?: number;
  readonly own?: number;
  /** Of addresses of servers, at the parent and in the zone. */
  readonly glue?: number;
  readonly address?: number;
  /** Of the SOA record, and its field MINIMUM. */
  readonly soa?: number;
  readonly minimum?: number;
}

export interface ServerShape {
  readonly name: string;
  /** The number of its address. */
  readonly at: number;
  /** Data that only this server has. */
  readonly records?: string;
  readonly faults?: readonly Fault[];
}

/** A server at an address of its own, which has the zone in a shape. */
interface OtherServer extends Pick<ServerShape, 'at' | 'faults'> {
  readonly shape: Shape;
}

const ADDRESS = 'www 4 A 192.0.2.1';
const OTHER = 'www 4 A 192.0.2.2';
/** Of a zone that changes its servers. */
const MOVED = 'www 6 A 192.0.2.1';
const ELSEWHERE = 'www 6 A 192.0.2.2';
const www = { name: 'www', type: 'A' };
const OLD: readonly ServerShape[] = [{ name: 'ns1', at: 0 }];
const NEW: readonly ServerShape[] = [{ name: 'ns2', at: 1 }];

/** Other records at the same servers. */
function data(
  name: string,
  before: string,
  after: string,
  { asks = www, ...shape }: Partial<Shape & Pick<Kind, 'asks'>> = {},
): Kind {
  const common = { servers: OLD, ...shape };
  return { name, asks, before: { ...common, records: before }, after: { ...common, records: after } };
}

/** Other servers, which have other data; the old ones go on with the old data but for these faults. */
function move(name: string, faults: readonly Fault[], shape: Partial<Shape> = {}): Kind {
  const before: Shape = { namesIn: 'elsewhere', servers: OLD, records: MOVED, ...shape };
  const after: Shape = {
    ...before,
    servers: NEW,
    ...(before.namesIn === 'elsewhere' && { keeps: before.servers }),
    records: ELSEWHERE,
    others: before.servers.map(({ at, faults: usual = [] }) => ({
      at,
      faults: [...usual, ...faults],
      shape: before,
    })),
  };
  return { name, asks: www, before, after };
}

function withAfter(kind: Kind, after: Partial<Shape>): Kind {
  return { ...kind, after: { ...kind.after, ...after } };
}

/** A server gets another address, where the data are others. */
function renumbering(name: string, faults: readonly Fault[], more: Partial<Shape> = {}): Kind {
  return withAfter(move(name, faults, more), { servers: [{ name: 'ns1', at: 1 }], keeps: [] });
}

const DEAD: readonly Fault[] = [{ kind: 'dead' }];
const REFUSING: readonly Fault[] = [{ kind: 'rcode', rcode: 'REFUSED' }];
const FAILING: readonly Fault[] = [{ kind: 'rcode', rcode: 'SERVFAIL' }];
const UPWARD: readonly Fault[] = [{ kind: 'lame', zone: '.', ns: ['a.root.'] }];
const CARRYING: readonly ServerShape[] = [{ name: 'ns1', at: 0, faults: [{ kind: 'brings-own-ns' }] }];
const TWO: readonly ServerShape[] = [...OLD, { name: 'ns3', at: 2 }];

const DATA: readonly Kind[] = [
  data('an address changes', ADDRESS, OTHER),
  data('an address is added', ADDRESS, `${ADDRESS}\n${OTHER}`),
  data('an address is removed', `${ADDRESS}\n${OTHER}`, ADDRESS),
  data('all addresses are removed, a TXT record stays', `${ADDRESS}\nwww 4 TXT a`, 'www 4 TXT a'),
  data('a name is removed', ADDRESS, ''),
  data('a TXT record changes', 'www 4 TXT a', 'www 4 TXT b', { asks: { name: 'www', type: 'TXT' } }),
  data('an MX record changes', '@ 5 MX 10 a', '@ 5 MX 10 b', { asks: { name: '@', type: 'MX' } }),
  data('an IPv6 address changes', 'www 4 AAAA 2001:db8::1', 'www 4 AAAA 2001:db8::2', {
    asks: { name: 'www', type: 'AAAA' },
  }),
  data('a longer TTL becomes short with the address', 'www 8 A 192.0.2.1', 'www 2 A 192.0.2.2'),
  data('an address with a TTL of 0 changes', 'www 0 A 192.0.2.1', 'www 0 A 192.0.2.2'),
  data('an address with a TTL of 1 changes', 'www 1 A 192.0.2.1', 'www 1 A 192.0.2.2'),
  data('servers give different TTLs', '', OTHER, {
    servers: [
      { name: 'ns1', at: 0, records: 'www 3 A 192.0.2.1' },
      { name: 'ns2', at: 1, records: 'www 7 A 192.0.2.1' },
    ],
  }),
  data('a wildcard changes', '* 4 A 192.0.2.1', '* 4 A 192.0.2.2'),
];

const NEW_NAMES: readonly Kind[] = [
  data('a name is added', '', ADDRESS, { ttl: { soa: 4, minimum: 4 } }),
  data('a type is added', 'www 4 TXT a', `www 4 TXT a\n${ADDRESS}`, { ttl: { soa: 4, minimum: 4 } }),
  data('a name is added, MINIMUM is short', '', ADDRESS, { ttl: { soa: 9, minimum: 3 } }),
  data('a name is added, the TTL of the SOA record is short', '', ADDRESS, { ttl: { soa: 3, minimum: 9 } }),
  data('a wildcard is added', '', '* 4 A 192.0.2.1', { ttl: { soa: 4, minimum: 4 } }),
  data('the target of an alias is added', 'www 9 CNAME a', 'www 9 CNAME a\na 4 A 192.0.2.1', {
    ttl: { soa: 4, minimum: 4 },
  }),
];

const BOTH = 'a 8 A 192.0.2.1\nb 8 A 192.0.2.2';
const ALIASES: readonly Kind[] = [
  data('an alias gets another target', `www 4 CNAME a\n${BOTH}`, `www 4 CNAME b\n${BOTH}`),
  data('the target of an alias changes', 'www 9 CNAME a\na 4 A 192.0.2.1', 'www 9 CNAME a\na 4 A 192.0.2.2'),
  data(
    'an alias and its target change',
    'www 7 CNAME a\na 5 A 192.0.2.1',
    'www 7 CNAME b\na 5 A 192.0.2.3\nb 5 A 192.0.2.2',
  ),
  data('an alias becomes an address', `www 4 CNAME a\n${BOTH}`, `${OTHER}\n${BOTH}`),
  data('an address becomes an alias', `${ADDRESS}\n${BOTH}`, `www 4 CNAME b\n${BOTH}`),
  data('an alias is removed', `www 4 CNAME a\n${BOTH}`, BOTH),
  data(
    'a DNAME gets another target',
    'sub 4 DNAME a\nx.a 8 A 192.0.2.1\nx.b 8 A 192.0.2.2',
    'sub 4 DNAME b\nx.a 8 A 192.0.2.1\nx.b 8 A 192.0.2.2',
    { asks: { name: 'x.sub', type: 'A' } },
  ),
  data(
    'the second of two aliases changes',
    `www 9 CNAME c\nc 4 CNAME a\n${BOTH}`,
    `www 9 CNAME c\nc 4 CNAME b\n${BOTH}`,
  ),
  {
    name: 'the target of an alias changes, in another zone',
    asks: www,
    before: { servers: OLD, records: 'www 9 CNAME www.~', elsewhere: ADDRESS },
    after: { servers: OLD, records: 'www 9 CNAME www.~', elsewhere: OTHER },
  },
];

const MOVES: readonly Kind[] = [
  move('other servers, the old ones alive', []),
  move('other servers, the parent has the longer TTL', [], { ttl: { parent: 9, own: 3 } }),
  move('other servers, the old ones bring the NS records', [], {
    servers: CARRYING,
    ttl: { parent: 3, own: 12 },
  }),
  move('other servers, the old ones bring NS records of a short TTL', [], {
    servers: CARRYING,
    ttl: { parent: 9, own: 3 },
  }),
  { ...move('other servers, and all users ask for the NS records late', []), asksNs: true },
  withAfter(move('other servers in the zone, which keeps the old names', [], { namesIn: 'zone' }), {
    keeps: OLD,
  }),
  move('other servers in the zone, without the old names', [], { namesIn: 'zone' }),
  withAfter(move('one of two servers is another', [], { servers: TWO }), {
    servers: [...NEW, { name: 'ns3', at: 2 }],
  }),
  withAfter(move('other servers, the old ones have the new data', []), {
    others: [{ at: 0, shape: { namesIn: 'elsewhere', servers: NEW, records: ELSEWHERE } }],
  }),
  move('other servers, where a name is added', [], { records: '', ttl: { soa: 6, minimum: 6 } }),
  move('other servers, the old ones dead', DEAD),
  move('other servers, the old ones refuse', REFUSING),
  move('other servers, the old ones fail', FAILING),
  move('other servers, the old ones refer to the root', UPWARD),
  move('other servers, the old ones refuse after bringing NS records', REFUSING, { servers: CARRYING }),
  {
    name: 'the delegation is removed, the old servers alive',
    asks: www,
    before: { namesIn: 'elsewhere', servers: OLD, records: MOVED },
    after: {
      parent: { records: '' },
      namesIn: 'elsewhere',
      keeps: OLD,
      servers: [],
      records: '',
      others: [{ at: 0, shape: { namesIn: 'elsewhere', servers: OLD, records: MOVED } }],
    },
  },
  {
    name: 'a name is delegated',
    asks: www,
    before: { parent: { records: MOVED }, servers: [], records: '' },
    after: { namesIn: 'elsewhere', servers: NEW, records: ELSEWHERE },
  },
  {
    name: 'a delegated name comes back to its parent',
    asks: www,
    before: { namesIn: 'elsewhere', servers: OLD, records: MOVED },
    after: {
      parent: { records: ELSEWHERE },
      namesIn: 'elsewhere',
      keeps: OLD,
      servers: [],
      records: '',
      others: [{ at: 0, shape: { namesIn: 'elsewhere', servers: OLD, records: MOVED } }],
    },
  },
];

const ADDRESSES: readonly Kind[] = [
  renumbering('the glue changes, the old address alive', [], { namesIn: 'zone' }),
  renumbering('the glue changes, the old address dead', DEAD, { namesIn: 'zone' }),
  renumbering('the glue changes, the old address refuses', REFUSING, { namesIn: 'zone' }),
  renumbering('the address of a server elsewhere changes, the old one alive', []),
  renumbering('the address of a server elsewhere changes, the old one dead', DEAD),
];

const [key, otherKey] = [{ label: 'key' }, { label: 'other' }];
const ds = (...keys: readonly { readonly label: string }[]) => keys.map((one) => ({ key: one }));

/** Another signing of the same data at the same servers. */
function signing(name: string, before: ZoneSigning | undefined, after: ZoneSigning | undefined): Kind {
  const shape = (one: ZoneSigning | undefined): Shape => ({
    servers: OLD,
    records: ADDRESS,
    ttl: { soa: 6, minimum: 4 },
    ...(one && { signing: one }),
  });
  return { name, asks: www, before: shape(before), after: shape(after) };
}

const signs = { keys: [key] } as const;
const ZSK = { label: 'zsk', signs: 'data', flags: 256 } as const;
const OTHER_ZSK = { label: 'other zsk', signs: 'data', flags: 256 } as const;
const KSK = { label: 'ksk', signs: 'keys' } as const;

const KEYS: readonly Kind[] = [
  data('an address of a signed zone changes', ADDRESS, OTHER, { signing: signs }),
  data('a name of a signed zone is added', '', ADDRESS, {
    signing: signs,
    ttl: { soa: 4, minimum: 4 },
  }),
  signing('DS records are added to a signed zone', { ...signs, ds: [] }, signs),
  signing('DS records are removed, the zone stays signed', signs, { ...signs, ds: [] }),
  signing('DS records and signatures are removed at once', signs, undefined),
  signing('the key and the DS records are replaced at once', signs, { keys: [otherKey] }),
  signing(
    'DS records are replaced, both keys sign',
    { keys: [key, otherKey], ds: ds(key) },
    { keys: [key, otherKey], ds: ds(otherKey) },
  ),
  signing(
    'the key that signs the data is replaced at once',
    { keys: [KSK, ZSK], ds: ds(KSK) },
    { keys: [KSK, OTHER_ZSK], ds: ds(KSK) },
  ),
  signing(
    'a published key begins to sign',
    { keys: [KSK, ZSK, { ...OTHER_ZSK, signs: 'nothing' }], ds: ds(KSK) },
    { keys: [KSK, { ...ZSK, signs: 'nothing' }, OTHER_ZSK], ds: ds(KSK) },
  ),
  signing(
    'a second key begins to sign with the first',
    { keys: [key] },
    { keys: [key, otherKey], ds: ds(key) },
  ),
];

const LONG_LIVED: Kind = (() => {
  const one = signing(
    'the key that signs the data is replaced at once, and the TTL becomes long',
    { keys: [KSK, ZSK], ds: ds(KSK) },
    { keys: [KSK, OTHER_ZSK], ds: ds(KSK) },
  );
  return { ...one, after: { ...one.after, records: 'www 20 A 192.0.2.1' } };
})();

/** Whether a change is about the servers of a zone. */
export function changesServers({ before, after }: Kind): boolean {
  return JSON.stringify([before.servers, before.parent]) !== JSON.stringify([after.servers, after.parent]);
}

/** Whether the old servers do not go on as before, of which no traversal after the change learns anything. */
export function breaksOldServers({ before, after }: Kind): boolean {
  const faultsAt = ({ at }: { readonly at: number }) =>
    before.servers.find((one) => one.at === at)?.faults ?? [];
  return (after.others ?? []).some(
    (old) => old.faults?.length !== faultsAt(old).length && old.faults !== undefined,
  );
}

/** All of them. */
export const KINDS: readonly Kind[] = [
  ...DATA,
  ...NEW_NAMES,
  ...ALIASES,
  ...MOVES,
  ...ADDRESSES,
  ...KEYS,
  LONG_LIVED,
];

/** Twelve of them, of every sort. */
export const SAMPLE: readonly Kind[] = KINDS.filter(({ name }) =>
  [
    'an address changes',
    'a name is added',
    'an alias and its target change',
    'other servers, the old ones alive',
    'other servers, the old ones bring the NS records',
    'other servers, and all users ask for the NS records late',
    'other servers, the old ones refuse',
    'the delegation is removed, the old servers alive',
    'the glue changes, the old address alive',
    'an address of a signed zone changes',
    'the key and the DS records are replaced at once',
    'the key that signs the data is replaced at once',
  ].includes(name),
);
