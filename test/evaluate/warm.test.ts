import t from 'tap';
import { outcomesIn } from '../../src/evaluate/evaluate.ts';
import { checked, exploreTable, spelledOutcomes, type TableWorld } from './table-world.ts';

/** Ends of the two views with their fractions, most probable first; worked out by hand. */
interface Expected {
  readonly path: readonly string[];
  /** Absent: those of the path view. */
  readonly resolver?: readonly string[];
}

interface Case extends TableWorld {
  /** What the world shows of svc-model(7), COLD AND WARM. */
  readonly shows: string;
  readonly cold: Expected;
  readonly warm: Expected;
}

/** The parent's word for a. in most of these worlds. */
const TO_A = 'referral a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12';

const CASES: readonly Case[] = [
  {
    shows: 'cold is right and warm is wrong: the zone itself names a server with old data',
    roots: 'r1.=192.0.2.1',
    otherwise: 'nodata',
    says: {
      '192.0.2.1 www.a. A': TO_A,
      '192.0.2.11 a. NS': 'own ns1.a. ns3.a.=192.0.2.13',
      '192.0.2.12 a. NS': 'own ns1.a. ns3.a.=192.0.2.13',
      '192.0.2.11 www.a. A': 'answer 192.0.2.80',
      '192.0.2.12 www.a. A': 'answer 192.0.2.80',
      '192.0.2.13 www.a. A': 'answer 192.0.2.99',
    },
    cold: {
      path: [
        '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
        '1/2 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12',
      ],
    },
    // ns1 has no glue of the zone's own: the parent's serves.
    warm: {
      path: [
        '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
        '1/2 answer 192.0.2.99 at a. by ns3.a. 192.0.2.13',
      ],
    },
  },
  {
    shows: 'cold is wrong and warm is right: the parent still names a server that was shut down',
    roots: 'r1.=192.0.2.1',
    otherwise: 'nodata',
    says: {
      '192.0.2.1 www.a. A': TO_A,
      '192.0.2.11 a. NS': 'own ns1.a. ns3.a.=192.0.2.13',
      '192.0.2.12 *': 'error REFUSED',
      '192.0.2.11 www.a. A': 'answer 192.0.2.80',
      '192.0.2.13 www.a. A': 'answer 192.0.2.80',
    },
    cold: {
      path: [
        '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
        '1/2 error REFUSED at a. by ns2.a. 192.0.2.12',
      ],
      resolver: ['1 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11'],
    },
    warm: {
      // Half of the paths ask ns2 for the own set and get none: for them the delegation stands.
      path: [
        '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
        '1/4 answer 192.0.2.80 at a. by ns3.a. 192.0.2.13',
        '1/4 error REFUSED at a. by ns2.a. 192.0.2.12',
      ],
      // A resolver goes on to ns1 for it.
      resolver: [
        '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
        '1/2 answer 192.0.2.80 at a. by ns3.a. 192.0.2.13',
      ],
    },
  },
  {
    shows: 'own sets that differ by server: each is as likely as its server',
    roots: 'r1.=192.0.2.1',
    otherwise: 'nodata',
    says: {
      '192.0.2.1 www.a. A': TO_A,
      '192.0.2.11 a. NS': 'own ns1.a.',
      '192.0.2.12 a. NS': 'own ns2.a. ns3.a.=192.0.2.13',
      '192.0.2.11 www.a. A': 'answer 192.0.2.80',
      '192.0.2.12 www.a. A': 'timeout',
      '192.0.2.13 www.a. A': 'answer 192.0.2.99',
    },
    cold: {
      path: ['1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11', '1/2 timeout at a. by ns2.a. 192.0.2.12'],
      resolver: ['1 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11'],
    },
    warm: {
      path: [
        '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
        '1/4 answer 192.0.2.99 at a. by ns3.a. 192.0.2.13',
        '1/4 timeout at a. by ns2.a. 192.0.2.12',
      ],
      resolver: [
        '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
        '1/2 answer 192.0.2.99 at a. by ns3.a. 192.0.2.13',
      ],
    },
  },
  {
    shows: 'what is no own set: an answer through an alias, data that fit no name, NS records as authority',
    roots: 'r1.=192.0.2.1',
    otherwise: 'nodata',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12 ns3.a.=192.0.2.13',
      '192.0.2.11 a. NS': 'alias b.a.',
      '192.0.2.12 a. NS': 'misfit',
      '192.0.2.13 a. NS': 'referral a. ns4.a.=192.0.2.14',
      '192.0.2.11 www.a. A': 'nxdomain',
      '192.0.2.12 www.a. A': 'answer 192.0.2.80',
      '192.0.2.13 www.a. A': 'timeout',
    },
    cold: {
      path: [
        '1/3 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12',
        '1/3 nxdomain at a. by ns1.a. 192.0.2.11',
        '1/3 timeout at a. by ns3.a. 192.0.2.13',
      ],
      resolver: [
        '1/2 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12',
        '1/2 nxdomain at a. by ns1.a. 192.0.2.11',
      ],
    },
    warm: {
      path: [
        '1/3 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12',
        '1/3 nxdomain at a. by ns1.a. 192.0.2.11',
        '1/3 timeout at a. by ns3.a. 192.0.2.13',
      ],
      resolver: [
        '1/2 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12',
        '1/2 nxdomain at a. by ns1.a. 192.0.2.11',
      ],
    },
  },
  {
    shows: 'a limit at the apex question ends the path there, as unknown',
    roots: 'r1.=11.0.0.1',
    scope: { specialTargets: 'blocked' },
    otherwise: 'nodata',
    says: {
      '11.0.0.1 www.a. A': 'referral a. ns1.a.=11.0.0.11 ns2.a.=10.0.0.1',
      '11.0.0.11 a. NS': 'own ns1.a. ns3.a.=11.0.0.13',
      '11.0.0.11 www.a. A': 'answer 192.0.2.80',
      '11.0.0.13 www.a. A': 'answer 192.0.2.80',
    },
    cold: {
      path: ['1/2 answer 192.0.2.80 at a. by ns1.a. 11.0.0.11', '1/2 blocked at a. by ns2.a. 10.0.0.1'],
    },
    // What ns2 would say of the zone is not known.
    warm: {
      path: [
        '1/2 blocked at a. by ns2.a. 10.0.0.1',
        '1/4 answer 192.0.2.80 at a. by ns1.a. 11.0.0.11',
        '1/4 answer 192.0.2.80 at a. by ns3.a. 11.0.0.13',
      ],
    },
  },
  {
    shows: 'a limit that ends the lookup for an apex question ends the path as itself, not as a cause',
    roots: 'r1.=11.0.0.1',
    scope: { specialTargets: 'blocked' },
    otherwise: 'nodata',
    says: {
      '11.0.0.1 www.a. A': 'referral a. ns1.a.=11.0.0.11 ns.b.',
      '11.0.0.1 ns.b. A': 'referral b. n.b.=10.0.0.1',
      '11.0.0.11 www.a. A': 'answer 192.0.2.80',
    },
    cold: {
      path: [
        '1/2 answer 192.0.2.80 at a. by ns1.a. 11.0.0.11',
        '1/2 unresolvable-ns ns.b. at a. because blocked at b. by n.b. 10.0.0.1',
      ],
      resolver: ['1/2 answer 192.0.2.80 at a. by ns1.a. 11.0.0.11', '1/2 blocked at b. by n.b. 10.0.0.1'],
    },
    warm: {
      // ns1 gives no own set: the delegation stands for half of the paths.
      path: [
        '1/2 blocked at b. by n.b. 10.0.0.1',
        '1/4 answer 192.0.2.80 at a. by ns1.a. 11.0.0.11',
        '1/4 unresolvable-ns ns.b. at a. because blocked at b. by n.b. 10.0.0.1',
      ],
      // The only server that might give an own set is the one that is not known.
      resolver: ['1 blocked at b. by n.b. 10.0.0.1'],
    },
  },
  {
    shows: 'the query limit counts the cold questions first: all of the warm walk is unknown',
    roots: 'r1.=192.0.2.1',
    maxQueries: 3,
    otherwise: 'nodata',
    says: {
      '192.0.2.1 www.a. A': TO_A,
      '192.0.2.11 www.a. A': 'answer 192.0.2.80',
      '192.0.2.12 www.a. A': 'answer 192.0.2.80',
    },
    cold: {
      path: [
        '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
        '1/2 answer 192.0.2.80 at a. by ns2.a. 192.0.2.12',
      ],
    },
    warm: { path: ['1 query-limit at . by r1. 192.0.2.1'] },
  },
  {
    shows: 'the apex question adds nothing to the depth',
    roots: 'r1.=192.0.2.1',
    scope: { maxDepth: 1 },
    otherwise: 'nodata',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns1.a.=192.0.2.11',
      '192.0.2.1 . NS': 'own r1.=192.0.2.1',
      '192.0.2.11 a. NS': 'own ns2.a.=192.0.2.12',
      '192.0.2.11 www.a. A': 'answer 192.0.2.80',
      '192.0.2.12 www.a. A': 'answer 192.0.2.81',
    },
    cold: { path: ['1 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11'] },
    warm: { path: ['1 answer 192.0.2.81 at a. by ns2.a. 192.0.2.12'] },
  },
  {
    shows:
      'aliases: a delegation left in the chain is not asked again, a zone that a referral brings back is',
    roots: 'r1.=192.0.2.1',
    otherwise: 'nodata',
    says: {
      '192.0.2.1 www.a. A': TO_A,
      '192.0.2.1 www.b. A': 'alias y.a.',
      '192.0.2.1 y.a. A': TO_A,
      '192.0.2.11 a. NS': 'own ns1.a.',
      '192.0.2.12 a. NS': 'own ns2.a.',
      '192.0.2.11 www.a. A': 'alias y.a.',
      '192.0.2.12 www.a. A': 'alias www.b.',
      '192.0.2.11 y.a. A': 'answer 192.0.2.80',
      '192.0.2.12 y.a. A': 'answer 192.0.2.81',
    },
    cold: {
      path: [
        '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
        '1/2 answer 192.0.2.81 at a. by ns2.a. 192.0.2.12',
      ],
    },
    // With ns1's own set (1/2) the alias stays at ns1; ns2's leads by way of b. to a. again, where the
    // own set is picked anew.
    warm: {
      path: [
        '3/4 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
        '1/4 answer 192.0.2.81 at a. by ns2.a. 192.0.2.12',
      ],
    },
  },
  {
    shows: "glue: a family that the zone's own reply lacks is filled in from the parent's",
    roots: 'r1.=192.0.2.1',
    scope: { families: [4, 6] },
    otherwise: 'nodata',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns1.a.=192.0.2.11,2001:db8::11',
      '192.0.2.11 a. NS': 'own ns1.a.=2001:db8::12',
      '2001:db8::11 a. NS': 'own ns1.a.=2001:db8::12',
      '192.0.2.11 www.a. A': 'answer 192.0.2.80',
      '2001:db8::11 www.a. A': 'answer 192.0.2.81',
      '2001:db8::12 www.a. A': 'answer 192.0.2.82',
    },
    cold: {
      path: [
        '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
        '1/2 answer 192.0.2.81 at a. by ns1.a. 2001:db8::11',
      ],
    },
    warm: {
      path: [
        '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
        '1/2 answer 192.0.2.82 at a. by ns1.a. 2001:db8::12',
      ],
    },
  },
  {
    shows: 'glue: a server outside the zone is looked up, whatever the zone says beside its own set',
    roots: 'r1.=192.0.2.1',
    otherwise: 'nodata',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns1.a.=192.0.2.11',
      '192.0.2.11 a. NS': 'own ns.b.=192.0.2.13',
      '192.0.2.1 ns.b. A': 'answer 192.0.2.12',
      '192.0.2.11 www.a. A': 'answer 192.0.2.80',
      '192.0.2.12 www.a. A': 'answer 192.0.2.81',
    },
    cold: { path: ['1 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11'] },
    warm: { path: ['1 answer 192.0.2.81 at a. by ns.b. 192.0.2.12'] },
  },
  {
    shows: "lookups start from own sets, and take every further delegation at its parent's word",
    ask: 'www.x.a. A',
    roots: 'r1.=192.0.2.1',
    otherwise: 'nodata',
    says: {
      '192.0.2.1 www.x.a. A': 'referral a. ns1.a.=192.0.2.11',
      '192.0.2.11 a. NS': 'own ns2.a.=192.0.2.12',
      // What the parent's server says of x.a. and of its server's address.
      '192.0.2.11 www.x.a. A': 'referral x.a. ns.y.a.',
      '192.0.2.11 ns.y.a. A': 'answer 192.0.2.32',
      '192.0.2.32 www.x.a. A': 'answer 192.0.2.99',
      // What the own server says.
      '192.0.2.12 www.x.a. A': 'referral x.a. ns.y.a.',
      '192.0.2.12 ns.y.a. A': 'referral y.a. ny.y.a.=192.0.2.21',
      '192.0.2.21 ns.y.a. A': 'answer 192.0.2.31',
      '192.0.2.31 www.x.a. A': 'answer 192.0.2.80',
      '192.0.2.21 y.a. NS': 'own nz.y.a.=192.0.2.22',
      '192.0.2.22 ns.y.a. A': 'answer 192.0.2.33',
    },
    cold: { path: ['1 answer 192.0.2.99 at x.a. by ns.y.a. 192.0.2.32'] },
    warm: { path: ['1 answer 192.0.2.80 at x.a. by ns.y.a. 192.0.2.31'] },
  },
  {
    shows: 'a lookup of the very name that is asked is cold all the same',
    ask: 'ns.b. A',
    roots: 'r1.=192.0.2.1,192.0.2.2',
    otherwise: 'nodata',
    says: {
      '192.0.2.1 ns.b. A': 'referral b. n1.b.=192.0.2.21',
      '192.0.2.2 ns.b. A': 'referral b. n1.b.=192.0.2.21',
      '192.0.2.21 ns.b. A': 'answer 192.0.2.99',
      // The zone's own server can only be found through the address that the parent's one tells.
      '192.0.2.21 b. NS': 'own ns.d.',
      '192.0.2.1 ns.d. A': 'referral d. ns.b.',
      '192.0.2.2 ns.d. A': 'referral d. ns.b.',
      '192.0.2.99 ns.d. A': 'answer 192.0.2.31',
      '192.0.2.31 ns.b. A': 'answer 192.0.2.80',
    },
    cold: { path: ['1 answer 192.0.2.99 at b. by n1.b. 192.0.2.21'] },
    warm: { path: ['1 answer 192.0.2.80 at b. by ns.d. 192.0.2.31'] },
  },
];

for (const { shows, cold, warm, ...world } of CASES) {
  t.test(shows, async (t) => {
    const { evaluation, asked } = await exploreTable(checked(world));
    t.same(spelledOutcomes(outcomesIn(evaluation, 'first-tries')), cold.path, 'cold path view');
    t.same(
      spelledOutcomes(outcomesIn(evaluation, 'resolver')),
      cold.resolver ?? cold.path,
      'cold resolver view',
    );
    t.same(spelledOutcomes(outcomesIn(evaluation, 'first-tries/warm')), warm.path, 'warm path view');
    t.same(spelledOutcomes(outcomesIn(evaluation, 'warm')), warm.resolver ?? warm.path, 'warm resolver view');
    t.equal(new Set(asked).size, asked.length, 'nothing is asked twice');
  });
}
