import { readFileSync } from 'node:fs';
import { getOrMake } from '../base/memo.ts';
import type { Fault } from './faults.ts';
import type { Signings } from './signing/zone-signing.ts';
import type { ServerSpec, World } from './world.ts';

/**
 * The demo: a root, two top-level domains, two hosters and their customers, with one of each
 * classic mistake (see `showcases`). Most of its zones are signed, which only those see who ask for
 * signatures. Its addresses are those reserved for documentation, so they belong to nobody.
 * Its zones are the files in `demo`.
 */
export function demoWorld(): World {
  const servers = [...rootServers(), ...registries(), ...harbour(), ...meadow(), ...customers()];
  return { servers, signed: DEMO_SIGNED };
}

/** The demo's servers are near, and slow only where they are meant to be. */
export const DEMO_OPTIONS = { rate: 0, timeoutMs: 300, retries: 1, specialTargets: 'allowed' } as const;

/** The root servers of the demo. */
export function demoRoots(): World {
  return { servers: rootServers() };
}

function rootServers(): ServerSpec[] {
  // Where the network is a hotel's, a resolver answers in the place of every root server.
  const intercepted = { zone: 'hotel.example.' };
  const common = {
    zones: zones('root', 'hotel.example'),
    faults: [
      latency(1),
      { kind: 'not-authoritative', only: intercepted },
      { kind: 'recursion-available', only: intercepted },
    ],
  } as const;
  return [
    { ...common, ...at('a.root.', '192.0.2.1', '2001:db8::1'), version: 'NSD 4.8.0', id: 'a1.fra' },
    { ...common, ...at('b.root.', '192.0.2.2', '2001:db8::2'), version: 'Knot DNS 3.3.8', id: 'b3.ams' },
    {
      ...common,
      ...at('c.root.', '192.0.2.3', '2001:db8::3'),
      version: '9.18.49',
      id: 'c2.lhr',
      nsid: 'c2.lhr.root',
    },
  ];
}

/** The servers of the two top-level domains. The second server of `test` has missed an update. */
function registries(): ServerSpec[] {
  const example = serving('example', latency(1));
  return [
    { ...example, ...at('a.nic.example.', '192.0.2.11', '2001:db8::11'), version: '9.18.49' },
    { ...example, ...at('b.nic.example.', '192.0.2.12', '2001:db8::12'), version: 'NSD 4.8.0' },
    {
      ...at('a.nic.test.', '192.0.2.21', '2001:db8::21'),
      ...serving('test', latency(1)),
      version: 'Knot DNS 3.3.8',
    },
    {
      ...at('b.nic.test.', '192.0.2.22', '2001:db8::22'),
      ...serving('test.before', latency(1)),
      version: 'Knot DNS 3.2.6',
    },
  ];
}

/** The hoster Harbour: two servers, the second of which is not as well kept as the first. */
function harbour(): ServerSpec[] {
  const onBoth = zones(
    'harbour.example',
    'shop.example',
    '100.51.198.in-addr.arpa',
    '1.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
    'magazine.example',
    'circle.example',
    'moved.example',
    'copied.example',
    'offices.example',
    'mixed.example',
    'expired.example',
    'rollover.example',
    'new-key.example',
    'lost-key.example',
    'denial.example',
    'unsigned.example',
  );
  // A load balancer in front of both drops questions of a type that it does not know.
  const silentToNs = { kind: 'dead', only: { name: 'paris.offices.example.', type: 'NS' } } as const;
  // The software of both denies names with records that prove nothing.
  const wrongDenials = { kind: 'wrong-proof', only: { zone: 'denial.example.' } } as const;
  return [
    {
      ...at('ns1.harbour.example.', '198.51.100.1', '2001:db8:1::1'),
      zones: [
        ...onBoth,
        ...zones('lame.example', 'forgotten.example', 'stale.example', 'sale.example'),
        ...zones('dead.example', 'old.example', 'letters.example', 'firewall.example', 'intranet.example'),
      ],
      turns: harbourTurns(0),
      faults: [latency(1), wrongDenials, silentToNs],
      version: 'PowerDNS Authoritative Server 4.9.1',
      hostname: 'ns1.harbour.example',
    },
    {
      ...at('ns2.harbour.example.', '198.51.100.2', '2001:db8:1::2'),
      zones: [...onBoth, ...zones('stale.example.before', 'sale.example.before')],
      turns: harbourTurns(1),
      signed: SECOND_SIGNED,
      faults: [
        latency(1),
        { kind: 'lame', zone: '.', ns: ['a.root.', 'b.root.', 'c.root.'], only: { zone: 'lame.example.' } },
        wrongDenials,
        silentToNs,
        { kind: 'rcode', rcode: 'NXDOMAIN', only: { name: 'berlin.offices.example.' } },
      ],
      version: 'PowerDNS Authoritative Server 4.7.4',
      hostname: 'ns2.harbour.example',
    },
  ];
}

