/** What only follows from something else, where zones are asked about themselves. */
import type { CausesRow } from './causes.ts';
import { rcode, referral, silence } from './world.ts';
import { at, checked, DELEGATED, hosts, naming, RIGHT, serving, WWW, zone } from './zone-worlds.ts';

const REFUSED = rcode('REFUSED');
const B = zone('b.', ['b. NS ns1.b.', 'b. NS ns2.b.', 'ns1.b. A 192.0.2.21', 'ns2.b. A 192.0.2.22']);

/** Two servers of y.b., which has nothing else. */
const Y_SERVERS = ['y.b. NS ns1.y.b.', 'y.b. NS ns2.y.b.', 'ns1.y.b. A 192.0.2.41', 'ns2.y.b. A 192.0.2.42'];
const Y = zone('y.b.', Y_SERVERS);
const WITH_Y = { ...B, records: [...B.records, ...Y_SERVERS] };
const IPV4 = { families: [4] } as const;

/** x.a. as a server has it that is called ns1 or ns2, and all others with these numbers. */
const numbered = (numbers: readonly number[], www = WWW, soa?: Parameters<typeof zone>[2]) =>
  serving(zone('x.a.', [...naming(...numbers.map((n) => `ns${n}.x.a.`)), ...hosts(...numbers), www], soa));

/** Both sides name five servers, of which one is lame, one silent, one not to be found, and one different; the zone names a sixth. */
const NAMED = [...naming('ns1.x.a.', 'ns2.x.a.', 'ns3.x.a.', 'gone.y.b.', 'ns5.x.a.'), ...hosts(1, 2, 3, 5)];
const FAULTY = [...NAMED, ...naming('ns6.x.a.'), ...hosts(6)];

/** A lame server, a silent one, a name that does not exist, a server with other data, and one that the delegation lacks. */
export const FIVE_FAULTS: CausesRow = {
  shows: 'five faults in one zone, each with its culprit',
  ...checked({
    parent: NAMED,
    ns1: serving(zone('x.a.', [...FAULTY, WWW])),
    ns2: referral('. r1.=192.0.2.1'),
    options: IPV4,
    says: {
      ...at([33], silence),
      ...at([35], serving(zone('x.a.', [...FAULTY, 'www.x.a. A 192.0.2.99']))),
      ...at([36], serving(zone('x.a.', [...FAULTY, WWW]))),
      ...at([21, 22], serving(WITH_Y)),
      ...at([41, 42], serving(Y)),
    },
  }),
  finds: [
    'f1 error ANSWERS_DIFFER',
    'f2 of f1 error ANSWER_NOT_CERTAIN',
    'f3 error NS_UNRESOLVABLE',
    'f4 warning PARENT_CHILD_NS_DIFFER',
    'f5 of f4 warning WARM_DIFFERS',
    'f6 warning NS_UPWARD_REFERRAL',
    'f7 warning NS_NO_RESPONSE_UDP',
    'f8 warning FIRST_TRY_FAILS',
  ],
};

