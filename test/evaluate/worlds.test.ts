import t from 'tap';
import { evaluate, outcomesIn } from '../../src/evaluate/evaluate.ts';
import { exploreTable, spelledOutcomes, type TableWorld } from './table-world.ts';

interface Case extends TableWorld {
  /** What the world shows. "step 2.2" is svc-model(7), WALKING A STEP 2.2; the others name its sections. */
  readonly shows: string;
  /** Ends of the path view with their fractions, most probable first; worked out by hand. */
  readonly path: readonly string[];
  /** Absent: those of the path view. */
  readonly resolver?: readonly string[];
  readonly paths?: number;
}

/** Root and zone a., healthy but for what a world adds. */
const TO_A = { '192.0.2.1 *': 'referral a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12' };

const CASES: readonly Case[] = [
  {
    shows: 'step 1: each name has the same share, step 3: each address of it the same share of that',
    roots: 'r1.=192.0.2.1,192.0.2.2 r2.=192.0.2.3',
    says: {
      '192.0.2.1 *': 'answer 192.0.2.80',
      '192.0.2.2 *': 'timeout',
      '192.0.2.3 *': 'answer 192.0.2.81',
    },
    path: [
      '1/2 answer 192.0.2.81 at . by r2. 192.0.2.3',
      '1/4 answer 192.0.2.80 at . by r1. 192.0.2.1',
      '1/4 timeout at . by r1. 192.0.2.2',
    ],
    // Both names are usable: each first in half of the orders; r1 only through its first address.
    resolver: ['1/2 answer 192.0.2.80 at . by r1. 192.0.2.1', '1/2 answer 192.0.2.81 at . by r2. 192.0.2.3'],
    paths: 3,
  },
  {
    shows: 'the example of the introduction: 75 % right, 12.5 % stale, 12.5 % a time-out',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 *':
        'referral a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12 ns3.a.=192.0.2.13 ns4.a.=192.0.2.14,192.0.2.15',
      '192.0.2.11 *': 'answer 192.0.2.80',
      '192.0.2.12 *': 'answer 192.0.2.80',
      '192.0.2.13 *': 'answer 192.0.2.80',
      '192.0.2.14 *': 'answer 192.0.2.99',
      '192.0.2.15 *': 'timeout',
    },
    path: [
      '1/4 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
      '1/4 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12',
      '1/4 answer 192.0.2.80 at a. by ns3.a. 192.0.2.13',
      '1/8 answer 192.0.2.99 at a. by ns4.a. 192.0.2.14',
      '1/8 timeout at a. by ns4.a. 192.0.2.15',
    ],
    resolver: [
      '1/4 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
      '1/4 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12',
      '1/4 answer 192.0.2.80 at a. by ns3.a. 192.0.2.13',
      '1/4 answer 192.0.2.99 at a. by ns4.a. 192.0.2.14',
    ],
  },
  {
    shows: 'step 2.1: glue of another family does not count: the name is looked up at the parent',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns1.a.=2001:db8::1',
      '192.0.2.1 ns1.a. A': 'answer 192.0.2.11',
      '192.0.2.11 *': 'nxdomain',
    },
    path: ['1 nxdomain at a. by ns1.a. 192.0.2.11'],
    paths: 1,
  },
  {
    shows: 'step 2.2: root hints without an address: no-glue without a cause',
    roots: 'r1. r2.=192.0.2.1',
    says: { '192.0.2.1 *': 'nodata' },
    path: ['1/2 no-glue r1. at .', '1/2 nodata at . by r2. 192.0.2.1'],
    resolver: ['1 nodata at . by r2. 192.0.2.1'],
  },
  {
    shows: 'step 2.2: missing glue: the parent refers to the same delegation again, so there is no way in',
    roots: 'r1.=192.0.2.1',
    says: { '192.0.2.1 *': 'referral a. ns1.a. ns2.a.' },
    path: ['1/2 no-glue ns1.a. at a.', '1/2 no-glue ns2.a. at a.'],
    resolver: ['1 servfail at a.'],
    // Each lookup meets the delegation again and ends there at either name.
    paths: 4,
  },
  {
    shows: 'step 2.2: one name without glue beside one that has it: found through the other',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 *': 'referral a. ns1.a.=192.0.2.11 ns2.a.',
      '192.0.2.11 ns2.a. A': 'answer 192.0.2.12',
      // Asked although no path contains it: only a pending lookup is before it (svc-model(7), THE IDEA allows that).
      '192.0.2.12 ns2.a. A': 'answer 192.0.2.12',
      '192.0.2.11 www.a. A': 'answer 192.0.2.80',
      '192.0.2.12 www.a. A': 'answer 192.0.2.80',
    },
    // ns2's lookup picks ns1 (answer) or ns2 (a lookup of this delegation is pending: no-glue).
    path: [
      '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
      '1/4 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12',
      '1/4 no-glue ns2.a. at a.',
    ],
    // A resolver's lookup of ns2 gets through ns1 for certain.
    resolver: [
      '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
      '1/2 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12',
    ],
    paths: 3,
  },
  {
    shows: 'step 2.2: two domains that depend on each other: loop, reported as the cause',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns.b.',
      '192.0.2.1 ns.b. A': 'referral b. ns.a.',
      '192.0.2.1 ns.a. A': 'referral a. ns.b.',
    },
    path: ['1 unresolvable-ns ns.b. at a. because loop ns.b. at a.'],
    resolver: ['1 servfail at a.'],
    paths: 1,
  },
  {
    shows: 'step 2.3: an end of the lookup is the cause of unresolvable-ns; a cause has no cause',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns.b.',
      '192.0.2.1 ns.b. A': 'referral b. ns.c.',
      '192.0.2.1 ns.c. A': 'nxdomain',
    },
    path: ['1 unresolvable-ns ns.b. at a. because nxdomain at . by r1. 192.0.2.1'],
    resolver: ['1 servfail at a.'],
  },
  {
    shows: 'step 2.3: an answer without an address is the cause as well',
    roots: 'r1.=192.0.2.1',
    says: { '192.0.2.1 www.a. A': 'referral a. ns.b.', '192.0.2.1 ns.b. A': 'misfit' },
    path: ['1 unresolvable-ns ns.b. at a. because answer \\# 1 00 at . by r1. 192.0.2.1'],
    resolver: ['1 servfail at a.'],
    paths: 1,
  },
  {
    shows: 'step 2.4: an answer without an address adds nothing to the union',
    roots: 'r1.=192.0.2.1',
    scope: { families: [4, 6] },
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns.b.',
      '192.0.2.1 ns.b. A': 'misfit',
      '192.0.2.1 ns.b. AAAA': 'answer 2001:db8::11',
      '2001:db8::11 *': 'answer 192.0.2.80',
    },
    path: ['1 answer 192.0.2.80 at a. by ns.b. 2001:db8::11'],
    paths: 1,
  },
  {
    shows: 'step 2.4: both families: the union of what the pair of lookups gave',
    roots: 'r1.=192.0.2.1',
    scope: { families: [4, 6] },
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns.b.',
      '192.0.2.1 ns.b. A': 'answer 192.0.2.11',
      '192.0.2.1 ns.b. AAAA': 'answer 2001:db8::11 2001:db8::12',
      '192.0.2.11 *': 'answer 192.0.2.80',
      '2001:db8::11 *': 'answer 192.0.2.80',
      '2001:db8::12 *': 'timeout',
    },
    path: [
      '1/3 answer 192.0.2.80 at a. by ns.b. 192.0.2.11',
      '1/3 answer 192.0.2.80 at a. by ns.b. 2001:db8::11',
      '1/3 timeout at a. by ns.b. 2001:db8::12',
    ],
    resolver: [
      '1/2 answer 192.0.2.80 at a. by ns.b. 192.0.2.11',
      '1/2 answer 192.0.2.80 at a. by ns.b. 2001:db8::11',
    ],
    paths: 3,
  },
  {
    shows: 'step 2.4: neither family: the end of the A lookup is the cause',
    roots: 'r1.=192.0.2.1',
    scope: { families: [4, 6] },
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns.b.',
      '192.0.2.1 ns.b. A': 'nxdomain',
      '192.0.2.1 ns.b. AAAA': 'timeout',
    },
    path: ['1 unresolvable-ns ns.b. at a. because nxdomain at . by r1. 192.0.2.1'],
    resolver: ['1 servfail at a.'],
    paths: 1,
  },
  {
    shows: 'step 4: an alias goes on at the deepest delegation that encloses its target',
    roots: 'r1.=192.0.2.1',
    says: {
      ...TO_A,
      '192.0.2.11 www.a. A': 'alias x.b.a.',
      '192.0.2.12 www.a. A': 'alias www.b.',
      '192.0.2.11 x.b.a. A': 'answer 192.0.2.80',
      '192.0.2.12 x.b.a. A': 'answer 192.0.2.80',
      '192.0.2.1 www.b. A': 'answer 192.0.2.81',
    },
    path: [
      '1/2 answer 192.0.2.81 at . by r1. 192.0.2.1',
      '1/4 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
      '1/4 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12',
    ],
  },
  {
    shows: 'step 4: an alias that comes back to an earlier question of the walk',
    roots: 'r1.=192.0.2.1',
    says: { '192.0.2.1 www.a. A': 'alias www.b.', '192.0.2.1 www.b. A': 'alias www.a.' },
    path: ['1 alias-loop www.a. at . by r1. 192.0.2.1'],
    // An alias is usable: the resolver follows it into the loop.
    resolver: ['1 alias-loop www.a. at . by r1. 192.0.2.1'],
  },
  {
    shows: 'step 4: the target is asked anew, whatever the reply with the alias says of it',
    roots: 'r1.=192.0.2.1',
    says: {
      ...TO_A,
      '192.0.2.11 www.a. A': 'alias x.a. 192.0.2.66',
      '192.0.2.12 www.a. A': 'alias x.a. 192.0.2.80',
      '192.0.2.11 x.a. A': 'timeout',
      '192.0.2.12 x.a. A': 'answer 192.0.2.80',
    },
    path: ['1/2 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12', '1/2 timeout at a. by ns1.a. 192.0.2.11'],
    resolver: ['1 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12'],
  },
  {
    shows:
      'resolver view: an alias of itself ends a resolver as a loop of several does: nobody else is tried',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 www.a. A':
        'referral a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12 ns3.a.=192.0.2.13 ns4.a.=192.0.2.14',
      '192.0.2.11 *': 'alias www.a.',
      '192.0.2.12 *': 'answer 192.0.2.80',
      '192.0.2.13 *': 'timeout',
      '192.0.2.14 *': 'alias x.b.',
      '192.0.2.1 x.b. A': 'alias www.a.',
    },
    path: [
      '1/4 alias-loop www.a. at a. by ns1.a. 192.0.2.11',
      '1/4 alias-loop www.a. at . by r1. 192.0.2.1',
      '1/4 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12',
      '1/4 timeout at a. by ns3.a. 192.0.2.13',
    ],
    // Three of the four names are usable.
    resolver: [
      '1/3 alias-loop www.a. at a. by ns1.a. 192.0.2.11',
      '1/3 alias-loop www.a. at . by r1. 192.0.2.1',
      '1/3 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12',
    ],
  },
  {
    shows:
      'resolver view: a lookup that runs into a loop of aliases gives no address: that server is not usable',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns1.b. ns2.a.=192.0.2.12',
      '192.0.2.1 ns1.b. A': 'alias x.b.',
      '192.0.2.1 x.b. A': 'alias ns1.b.',
      '192.0.2.12 *': 'answer 192.0.2.80',
    },
    path: [
      '1/2 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12',
      '1/2 unresolvable-ns ns1.b. at a. because alias-loop ns1.b. at . by r1. 192.0.2.1',
    ],
    resolver: ['1 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12'],
  },
  {
    shows: 'step 4: the alias of type DS goes on above the target',
    ask: 'www.a. DS',
    roots: 'r1.=192.0.2.1',
    says: { ...TO_A, '192.0.2.11 *': 'alias a.', '192.0.2.12 *': 'alias a.', '192.0.2.1 a. DS': 'nodata' },
    path: ['1 nodata at . by r1. 192.0.2.1'],
  },
  {
    shows: 'step 2.4: the A lookup tells why there is no address, in whatever order the families are named',
    roots: 'r1.=192.0.2.1',
    scope: { families: [6, 4, 6] },
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns.b.',
      '192.0.2.1 ns.b. A': 'nodata',
      '192.0.2.1 ns.b. AAAA': 'nxdomain',
    },
    path: ['1 unresolvable-ns ns.b. at a. because nodata at . by r1. 192.0.2.1'],
    resolver: ['1 servfail at a.'],
    paths: 1,
  },
  {
    shows: 'limits: a step deeper than the maximum is not made, and says which',
    roots: 'r1.=192.0.2.1',
    scope: { maxDepth: 0 },
    says: TO_A,
    path: ['1 depth-limit at a.'],
  },
  {
    shows:
      'limits: a lookup starts one deeper than the step that needs it; as a cause in the path view, itself in the other',
    roots: 'r1.=192.0.2.1',
    scope: { maxDepth: 1 },
    says: { '192.0.2.1 www.a. A': 'referral a. ns.b.' },
    path: ['1 unresolvable-ns ns.b. at a. because depth-limit at .'],
    resolver: ['1 depth-limit at .'],
  },
  {
    shows: 'limits: what the query limit kept from being asked is unknown, not broken',
    roots: 'r1.=192.0.2.1',
    maxQueries: 2,
    says: { ...TO_A, '192.0.2.11 *': 'timeout' },
    path: ['1/2 query-limit at a. by ns2.a. 192.0.2.12', '1/2 timeout at a. by ns1.a. 192.0.2.11'],
    resolver: ['1 query-limit at a. by ns2.a. 192.0.2.12'],
  },
  {
    shows: 'limits: addresses that policy forbids are blocked',
    roots: 'r1.=11.0.0.1',
    scope: { specialTargets: 'blocked' },
    says: {
      '11.0.0.1 *': 'referral a. ns1.a.=10.0.0.1 ns2.a.=127.0.0.1 ns3.a.=11.0.0.2 ns4.a.=192.168.0.1',
      '11.0.0.2 *': 'answer 192.0.2.80',
    },
    path: [
      '1/4 answer 192.0.2.80 at a. by ns3.a. 11.0.0.2',
      '1/4 blocked at a. by ns1.a. 10.0.0.1',
      '1/4 blocked at a. by ns2.a. 127.0.0.1',
      '1/4 blocked at a. by ns4.a. 192.168.0.1',
    ],
  },
  {
    shows: 'resolver view: a server that is usable only now and then: E[1 / (1 + K)]',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns1.a.=192.0.2.11 ns.b.',
      // Half of the lookups of ns.b give a dead address: with one usable server for certain and one
      // with 1/2, ns.b is first with 1/2 · 1/2, ns1 with the rest.
      '192.0.2.1 ns.b. A': 'referral b. n1.b.=192.0.2.21 n2.b.=192.0.2.22',
      '192.0.2.21 ns.b. A': 'answer 192.0.2.12',
      '192.0.2.22 ns.b. A': 'answer 192.0.2.13',
      '192.0.2.11 www.a. A': 'answer 192.0.2.80',
      '192.0.2.12 www.a. A': 'answer 192.0.2.81',
      '192.0.2.13 www.a. A': 'timeout',
    },
    path: [
      '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
      '1/4 answer 192.0.2.81 at a. by ns.b. 192.0.2.12',
      '1/4 timeout at a. by ns.b. 192.0.2.13',
    ],
    resolver: [
      '3/4 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
      '1/4 answer 192.0.2.81 at a. by ns.b. 192.0.2.12',
    ],
  },
  {
    shows:
      'resolver view: the A and the AAAA lookup can end in the same limit, that of a lookup which both need',
    roots: 'r1.=11.0.0.1',
    scope: { families: [4, 6], specialTargets: 'blocked' },
    says: {
      '11.0.0.1 www.a. A': 'referral a. ns.b.',
      '11.0.0.1 ns.b. A': 'referral b. ns.c. ns.d.=11.0.0.2',
      '11.0.0.1 ns.b. AAAA': 'referral b. ns.c. ns.d.=11.0.0.2',
      '11.0.0.2 *': 'nxdomain',
      '11.0.0.1 ns.c. A': 'referral c. n.c.=10.0.0.1',
      '11.0.0.1 ns.c. AAAA': 'referral c. n.c.=10.0.0.1',
    },
    path: [
      '1/2 unresolvable-ns ns.b. at a. because blocked at c. by n.c. 10.0.0.1',
      '1/2 unresolvable-ns ns.b. at a. because nxdomain at b. by ns.d. 11.0.0.2',
    ],
    // Each lookup is blocked with 1/2, so one of the two at least with 3/4.
    resolver: ['3/4 blocked at c. by n.c. 10.0.0.1', '1/4 servfail at a.'],
  },
  {
    shows: 'resolver view: nobody usable: servfail; a resolver does not go back up',
    roots: 'r1.=192.0.2.1 r2.=192.0.2.2',
    says: {
      '192.0.2.1 *': 'referral a. ns1.a.=192.0.2.11',
      '192.0.2.2 *': 'referral a. ns2.a.=192.0.2.12',
      '192.0.2.11 *': 'error REFUSED',
      '192.0.2.12 *': 'answer 192.0.2.80',
    },
    path: [
      '1/2 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12',
      '1/2 error REFUSED at a. by ns1.a. 192.0.2.11',
    ],
    resolver: ['1/2 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12', '1/2 servfail at a.'],
  },
];