/** What one of Harbour's servers, the first or the second, answers by turns. */
function harbourTurns(server: 0 | 1): readonly (readonly string[])[] {
  const pool = addresses('198.51.100.', 200, 16);
  const [cached = []] = partsOf(pool, 1);
  return byTurns(5 * server, [
    ...['pool', 'sealed', 'behind', 'stray'].map((name) => ({
      files: [`${name}.example`],
      www: partsOf(pool, 4),
    })),
    // The second server has a cache in front of it.
    { files: ['cached.example'], www: server === 0 ? partsOf(pool.slice(0, 3), 1) : [cached] },
    // Two networks have half of the load each.
    { files: ['weighted.example'], www: [['CNAME www.shop.example.'], ['CNAME www.blog.test.']] },
    // Each server gives the address of its own region.
    { files: ['regional.example'], www: [[`A 198.51.100.${220 + server}`]] },
    // One of two machines behind the address of the second server is stale.
    { files: [...(server === 0 ? [] : ['machine.example.before']), 'machine.example'], www: [[]] },
  ]);
}

/** Zone files that a server has by turns, and the data of the host www in them, by turns too. */
interface ZoneByTurns {
  readonly files: readonly string[];
  readonly www: readonly (readonly string[])[];
}

/** Divides by the number of turns of each zone. */
const TURNS = 48;

/** Zone texts for each turn, with the data of www from this turn on. */
function byTurns(from: number, all: readonly ZoneByTurns[]): readonly (readonly string[])[] {
  return Array.from({ length: TURNS }, (_, turn) =>
    all.map(({ files, www }) => {
      const [text = ''] = zones(files[turn % files.length] ?? '');
      const data = www[(from + turn) % www.length] ?? [];
      return [text, ...data.map((one) => `www 60 ${one}\n`)].join('');
    }),
  );
}

/** As many parts of some data as there are data, each of so many that follow each other. */
function partsOf(data: readonly string[], size: number): readonly (readonly string[])[] {
  return data.map((_, i) => [...data.slice(i), ...data].slice(0, size));
}

/** Address records: so many, from this last octet on. */
function addresses(network: string, from: number, size: number): readonly string[] {
  return Array.from({ length: size }, (_, i) => `A ${network}${from + i}`);
}

/** The hoster Meadow with two servers, and the content network cdn.test with four, one of them dead. */
function meadow(): ServerSpec[] {
  const onBoth = [
    ...zones('meadow.test', 'blog.test', 'circle.test', 'launch.test'),
    // Customers who moved to Harbour. One of them did change the NS records, but only here.
    ...zones('moved.example.meadow', 'copied.example.meadow'),
  ];
  return [
    {
      ...at('ns1.meadow.test.', '203.0.113.1', '2001:db8:2::1'),
      zones: [...onBoth, ...zones('mixed.example', 'stray.example.before')],
      // Left behind, and it rotates over the addresses of before.
      turns: byTurns(0, [
        { files: ['behind.example.before'], www: partsOf(addresses('192.0.2.', 140, 4), 2) },
      ]),
      faults: [latency(1)],
      version: '9.20.4',
    },
    {
      ...at('ns2.meadow.test.', '203.0.113.2', '2001:db8:2::2'),
      zones: onBoth,
      faults: [latency(1)],
      version: '9.18.24',
    },
    ...[1, 2, 3, 4].map((number) => ({
      ...at(`ns${number}.cdn.test.`, `203.0.113.2${number}`, `2001:db8:2::2${number}`),
      zones: zones('cdn.test'),
      faults: [latency(number), ...(number === 4 ? [DEAD] : [])],
      version: 'NSD 4.9.1',
      id: `ns${number}.cdn.test`,
    })),
  ];
}

