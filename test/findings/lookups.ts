/** Findings about the names of servers, and what it takes to look them up. */
import { alias, answer, denial, type FindingRow, host, referral, type Saying, withFlags } from './world.ts';

/** One root server is enough here. */
const ROOT = { roots: 'r1.=192.0.2.1' } as const;
const R1 = '192.0.2.1 *';
const ANSWER = answer('192.0.2.80');
const NXDOMAIN = denial('nxdomain', '.');
const NODATA = denial('nodata', '.');

/** What the root says to the lookup of a name server's addresses. */
const ofRoot = (name: string, saying: Saying) => ({
  [`192.0.2.1 ${name} A`]: saying,
  [`192.0.2.1 ${name} AAAA`]: saying,
});

/** The zone's servers are ns1.a., with glue, and ns.b., of which the root says this. */
const withNsB = (saying: Saying) => ({
  [R1]: referral('a. ns1.a.=192.0.2.11 ns.b.'),
  ...ofRoot('ns.b.', saying),
});

/** The zone x.a. has a server ns.shop.b., of which the registry b. says this. */
const withRegistry = (saying: Saying) => ({
  ...ROOT,
  ask: 'www.x.a. A',
  says: {
    [R1]: referral('a. ns1.a.=192.0.2.11'),
    ...ofRoot('ns.shop.b.', referral('b. ns1.b.=192.0.2.21 ns2.b.=192.0.2.22')),
    '192.0.2.11 *': referral('x.a. ns1.x.a.=192.0.2.31 ns.shop.b.'),
    '192.0.2.21 *': saying,
    '192.0.2.22 *': saying,
    '192.0.2.31 *': ANSWER,
  },
});

/** The zones a. and b. each have a server in the other one only. */
const RING = {
  [R1]: referral('a. ns.b.'),
  ...ofRoot('ns.b.', referral('b. ns.a.')),
  ...ofRoot('ns.a.', referral('a. ns.b.')),
};

/** The zone's servers are in this many domains, all of which are fine. */
const spread = (count: number) => {
  const names = Array.from({ length: count }, (_, i) => `ns.d${i}.b.`);
  return {
    [R1]: referral(`a. ${names.join(' ')}`),
    ...Object.assign(
      {},
      ...names.map((name) => ofRoot(name, referral(`${name.slice(3)} ${name}=192.0.2.21`))),
    ),
    '192.0.2.21 *': host('b.', 'A 192.0.2.31'),
    '192.0.2.31 *': host('b.', 'A 192.0.2.31'),
    '192.0.2.31 www.a. A': ANSWER,
  };
};

