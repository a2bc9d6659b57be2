import type {
  AddressSpec,
  Alias,
  FaultWorld,
  Host,
  NameServerSpec,
  Trouble,
  TroubleKind,
} from './fault-world.ts';

/** A world and what it is about. */
export interface Situation {
  /** Unique. */
  readonly name: string;
  readonly world: FaultWorld;
}

const ALIAS_TARGETS = ['beside', 'deeper', 'same parent', 'other zone'] as const;
const HOSTS = ['www', 'www.x.y'] as const;

/** Alias and target in one reply. */
export const aliases: readonly Situation[] = [
  ...HOSTS.flatMap((host) =>
    ALIAS_TARGETS.flatMap((target) => [
      alias(`kept ${target} ${host}: 3 fresh`, host, { target, stale: 'kept' }, ['fresh', 'fresh', 'fresh']),
      alias(`moved ${target} ${host}: 1 of 2 stale`, host, { target, stale: 'moved' }, ['stale', 'fresh']),
      alias(`moved ${target} ${host}: 1 of 3 stale`, host, { target, stale: 'moved' }, [
        'stale',
        'fresh',
        'fresh',
      ]),
    ]),
  ),
  alias('loop beside: 1 of 2', 'www', { target: 'beside', stale: 'loop' }, ['stale', 'fresh']),
  alias('loop deeper: 1 of 2', 'www', { target: 'deeper', stale: 'loop' }, ['stale', 'fresh']),
  alias('loop other zone: 1 of 2', 'www', { target: 'other zone', stale: 'loop' }, ['stale', 'fresh']),
  alias('itself: 1 of 2', 'www', { target: 'beside', stale: 'itself' }, ['stale', 'fresh']),
  alias('itself: 2 of 2', 'www', { target: 'beside', stale: 'itself' }, ['stale', 'stale']),
  alias('loop: 2 of 2', 'www', { target: 'beside', stale: 'loop' }, ['stale', 'stale']),
];

function alias(
  name: string,
  host: Host,
  spec: Alias,
  versions: readonly AddressSpec['version'][],
): Situation {
  return {
    name: `alias ${name}`,
    world: {
      seed: 0,
      host,
      alias: spec,
      nameServers: versions.map((version) => server('glue', at(version))),
    },
  };
}

function zone(
  name: string,
  nameServers: readonly NameServerSpec[],
  more: Partial<FaultWorld> = {},
): Situation {
  return { name, world: { seed: 0, host: 'www', nameServers, ...more } };
}

const fresh = at('fresh');
const stale = at('stale');

export const aliases2 = aliases.filter(({ name }) => name.includes('same parent'));

/** Whose addresses in a referral are believed. */
export const glue: readonly Situation[] = [
  zone('glue in-zone stale, parent fresh', [server('glue', stale), server('parent', fresh)]),
  zone('glue in-zone stale, sibling fresh', [server('glue', stale), server('sibling', fresh)]),
  zone('glue in-zone stale, elsewhere fresh', [server('glue', stale), server('elsewhere', fresh)]),
  zone('glue parent stale, sibling fresh', [server('parent', stale), server('sibling', fresh)]),
  zone('glue parent stale, elsewhere fresh', [server('parent', stale), server('elsewhere', fresh)]),
  zone('glue sibling stale, elsewhere fresh', [server('sibling', stale), server('elsewhere', fresh)]),
  zone('glue 3 siblings, 1 stale', [
    server('sibling', stale),
    server('sibling', fresh),
    server('sibling', fresh),
  ]),
  zone('glue 3 parents, 1 stale', [
    server('parent', stale),
    server('parent', fresh),
    server('parent', fresh),
  ]),
  zone('glue 3 elsewhere, 1 stale', [
    server('elsewhere', stale),
    server('elsewhere', fresh),
    server('elsewhere', fresh),
  ]),
  // The registry has another address than the zone of the name: who is asked shows which is used.
  ...(['glue', 'parent', 'sibling'] as const).flatMap((where) => [
    zone(`glue of ${where} stale, own address fresh`, [moved(where, stale, fresh)]),
    zone(`glue of ${where} stale, own address fresh, names known`, [moved(where, stale, fresh)], {
      before: 'server names',
    }),
    zone(`glue of ${where} stale, own address fresh, twice`, [
      moved(where, stale, fresh),
      moved(where, stale, fresh),
    ]),
  ]),
  ...(['parent', 'sibling', 'elsewhere'] as const).flatMap((where) => [
    zone(`glue in-zone stale, ${where} fresh, names known`, [server('glue', stale), server(where, fresh)], {
      before: 'server names',
    }),
    zone(
      `glue in-zone stale, ${where} fresh, other zone known`,
      [server('glue', stale), server(where, fresh)],
      {
        before: 'another zone',
      },
    ),
  ]),
];

const refusing = troubled('REFUSED');
const silent = troubled('silence');

/** When a name that has glue is looked up all the same. */
export const glueFails: readonly Situation[] = (['glue', 'parent', 'sibling'] as const).flatMap((where) =>
  (
    [
      ['REFUSED', refusing],
      ['silent', silent],
      ['SERVFAIL', troubled('SERVFAIL')],
      ['lame', troubled('upward referral')],
    ] as const
  ).flatMap(([what, bad]) => [
    zone(`glue of ${where} ${what}, own address fresh: 1 of 1`, [moved(where, bad, fresh)]),
    zone(`glue of ${where} ${what}, own address fresh: 2 of 2`, [
      moved(where, bad, fresh),
      moved(where, bad, fresh),
    ]),
    zone(`glue of ${where} ${what}, own address fresh: beside stale`, [
      moved(where, bad, fresh),
      server('glue', stale),
    ]),
  ]),
);

