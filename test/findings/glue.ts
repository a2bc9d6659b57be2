/** Findings about the addresses that name servers have. */
import { answer, denial, type FindingRow, referral, silence, withFlags } from './world.ts';

/** One root server is enough here. */
const ROOT = { roots: 'r1.=192.0.2.1' } as const;
const R1 = '192.0.2.1 *';
const ANSWER = answer('192.0.2.80');

/** The zone's own servers on the address of ns1.a., which the parent says is 192.0.2.11. */
const asked = (...said: readonly (readonly string[])[]) => ({
  ...ROOT,
  ask: 'ns1.a. A',
  says: Object.fromEntries(said.map((data, i) => [`192.0.2.1${i + 1} *`, answer(...data)])),
});

export const GLUE: readonly FindingRow[] = [
  {
    code: 'GLUE_MISSING',
    shows: 'a name inside the zone without an address',
    ...ROOT,
    options: { families: [4] },
    says: { [R1]: referral('a. ns1.a.=192.0.2.11 ns2.a.') },
    finds: ['error a. ns2.a.: 192.0.2.1, 192.0.2.1 ns2.a. A'],
  },
  {
    code: 'GLUE_MISSING',
    shows: 'glue of the other family; and a name outside the zone needs none',
    ...ROOT,
    options: { families: [4] },
    says: {
      [R1]: referral('a. ns1.a.=192.0.2.11 ns2.a.=2001:db8::12 ns.b.'),
      '192.0.2.1 ns.b. A': answer('192.0.2.12'),
    },
    finds: [],
  },
  {
    code: 'GLUE_MISMATCH',
    shows: 'the zone gives its server another address than the parent',
    ...asked(['192.0.2.99'], ['192.0.2.99']),
    finds: ['error a. ns1.a. 192.0.2.11: 192.0.2.1, 192.0.2.11, 192.0.2.12'],
    tells: ['has glue 192.0.2.11 for ns1.a instead of 192.0.2.99, which that name has in its own zone'],
  },
  {
    code: 'GLUE_MISMATCH',
    shows: 'one of the servers agrees with the parent',
    ...asked(['192.0.2.99'], ['192.0.2.11']),
    finds: [],
  },
  {
    code: 'GLUE_MISMATCH',
    shows: 'the zone has one address more',
    ...asked(['192.0.2.11', '192.0.2.99'], ['192.0.2.11', '192.0.2.99']),
    finds: [],
  },
  {
    code: 'GLUE_MISMATCH',
    shows: 'what is said without authority',
    ...ROOT,
    ask: 'ns1.a. A',
    says: { '192.0.2.11 *': withFlags(answer('192.0.2.99')), '192.0.2.12 *': silence },
    finds: [],
  },
  {
    code: 'GLUE_FOREIGN_MISMATCH',
    shows: 'the delegation of d. came with a wrong address of ns.b.',
    ...ROOT,
    ask: 'ns.b. A',
    says: {
      [R1]: referral('b. ns.c.=192.0.2.21 ns.d.'),
      '192.0.2.1 ns.d. A': referral('d. ns.d.=192.0.2.41 ns.b.=192.0.2.22'),
      '192.0.2.1 ns.d. AAAA': denial('nodata', '.'),
      '192.0.2.41 *': answer('192.0.2.21'),
      '192.0.2.22 *': answer('192.0.2.21'),
      '192.0.2.21 *': answer('192.0.2.23'),
    },
    finds: ['warning d. ns.b. 192.0.2.22: 192.0.2.21, 192.0.2.1 ns.d. A'],
  },
  {
    code: 'GLUE_FOREIGN_MISMATCH',
    shows: 'the name is inside the zone',
    ...asked(['192.0.2.99'], ['192.0.2.99']),
    finds: [],
  },
  {
    code: 'NS_SAME_ADDRESS',
    shows: 'two names, one address',
    ...ROOT,
    says: { [R1]: referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.11') },
    finds: ['error a. ns1.a. 192.0.2.11: 192.0.2.1'],
    tells: ['ns1.a and ns2.a, name servers of a, share the address 192.0.2.11'],
  },
  {
    code: 'NS_SAME_ADDRESS',
    shows: 'the second one by its lookup',
    ...ROOT,
    says: {
      [R1]: referral('a. ns1.a.=192.0.2.11 ns.b.'),
      '192.0.2.1 ns.b. A': answer('192.0.2.11'),
      '192.0.2.1 ns.b. AAAA': denial('nodata', '.'),
    },
    finds: ['error a. ns.b. 192.0.2.11: 192.0.2.1'],
  },
  {
    code: 'NS_SAME_ADDRESS',
    shows: 'servers of two zones, parent and child, share one',
    says: {
      [R1]: referral('a. ns1.a.=192.0.2.2 ns2.a.=192.0.2.12'),
      '192.0.2.2 *': ANSWER,
    },
    finds: [],
  },
  {
    code: 'NS_NO_IPV4',
    shows: 'nothing but IPv6 in the glue',
    ...ROOT,
    says: {
      [R1]: referral('a. ns1.a.=2001:db8::11 ns2.a.=2001:db8::12'),
      '2001:db8::11 *': ANSWER,
      '2001:db8::12 *': ANSWER,
    },
    finds: ['warning a.: 192.0.2.1'],
  },
  {
    code: 'NS_NO_IPV4',
    shows: 'one of them has IPv4, as its lookup says',
    ...ROOT,
    says: {
      [R1]: referral('a. ns1.a.=2001:db8::11 ns.b.'),
      '192.0.2.1 ns.b. A': answer('192.0.2.12'),
      '192.0.2.1 ns.b. AAAA': answer('2001:db8::12'),
      '2001:db8::11 *': ANSWER,
      '2001:db8::12 *': ANSWER,
    },
    finds: [],
  },
  {
    code: 'NS_NO_IPV4',
    shows: 'IPv6 glue of a name outside the zone may not be all that it has',
    ...ROOT,
    says: {
      [R1]: referral('a. ns1.a.=2001:db8::11 ns.b.=2001:db8::12'),
      '2001:db8::11 *': ANSWER,
      '2001:db8::12 *': ANSWER,
    },
    finds: [],
  },
  {
    code: 'NS_ADDR_NOT_GLOBAL',
    shows: 'a private address, not asked by policy',
    roots: 'r1.=198.41.0.4',
    options: { specialTargets: 'blocked' },
    says: {
      '198.41.0.4 *': referral('a. ns1.a.=199.9.14.201 ns2.a.=10.0.0.53'),
      '199.9.14.201 *': ANSWER,
    },
    finds: ['error a. ns2.a. 10.0.0.53: 198.41.0.4'],
    tells: ['has the private address 10.0.0.53'],
  },
  {
    code: 'NS_ADDR_NOT_GLOBAL',
    shows: 'a documentation address as the answer of a lookup, where such are allowed',
    roots: 'r1.=198.41.0.4',
    options: { families: [4] },
    says: {
      '198.41.0.4 *': referral('a. ns.b. ns1.a.=199.9.14.201'),
      '198.41.0.4 ns.b. A': answer('192.0.2.12'),
      '199.9.14.201 *': ANSWER,
    },
    finds: ['notice a. ns.b. 192.0.2.12: 198.41.0.4 ns.b. A'],
  },
  {
    code: 'NS_ADDR_NOT_GLOBAL',
    shows: 'loopback and link-local over IPv6',
    roots: 'r1.=198.41.0.4',
    options: { specialTargets: 'blocked' },
    says: { '198.41.0.4 *': referral('a. ns1.a.=::1 ns2.a.=fe80::1') },
    finds: ['error a. ns1.a. ::1: 198.41.0.4', 'error a. ns2.a. fe80::1: 198.41.0.4'],
    tells: ['has the loopback address ::1', 'has the special-purpose address fe80::1'],
  },
  { code: 'NS_ADDR_NOT_GLOBAL', shows: 'documentation addresses where the root has such', finds: [] },
];
