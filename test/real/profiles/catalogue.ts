import type { AddressSpec, Alias, FaultWorld, NameServerSpec, Trouble, TroubleKind } from './fault-world.ts';

/*
 * The situations that are measured, as data: a zone, its servers, what is wrong with them, and what is asked for. `decide.ts`
 * says which data of a profile follow from what products do in them. Where one of several servers differs it is number 0, and
 * "stale"; the others are "fresh".
 */

/** A world in which products are watched. */
export interface Situation {
  /** Unique. */
  readonly name: string;
  readonly world: FaultWorld;
  /** Whether few look-ups may be under way at once, as those that wait for connections hinder each other. */
  readonly sparse?: true;
}

/** What a server may reply to the whole name, by the kind of reply that it is to a profile. */
export const WHOLE_TROUBLES = {
  'answer-without-aa': 'SOA without AA',
  nxdomain: 'NXDOMAIN',
  'nxdomain-bare': 'NXDOMAIN without SOA and AA',
  nodata: 'NODATA',
  'nodata-without-aa': 'NODATA without AA',
  'nodata-without-soa': 'NODATA without SOA',
  'other-records': "another name's record",
  'lame-upward': 'upward referral',
  'lame-self': 'self referral',
  'lame-sideways': 'sideways referral',
  'lame-empty': 'nothing, without AA',
  'lame-other-records': "another name's record, without AA",
  'answer-malformed': 'an address of three octets',
  FORMERR: 'FORMERR',
  SERVFAIL: 'SERVFAIL',
  NOTIMP: 'NOTIMP',
  REFUSED: 'REFUSED',
  YXDOMAIN: 'YXDOMAIN',
  'other-rcode': 'NOTAUTH',
  malformed: 'garbage',
  unreachable: 'closed port',
  timeout: 'silence',
} as const satisfies Readonly<Record<string, TroubleKind>>;

/** The same for minimised names. */
export const MINIMISED_TROUBLES = {
  nxdomain: 'NXDOMAIN',
  'nxdomain-bare': 'NXDOMAIN without SOA and AA',
  'nodata-without-aa': 'SOA without AA',
  'nodata-without-soa': 'NODATA without SOA',
  'other-records': "another name's record",
  alias: 'an alias',
  'lame-upward': 'upward referral',
  'lame-self': 'self referral',
  'lame-sideways': 'sideways referral',
  'lame-empty': 'nothing, without AA',
  'lame-other-records': "another name's record, without AA",
  FORMERR: 'FORMERR',
  SERVFAIL: 'SERVFAIL',
  NOTIMP: 'NOTIMP',
  REFUSED: 'REFUSED',
  YXDOMAIN: 'YXDOMAIN',
  'other-rcode': 'NOTAUTH',
  malformed: 'garbage',
  timeout: 'silence',
} as const satisfies Readonly<Record<string, TroubleKind>>;

/** What a server may say that leads to a query in another way. */
export const FALLBACK_TROUBLES = {
  FORMERR: 'FORMERR to EDNS',
  'FORMERR-with-opt': 'FORMERR with OPT to EDNS',
  NOTIMP: 'NOTIMP to EDNS',
  BADVERS: 'BADVERS to EDNS',
  'case-lost': 'the question in lower case',
  truncated: 'truncation',
} as const satisfies Readonly<Record<string, TroubleKind>>;

const fresh = at('fresh');
const stale = at('stale');
const glued = server('glue', fresh);
const elsewhere = server('elsewhere', fresh);

/** The names asked for, by how deep they are below the zone. */
export const DEEP_HOSTS = ['www', 'www.x.y', 'www.k.j.i.h.g.f.e.d.c.b.a'] as const;