export const LOOKUPS: readonly FindingRow[] = [
  {
    code: 'NS_UNRESOLVABLE',
    shows: 'the name does not exist',
    ...ROOT,
    says: withNsB(NXDOMAIN),
    finds: ['error a. ns.b.: 192.0.2.1 ns.b. A'],
    tells: ['ns.b, a name server of a, does not exist.'],
  },
  {
    code: 'NS_UNRESOLVABLE',
    shows: 'the name has neither kind of address',
    ...ROOT,
    says: withNsB(NODATA),
    finds: ['error a. ns.b.: 192.0.2.1 ns.b. A'],
    tells: ['ns.b, a name server of a, has no address.'],
  },
  {
    code: 'NS_UNRESOLVABLE',
    shows: 'what does not exist is the server of its zone',
    ...ROOT,
    says: { ...withNsB(referral('b. ns.c.')), ...ofRoot('ns.c.', NXDOMAIN) },
    finds: ['critical b. ns.c.: 192.0.2.1 ns.c. A', 'error a. ns.b.: 192.0.2.1 ns.c. A'],
    tells: [
      'ns.c, a name server of b, does not exist.',
      'ns.b, a name server of a, cannot be looked up (NXDOMAIN for ns.c).',
    ],
  },
  {
    code: 'NS_UNRESOLVABLE',
    shows: 'nobody asked whether it has IPv6',
    ...ROOT,
    options: { families: [4] },
    says: withNsB(NODATA),
    finds: [],
  },
  {
    code: 'NS_UNRESOLVABLE',
    shows: 'it has an address by one of two servers',
    ...ROOT,
    says: {
      ...withNsB(referral('b. ns1.b.=192.0.2.21 ns2.b.=192.0.2.22')),
      '192.0.2.21 *': denial('nxdomain', 'b.'),
      '192.0.2.22 *': host('b.', 'A 192.0.2.12'),
    },
    finds: [],
  },
  {
    code: 'NS_UNRESOLVABLE',
    shows: 'its lookup was cut off',
    ...ROOT,
    options: { maxDepth: 1 },
    says: withNsB(NXDOMAIN),
    finds: [],
  },
  {
    code: 'NS_DOMAIN_UNREGISTERED',
    shows: 'the registry denies the domain of a name server',
    ...withRegistry(denial('nxdomain', 'b.')),
    finds: [
      'critical x.a. ns.shop.b.: 192.0.2.21 ns.shop.b. A, 192.0.2.22 ns.shop.b. A, ' +
        '192.0.2.21 ns.shop.b. AAAA, 192.0.2.22 ns.shop.b. AAAA',
    ],
    tells: ['The domain of ns.shop.b, a name server of x.a, is not registered in b'],
  },
  {
    code: 'NS_DOMAIN_UNREGISTERED',
    shows: 'an ordinary zone that the servers of the registry have as well denies one of its names',
    ...withRegistry(denial('nxdomain', 'shop.b.')),
    finds: [],
  },
  {
    code: 'NS_DOMAIN_UNREGISTERED',
    shows: 'one of the servers of the registry knows the domain',
    ...ROOT,
    ask: 'www.x.a. A',
    says: {
      ...withRegistry(denial('nxdomain', 'b.')).says,
      '192.0.2.22 *': referral('shop.b. ns.shop.b.=192.0.2.32'),
      '192.0.2.32 *': host('shop.b.', 'A 192.0.2.31'),
    },
    finds: [],
  },
  {
    code: 'NS_DOMAIN_UNREGISTERED',
    shows: 'a denial without authority',
    ...withRegistry(withFlags(denial('nxdomain', 'b.'))),
    finds: [],
  },
  {
    code: 'NS_IS_ALIAS',
    shows: 'the name of a server is an alias',
    ...ROOT,
    says: { ...withNsB(alias('host.b.')), ...ofRoot('host.b.', NODATA) },
    finds: ['error a. ns.b.: 192.0.2.1 ns.b. A, 192.0.2.1 ns.b. AAAA'],
  },
  {
    code: 'NS_IS_ALIAS',
    shows: 'the name asked is an alias, but no server has it',
    ...ROOT,
    says: { '192.0.2.11 www.a. A': alias('w.a.'), '192.0.2.12 www.a. A': alias('w.a.') },
    finds: [],
  },
  {
    code: 'DEPENDENCY_CYCLE',
    shows: 'no way out',
    ...ROOT,
    options: { families: [4] },
    says: RING,
    finds: ['critical a. ns.b.: 192.0.2.1, 192.0.2.1 ns.b. A, 192.0.2.1 ns.a. A'],
    tells: ['need the other to find their name servers: the address of'],
  },
  {
    code: 'DEPENDENCY_CYCLE',
    shows: 'a way out beside the ring',
    ...ROOT,
    options: { families: [4] },
    says: {
      ...RING,
      [R1]: referral('a. ns.b. ns1.a.=192.0.2.11'),
      '192.0.2.1 ns.a. A': referral('a. ns.b. ns1.a.=192.0.2.11'),
      '192.0.2.11 ns.a. A': answer('192.0.2.12'),
      '192.0.2.12 ns.a. A': answer('192.0.2.12'),
      '192.0.2.12 ns.b. A': answer('192.0.2.13'),
      '192.0.2.13 ns.a. A': answer('192.0.2.12'),
      '192.0.2.13 www.a. A': ANSWER,
    },
    finds: ['warning a. ns.b.: 192.0.2.1, 192.0.2.1 ns.b. A, 192.0.2.1 ns.a. A'],
    tells: ['cannot be resolved on some paths: its own address is needed to look it up (by way of b).'],
  },
  {
    code: 'DEPENDENCY_CYCLE',
    shows: 'a way out may be there, over IPv6',
    ...ROOT,
    options: { families: [4] },
    says: {
      ...RING,
      [R1]: referral('a. ns.b. ns1.a.=2001:db8::11'),
      '192.0.2.1 ns.a. A': referral('a. ns.b. ns1.a.=2001:db8::11'),
      '192.0.2.1 ns1.a. A': NODATA,
    },
    finds: ['warning a. ns.b.: 192.0.2.1, 192.0.2.1 ns.b. A, 192.0.2.1 ns.a. A'],
  },
  {
    code: 'DEPENDENCY_CYCLE',
    shows: 'a server in another zone is no ring',
    ...ROOT,
    says: { ...withNsB(referral('b. ns1.b.=192.0.2.21')), '192.0.2.21 *': host('b.', 'A 192.0.2.12') },
    finds: [],
  },
  {
    code: 'DEPENDENCY_WIDE',
    shows: 'servers in ten domains',
    ...ROOT,
    options: { families: [4] },
    says: spread(10),
    finds: [`info: ${Array.from({ length: 10 }, (_, i) => `192.0.2.1 ns.d${i}.b. A`).join(', ')}`],
    tells: ['Looking up www.a can involve 10 other domains (d0.b, d1.b, d2.b and 7 more)'],
  },
  { code: 'DEPENDENCY_WIDE', shows: 'nine', ...ROOT, says: spread(9), finds: [] },
];