export const ZONE_CAUSES: readonly CausesRow[] = [
  FIVE_FAULTS,
  {
    shows: 'a server that only the zone names refuses',
    ...checked({
      ns1: numbered([1, 2, 3]),
      ns2: numbered([1, 2, 3]),
      options: IPV4,
      says: at([33], REFUSED),
    }),
    finds: ['f1 error PARENT_CHILD_NS_DIFFER', 'f2 of f1 error NS_REFUSED'],
  },
  {
    shows: 'a server that only the delegation names refuses',
    ...checked({
      parent: [...DELEGATED, ...naming('ns3.x.a.'), ...hosts(3)],
      options: IPV4,
      says: at([33], REFUSED),
    }),
    finds: [
      'f1 error PARENT_CHILD_NS_DIFFER',
      'f2 of f1 error NS_REFUSED',
      'f3 of f1 warning FIRST_TRY_FAILS',
      'f4 of f1 warning GLUE_EXTRA',
    ],
  },
  {
    shows: 'a server that only the delegation names has an old version',
    ...checked({
      parent: [...DELEGATED, ...naming('ns3.x.a.'), ...hosts(3)],
      ns1: numbered([1, 2], WWW, { serial: 2 }),
      ns2: numbered([1, 2], WWW, { serial: 2 }),
      options: IPV4,
      says: at([33], numbered([1, 2, 3], 'www.x.a. A 192.0.2.99')),
    }),
    finds: [
      'f1 error PARENT_CHILD_NS_DIFFER',
      'f2 of f1 error ANSWER_NOT_CERTAIN',
      'f3 of f1 warning WARM_DIFFERS',
      'f4 of f1 warning ANSWERS_DIFFER',
      'f5 of f1 warning SOA_SERIAL_DIFFERS',
      'f6 of f1 notice CHILD_NS_SETS_DIFFER',
      'f7 of f1 notice GLUE_EXTRA',
    ],
  },
  {
    shows: 'a server that only the zone names has another version',
    ...checked({
      ns1: numbered([1, 2, 3]),
      ns2: numbered([1, 2, 3]),
      options: IPV4,
      says: at([33], numbered([1, 2, 3], 'www.x.a. A 192.0.2.99')),
    }),
    finds: [
      'f1 error PARENT_CHILD_NS_DIFFER',
      'f2 of f1 error WARM_DIFFERS',
      'f3 of f1 warning ANSWERS_DIFFER',
    ],
  },
  {
    shows: 'two providers that know nothing of each other',
    ...checked({
      parent: [...naming('ns1.x.a.', 'ns1.b.'), ...hosts(1)],
      options: IPV4,
      says: at(
        [21, 22],
        serving(B, zone('x.a.', [...naming('ns1.b.'), 'www.x.a. A 192.0.2.99'], { serial: 7 })),
      ),
    }),
    finds: [
      'f1 error PARENT_CHILD_NS_DIFFER',
      'f2 of f1 error ANSWER_NOT_CERTAIN',
      'f3 of f1 warning ANSWERS_DIFFER',
      'f4 of f1 notice CHILD_NS_SETS_DIFFER',
    ],
  },
  {
    shows: 'moved to another provider, of which the delegation knows nothing',
    ...checked({
      ns1: serving(zone('x.a.', [...naming('ns1.b.', 'ns2.b.'), WWW], { serial: 7 })),
      ns2: serving(zone('x.a.', [...naming('ns1.b.', 'ns2.b.'), WWW], { serial: 7 })),
      options: IPV4,
      says: at([21, 22], serving(B, zone('x.a.', [...naming('ns1.b.', 'ns2.b.'), 'www.x.a. A 192.0.2.99']))),
    }),
    finds: [
      'f1 error PARENT_CHILD_NS_DISJOINT',
      'f2 of f1 error WARM_DIFFERS',
      'f3 of f1 warning ANSWERS_DIFFER',
      'f4 of f1 notice GLUE_EXTRA',
      'f5 of f1 notice GLUE_EXTRA',
    ],
  },
  {
    shows: "glue that leads to somebody else, who has the zone's former version",
    ...checked({
      parent: [...naming('ns1.x.a.', 'ns2.x.a.'), ...hosts(1), 'ns2.x.a. A 192.0.2.66'],
      ns1: numbered([1, 2], WWW, { serial: 9 }),
      ns2: numbered([1, 2], WWW, { serial: 9 }),
      options: IPV4,
      says: at([66], numbered([2, 1], 'www.x.a. A 192.0.2.99')),
    }),
    finds: [
      'f1 error GLUE_MISMATCH',
      'f2 of f1 error ANSWER_NOT_CERTAIN',
      'f3 of f1 error WARM_DIFFERS',
      'f4 of f1 warning ANSWERS_DIFFER',
      'f5 of f1 warning SOA_SERIAL_DIFFERS',
    ],
  },
  {
    shows: 'own sets that differ lead to different users',
    ...checked({
      ns1: numbered([1, 2]),
      ns2: numbered([1, 2, 3]),
      options: IPV4,
      says: at([33], REFUSED),
    }),
    finds: ['f1 error NS_REFUSED', 'f2 notice CHILD_NS_SETS_DIFFER'],
  },
  {
    shows: 'a registry server that lags behind does not know the zone',
    ...checked({
      options: IPV4,
      says: {
        '192.0.2.12 *': serving(
          zone('a.', ['a. NS ns1.a.', 'a. NS ns2.a.', 'ns1.a. A 192.0.2.11', 'ns2.a. A 192.0.2.12'], {
            serial: 0,
          }),
        ),
      },
    }),
    finds: [
      'f1 error SOA_SERIAL_DIFFERS',
      'f2 of f1 error ANSWER_NOT_CERTAIN',
      'f3 of f1 error PARENT_INCONSISTENT',
      'f4 of f1 warning SINGLE_POINT_OF_FAILURE',
    ],
  },
  { shows: 'nothing that is wrong, and nothing that follows', ...checked({ ns2: RIGHT }), finds: [] },
];