/** All situations. */
export const CATALOGUE: readonly Situation[] = [
  ...entries(WHOLE_TROUBLES).flatMap(([, kind]) =>
    troubles(kind, 'the whole name', 'www', ['1 of 2', '2 of 2']),
  ),
  ...entries(MINIMISED_TROUBLES).flatMap(([, kind]) =>
    troubles(kind, 'minimised questions', 'www.x.y', ['1 of 2', '1 of 1', '2 of 2']),
  ),
  ...entries(FALLBACK_TROUBLES).flatMap(([, kind]) =>
    troubles(kind, 'every question', 'www', ['1 of 1', '1 of 2']),
  ),
  ...DEEP_HOSTS.flatMap((host) => [
    of(`names: ${host} A`, { host, nameServers: [glued] }),
    of(`names: ${host} TXT`, { host, type: 'TXT', nameServers: [glued] }),
  ]),
  of('picks: a name with 3 addresses, a name with 1', {
    nameServers: [server('glue', fresh, fresh, fresh), server('glue', stale)],
  }),
  of('picks: with glue, without glue', { nameServers: [server('glue', stale), elsewhere] }),
  of('picks: with glue, 3 without glue, 3 labels', {
    host: 'www.x.y',
    nameServers: [server('glue', stale), elsewhere, elsewhere, elsewhere],
  }),
  of('picks: 4 with glue, 3 labels', { host: 'www.x.y', nameServers: [glued, glued, glued, glued] }),
  of('picks: 3 with glue, an error, 3 labels', {
    host: 'www.x.y',
    nameServers: [server('glue', troubled('REFUSED', 'minimised questions', 'stale')), glued, glued],
  }),
  ...[20, 60, 100, 150].map((latencyMs) =>
    of(`busy: ${latencyMs} ms slower`, {
      before: 'twenty names',
      nameServers: [server('glue', { ...stale, latencyMs }), glued],
    }),
  ),
  ...[['parent', 'sibling'] as const]
    .flat()
    .map((where) =>
      of(`glue: in-domain, ${where}`, { nameServers: [server('glue', stale), server(where, fresh)] }),
    ),
  of('glue: registry address of a sibling REFUSED, own address in order', {
    nameServers: [
      {
        ...server('sibling', fresh),
        registered: [troubled('REFUSED', 'every question', 'stale')],
      },
    ],
  }),
  alias('alias: target with the same parent, 3 servers', { target: 'same parent', stale: 'kept' }, [
    fresh,
    fresh,
    fresh,
  ]),
  alias('alias: target deeper, 3 servers', { target: 'deeper', stale: 'kept' }, [fresh, fresh, fresh]),
  alias('alias: leads back at 1 of 2', { target: 'beside', stale: 'loop' }, [stale, fresh]),
  alias('alias: to itself at 1 of 2', { target: 'beside', stale: 'itself' }, [stale, fresh]),
  of('families: IPv4, IPv6', { nameServers: [server('glue', stale), server('glue', v6(fresh))] }),
  of('families: IPv6 alone', { nameServers: [server('glue', v6(fresh))] }),
  of('tries: 8 of 8 REFUSED', {
    nameServers: Array.from({ length: 8 }, () => server('glue', troubled('REFUSED'))),
  }),
  of('tries: 1 of 1 REFUSED', { nameServers: [server('glue', troubled('REFUSED'))] }),
  of('tries: 1 of 1 takes 600 ms', { nameServers: [server('glue', { ...fresh, latencyMs: 600 })] }),
  of('tries: 1 of 1 silent', { nameServers: [server('glue', troubled('silence'))] }),
  of('tries: 1 of 1 closed port', { nameServers: [server('glue', troubled('closed port'))] }),
  of('own NS records: another server in order, known', {
    before: 'own NS records',
    ownSet: [fresh],
    nameServers: [server('glue', stale)],
  }),
  of('own NS records: another server in order, known, 3 labels', {
    host: 'www.x.y',
    before: 'own NS records',
    ownSet: [fresh],
    nameServers: [server('glue', stale)],
  }),
  of('own NS records: another server refuses, known', {
    before: 'own NS records',
    ownSet: [troubled('REFUSED', 'every question')],
    nameServers: [server('glue', stale)],
  }),
  ...(['truncation, TCP closed', 'truncation, TCP silent', 'truncation, TCP dropped'] as const).map(
    (kind): Situation => ({
      ...of(`${kind}: 1 of 2`, {
        nameServers: [server('glue', troubled(kind, 'every question', 'stale')), glued],
      }),
      sparse: true,
    }),
  ),
];

/** With which shares of its servers a zone has a kind of trouble. */
export type Of = '1 of 1' | '1 of 2' | '2 of 2';

/** The name of the situation in which so many servers have that trouble. */
export function nameOf(kind: TroubleKind, scope: Trouble['with'], ofAll: Of): string {
  return `${kind} to ${scope}: ${ofAll}`;
}

function troubles(
  kind: TroubleKind,
  scope: Trouble['with'],
  host: string,
  shares: readonly Of[],
): readonly Situation[] {
  const bad = troubled(kind, scope, 'stale');
  const servers = {
    '1 of 1': [server('glue', bad)],
    '1 of 2': [server('glue', bad), glued],
    '2 of 2': [server('glue', bad), server('glue', bad)],
  };
  return shares.map((share) => of(nameOf(kind, scope, share), { host, nameServers: servers[share] }));
}

function alias(name: string, spec: Alias, versions: readonly AddressSpec[]): Situation {
  return of(name, { alias: spec, nameServers: versions.map((version) => server('glue', version)) });
}

function of(name: string, world: Omit<FaultWorld, 'seed' | 'host'> & { readonly host?: string }): Situation {
  return { name, world: { seed: 0, host: 'www', network: 'uneven', ...world } };
}

function entries<K extends string, V>(table: Readonly<Record<K, V>>): readonly (readonly [string, V])[] {
  return Object.entries<V>(table);
}

function server(
  where: NameServerSpec['addressesFrom'],
  ...addresses: readonly AddressSpec[]
): NameServerSpec {
  return { addressesFrom: where, addresses };
}

function troubled(
  kind: TroubleKind,
  scope: Trouble['with'] = 'every question',
  version: AddressSpec['version'] = 'fresh',
): AddressSpec {
  return { ...at(version), trouble: { kind, with: scope } };
}

function v6(spec: AddressSpec): AddressSpec {
  return { ...spec, family: 'IPv6' };
}

function at(version: AddressSpec['version']): AddressSpec {
  return { version, latencyMs: 0 };
}