/** Servers that customers run themselves. */
function customers(): ServerSpec[] {
  return [
    { ...at('ns.dead.example.', '198.51.100.66', '2001:db8:1::66'), faults: [DEAD] },
    {
      ...at('ns.old.example.', '198.51.100.67', '2001:db8:1::67'),
      ...serving('old.example', latency(3), { kind: 'rejects-edns', with: 'FORMERR' }),
      version: '4.9.11-REL',
    },
    {
      ...at('ns.letters.example.', '198.51.100.68', '2001:db8:1::68'),
      ...serving('letters.example', latency(1), { kind: 'closed-port', only: { transport: 'tcp' } }),
      version: 'dnsmasq-2.89',
    },
    {
      ...at('ns.firewall.example.', '198.51.100.69', '2001:db8:1::69'),
      // The firewall lets neither large datagrams nor TCP through.
      ...serving(
        'firewall.example',
        latency(1),
        { kind: 'truncates', only: { type: 'DNSKEY' } },
        { kind: 'closed-port', only: { transport: 'tcp' } },
      ),
      version: '9.18.28',
    },
    // Unreachable from outside.
    { ...at('ns.intranet.example.', '10.0.0.53'), faults: [DEAD] },
    {
      ...at('ns1.missing-glue.example.', '198.51.100.71', '2001:db8:1::71'),
      ...serving('missing-glue.example', latency(1)),
    },
    {
      ...at('ns2.missing-glue.example.', '198.51.100.70', '2001:db8:1::70'),
      ...serving('missing-glue.example', latency(1)),
    },
    {
      ...at('ns1.wrong-glue.example.', '198.51.100.72', '2001:db8:1::72'),
      ...serving('wrong-glue.example', latency(1)),
    },
    { ...at('ns2.wrong-glue.example.', '198.51.100.73'), ...serving('wrong-glue.example', latency(1)) },
    // The address's new owner serves other zones.
    { ...at('ns.someone-else.test.', '198.51.100.99'), faults: [latency(1)], version: '9.16.1' },
    {
      ...at('ns1.six.example.', '198.51.100.74', '2001:db8:1::74'),
      ...serving('six.example', latency(1), { kind: 'dead', only: { address: '2001:db8:1::74' } }),
    },
    { ...at('ns2.six.example.', '198.51.100.75', '2001:db8:1::75'), ...serving('six.example', latency(1)) },
    {
      ...at('ns.mixed.example.', '198.51.100.81'),
      ...serving('mixed.example.before', latency(3)),
      version: '9.11.36',
    },
    { ...at('ns.mixed.example.', '198.51.100.82'), faults: [DEAD] },
  ];
}

const DEAD: Fault = { kind: 'dead' };

const latency = (ms: number): Fault => ({ kind: 'latency', ms });

const at = (name: string, ...addresses: readonly string[]) => ({ name, addresses });

const serving = (zone: string, ...faults: readonly Fault[]) => ({ zones: zones(zone), faults });

const FILES = new Map<string, string>();

/** The texts of zone files. The build puts the folder beside the compiled program. */
function zones(...files: readonly string[]): string[] {
  return files.map((file) =>
    getOrMake(FILES, file, () => readFileSync(new URL(`./demo/${file}.zone`, import.meta.url), 'utf8')),
  );
}

/** Zones that are signed as most are. */
const PLAIN = `
  . 100.51.198.in-addr.arpa. 1.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa. harbour.example. lame.example.
  forgotten.example. magazine.example. circle.example. moved.example. offices.example.
  copied.example. stale.example. sale.example. dead.example. letters.example. firewall.example.
  intranet.example.
  mixed.example. missing-glue.example. wrong-glue.example. six.example. expired.example.
  denial.example. sealed.example. circle.test. launch.test.
`;

/** Zones that hash the names that they deny. */
const HASHED = ['test.', 'shop.example.', 'meadow.test.', 'blog.test.', 'cdn.test.'];

/**
 * How the zones of the demo are signed, with test keys that anybody can compute. Those that are not named are
 * not: `unsigned.example`, `old.example`, whose server knows no EDNS, those that rotate but `sealed.example`, and what
 * nobody serves.
 */
const DEMO_SIGNED: Signings = {
  ...Object.fromEntries(
    PLAIN.trim()
      .split(/\s+/)
      .map((zone) => [zone, {}]),
  ),
  ...Object.fromEntries(HASHED.map((zone) => [zone, { denial: { kind: 'nsec3' } } as const])),
  // A registry with many delegations, most of them not signed.
  'example.': { denial: { kind: 'nsec3', optOut: true } },
  // Half done: Harbour's second server has the new key already. The registry knows both.
  'rollover.example.': {
    keys: [{ label: 'old' }],
    ds: [{ key: { label: 'old' } }, { key: { label: 'new' } }],
  },
  // The new key signs already. The registry knows the old one alone.
  'new-key.example.': { keys: [{ label: 'old' }, { label: 'new' }], ds: [{ key: { label: 'old' } }] },
  // The registry does not know the key that is in use.
  'lost-key.example.': { ds: [{ key: { label: 'lost' } }] },
};

/** What Harbour's second server has signed otherwise than the first. */
const SECOND_SIGNED: Signings = {
  'rollover.example.': { keys: [{ label: 'new' }] },
  // Nobody has signed its copy again.
  'expired.example.': {
    inception: Date.UTC(2026, 8, 1) / 1000,
    expiration: Date.UTC(2026, 9, 1) / 1000,
  },
};