const EDNS = [
  'FORMERR to EDNS',
  'FORMERR with OPT to EDNS',
  'NOTIMP to EDNS',
  'SERVFAIL to EDNS',
  'silence to EDNS',
] as const;
/** EDNS refused. */
export const edns: readonly Situation[] = EDNS.flatMap((kind) => [
  zone(`${kind}: 1 of 1`, [server('glue', troubled(kind))]),
  zone(`${kind}: 1 of 2`, [server('glue', troubled(kind, 'stale')), server('glue', fresh)]),
  zone(`${kind}: 2 of 2`, [server('glue', troubled(kind, 'stale')), server('glue', troubled(kind))]),
]);

const ODD = [
  'an address of three octets',
  'the question in lower case',
  'garbage',
  'truncation, also over TCP',
] as const;
/** Data and messages that are not in order. */
export const odd: readonly Situation[] = ODD.flatMap((kind) => [
  zone(`${kind}: 1 of 1`, [server('glue', troubled(kind))]),
  zone(`${kind}: 1 of 2`, [server('glue', troubled(kind, 'stale')), server('glue', fresh)]),
  zone(`${kind}: 2 of 3`, [
    server('glue', troubled(kind, 'stale')),
    server('glue', troubled(kind, 'stale')),
    server('glue', fresh),
  ]),
]);

const TCP = [
  'truncation',
  'truncation, TCP closed',
  'truncation, TCP silent',
  'truncation, TCP dropped',
] as const;
/** What comes after truncation. */
export const tcp: readonly Situation[] = TCP.flatMap((kind) => [
  zone(`${kind}: 1 of 1`, [server('glue', troubled(kind))]),
  zone(`${kind}: 1 of 2`, [server('glue', troubled(kind, 'stale')), server('glue', fresh)]),
  zone(`${kind}: 1 of 2, both truncate`, [
    server('glue', troubled(kind, 'stale')),
    server('glue', troubled('truncation')),
  ]),
  zone(`${kind}: 1 of 3`, [
    server('glue', troubled(kind, 'stale')),
    server('glue', fresh),
    server('glue', fresh),
  ]),
]);

/** Address families. */
export const families: readonly Situation[] = [
  zone('v4 stale, v6 fresh, two names', [server('glue', stale), server('glue', v6(fresh))]),
  zone('v4 stale, v6 fresh, one name', [server('glue', stale, v6(fresh))]),
  zone('v4 stale and v6 fresh each, two names', [
    server('glue', stale, v6(fresh)),
    server('glue', stale, v6(fresh)),
  ]),
  zone('v4 only', [server('glue', stale)]),
  zone('v6 only', [server('glue', v6(fresh))]),
  ...[10, 30, 60, 100, 200].map((ms) =>
    zone(`v4 stale, v6 fresh ${ms} ms slower`, [
      server('glue', stale),
      server('glue', v6({ ...fresh, latencyMs: 10 + ms })),
    ]),
  ),
  zone('v4 stale, v6 silent', [server('glue', stale), server('glue', v6(silent))]),
  zone('v4 silent, v6 fresh', [server('glue', silent), server('glue', v6(fresh))]),
  zone('v4 stale elsewhere, v6 fresh glue', [server('elsewhere', stale), server('glue', v6(fresh))]),
  zone('v4 fresh glue, v4 and v6 stale elsewhere', [
    server('glue', fresh),
    server('elsewhere', stale, v6(stale)),
  ]),
];

/** Servers without glue beside one with. */
export const lookedUp: readonly Situation[] = [
  ...[0, 5, 10, 20, 40, 100].map((nameLatencyMs) =>
    zone(`glue stale, elsewhere fresh, name after ${nameLatencyMs} ms`, [
      server('glue', stale),
      { ...server('elsewhere', fresh), nameLatencyMs },
    ]),
  ),
  ...[0, 10, 40].map((nameLatencyMs) =>
    zone(`glue stale after 40 ms, 3 elsewhere fresh, names after ${nameLatencyMs} ms`, [
      server('glue', { ...stale, latencyMs: 40 }),
      ...[0, 1, 2].map(() => ({ ...server('elsewhere', fresh), nameLatencyMs })),
    ]),
  ),
  zone('minimised: glue stale, elsewhere fresh', [server('glue', stale), server('elsewhere', fresh)], {
    host: 'www.x.y',
  }),
  zone(
    'minimised: glue stale, 3 elsewhere fresh',
    [server('glue', stale), ...[0, 1, 2].map(() => server('elsewhere', fresh))],
    { host: 'www.x.y' },
  ),
];

function v6(spec: AddressSpec): AddressSpec {
  return { ...spec, family: 'IPv6' };
}

/** A server whose address at the registry is another one than it has. */
function moved(
  where: NameServerSpec['addressesFrom'],
  registered: AddressSpec,
  own: AddressSpec,
): NameServerSpec {
  return { addressesFrom: where, addresses: [own], registered: [registered] };
}

function troubled(kind: TroubleKind, version: AddressSpec['version'] = 'fresh'): AddressSpec {
  const trouble: Trouble = { kind, with: 'every question' };
  return { ...at(version), trouble };
}

function server(
  where: NameServerSpec['addressesFrom'],
  ...addresses: readonly AddressSpec[]
): NameServerSpec {
  return { addressesFrom: where, addresses };
}

function at(version: AddressSpec['version']): AddressSpec {
  return { version, latencyMs: 10 };
}