for (const { shows, path, resolver, paths, ...world } of CASES) {
  t.test(shows, async (t) => {
    const { evaluation, asked } = await exploreTable(world);
    t.same(spelledOutcomes(outcomesIn(evaluation, 'first-tries')), path, 'path view');
    t.same(spelledOutcomes(outcomesIn(evaluation, 'resolver')), resolver ?? path, 'resolver view');
    if (paths !== undefined) t.equal(evaluation.countPaths(), BigInt(paths), 'paths');
    t.equal(new Set(asked).size, asked.length, 'nothing is asked twice');
  });
}

t.test('cold latency: A and AAAA lookups run side by side, the longer one counts', async (t) => {
  const { evaluation } = await exploreTable({
    roots: 'r1.=192.0.2.1',
    scope: { families: [4, 6] },
    says: {
      '192.0.2.1 www.a. A': 'after 10 referral a. ns.b.',
      '192.0.2.1 ns.b. A': 'after 10 referral b. n1.b.=192.0.2.21,192.0.2.22',
      '192.0.2.1 ns.b. AAAA': 'after 50 nodata',
      '192.0.2.21 ns.b. A': 'after 20 answer 192.0.2.11',
      '192.0.2.22 ns.b. A': 'after 100 answer 192.0.2.11',
      '192.0.2.11 www.a. A': 'after 5 answer 192.0.2.80',
    },
  });
  // 10 + max(10 + 20 or 100, 50) + 5, half and half.
  t.same(evaluation.latency, { best: 65, mean: 95, worst: 125 });
});

t.test('the cost grows with distinct questions, not with paths', async (t) => {
  const levels = 20;
  const zones = Array.from({ length: levels }, (_, i) =>
    Array.from({ length: i + 1 }, (_, j) => `z${i - j}.`).join(''),
  );
  const says: Record<string, string> = {};
  zones.forEach((zone, i) => {
    const next = zones[i + 1];
    for (const last of [1, 2, 3]) {
      says[`192.0.${i}.${last} *`] =
        next === undefined ? 'answer 192.0.2.80' : `referral ${next} ${servers(i + 1, next)}`;
    }
    if (i === 0) says['192.0.100.1 *'] = `referral ${zone} ${servers(0, zone)}`;
  });
  const { evaluation, asked } = await exploreTable({
    ask: `www.${zones.at(-1)} A`,
    roots: 'r.=192.0.100.1',
    says,
  });
  t.equal(asked.length, 1 + 3 * levels);
  t.equal(evaluation.countPaths(), 3n ** 20n);
  t.equal(evaluation.passes.size, 1 + levels);
});

function servers(level: number, zone: string): string {
  return [1, 2, 3].map((last) => `ns${last}.${zone}=192.0.${level}.${last}`).join(' ');
}

t.test('work-limit: what does not fit in the evaluation is cut off below one depth', async (t) => {
  const world: TableWorld = {
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 *': 'referral a. ns1.a.=192.0.2.11',
      '192.0.2.11 *': 'referral www.a. ns2.a.=192.0.2.12',
      '192.0.2.12 *': 'answer 192.0.2.80',
    },
  };
  const { recording } = await exploreTable(world);
  const evaluation = evaluate({ ...recording, scope: { ...recording.scope, maxWork: 7 } });
  t.same(spelledOutcomes(outcomesIn(evaluation, 'first-tries')), ['1 work-limit at www.a.']);
  t.equal(evaluation.coverage, 'limited');
});
