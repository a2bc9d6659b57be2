/** Findings about what zones say of themselves when they are asked: all of them with `--check`. */
import { type FindingRow, rcode, silence, withFlags } from './world.ts';
import { at, checked, DELEGATED, hosts, naming, RIGHT, serving, WWW, zone } from './zone-worlds.ts';

const REFUSED = rcode('REFUSED');

/** x.a. with other records than it should have. */
const own = (records: readonly string[], soa?: Parameters<typeof zone>[2]) =>
  serving(zone('x.a.', [...records, WWW], soa));

const THREE = own([...naming('ns1.x.a.', 'ns2.x.a.', 'ns3.x.a.'), ...hosts(1, 2, 3)]);
const OTHER = serving(
  zone('x.a.', [...naming('ns1.x.a.', 'ns2.x.a.', 'ns3.x.a.'), ...hosts(1, 2, 3), 'www.x.a. A 192.0.2.99']),
);
const TWO = [...naming('ns1.x.a.', 'ns2.x.a.'), ...hosts(1, 2)];

/** A provider whose servers are in b., and what it has of x.a. */
const PROVIDER = [
  ...['b. NS ns1.b.', 'b. NS ns2.b.'],
  ...['ns1.b. A 192.0.2.21', 'ns1.b. AAAA 2001:db8::21', 'ns2.b. A 192.0.2.22', 'ns2.b. AAAA 2001:db8::22'],
];
const atProvider = (www: string, serial = 1) =>
  serving(zone('b.', PROVIDER), zone('x.a.', [...naming('ns1.b.', 'ns2.b.'), www], { serial }));

/** One server has moved: its glue is old. */
const OLD_GLUE = [...naming('ns1.x.a.', 'ns2.x.a.'), ...hosts(1), 'ns2.x.a. A 192.0.2.66'];

/** ns3, which only the zone names, has another version of it. */
const OTHER_VERSION = checked({
  ns1: THREE,
  ns2: THREE,
  says: at([33], OTHER),
});

/** The zone names nobody who serves it. */
const NOBODY = checked({
  ns1: own(naming('ns1.b.')),
  ns2: own(naming('ns1.b.')),
  says: at([21, 22], serving(zone('b.', PROVIDER))),
});

/** Two providers, and nothing that tells which of them is right. */
const TWO_PROVIDERS = checked({
  ns1: atProvider(WWW, 7),
  ns2: atProvider(WWW, 7),
  options: { families: [4] },
  says: at([21, 22], atProvider('www.x.a. A 192.0.2.99')),
});

export const ZONES: readonly FindingRow[] = [
  {
    code: 'PARENT_CHILD_NS_DIFFER',
    shows: 'the delegation lacks a server that works',
    ...checked({ ns1: THREE, ns2: THREE, says: at([33], THREE) }),
    finds: [
      'warning x.a.: 192.0.2.11, 2001:db8::11, 192.0.2.12, 2001:db8::12, 192.0.2.31 x.a. NS, 2001:db8::31 x.a. NS, 192.0.2.32 x.a. NS, 2001:db8::32 x.a. NS, 192.0.2.33 x.a. NS, 2001:db8::33 x.a. NS',
    ],
    tells: [
      'The delegation of x.a names ns1.x.a and ns2.x.a, but the zone itself names ns1.x.a, ns2.x.a and ns3.x.a. Ask the registrar to delegate x.a to exactly ns1.x.a, ns2.x.a and ns3.x.a.',
    ],
  },
  {
    code: 'PARENT_CHILD_NS_DIFFER',
    shows: 'the zone names a server that does not serve it',
    ...checked({ ns1: THREE, ns2: THREE, says: at([33], REFUSED) }),
    finds: [
      'error x.a.: 192.0.2.11, 2001:db8::11, 192.0.2.12, 2001:db8::12, 192.0.2.31 x.a. NS, 2001:db8::31 x.a. NS, 192.0.2.32 x.a. NS, 2001:db8::32 x.a. NS',
    ],
    tells: ['. Remove ns3.x.a, which returns no usable reply, from the NS records of the zone.'],
  },
  {
    code: 'PARENT_CHILD_NS_DIFFER',
    shows: 'the delegation still names a server that the zone has given up, and a resolver goes there',
    ...checked({ parent: [...DELEGATED, ...naming('ns1.b.')], says: at([21, 22], atProvider(WWW)) }),
    finds: [
      'warning x.a.: 192.0.2.11, 2001:db8::11, 192.0.2.12, 2001:db8::12, 192.0.2.21 x.a. NS, 2001:db8::21 x.a. NS, 192.0.2.31 x.a. NS, 2001:db8::31 x.a. NS, 192.0.2.32 x.a. NS, 2001:db8::32 x.a. NS, 192.0.2.22 x.a. NS, 2001:db8::22 x.a. NS',
    ],
    tells: [
      'names ns1.b, ns1.x.a and ns2.x.a, but two providers serve different zones called x.a: ns1.b (192.0.2.21) names ns1.b and ns2.b, while ns1.x.a (192.0.2.31) names ns1.x.a and ns2.x.a. Decide which of them is right: if ns1.b (192.0.2.21) is, ask the registrar to delegate x.a to exactly ns1.b and ns2.b, and if ns1.x.a (192.0.2.31) is, to exactly ns1.x.a and ns2.x.a.',
    ],
  },
  {
    code: 'PARENT_CHILD_NS_DIFFER',
    shows: 'one that says so without authority, and one that does not say, prove nothing',
    ...checked({ ns1: withFlags(THREE), ns2: REFUSED, says: at([33], RIGHT) }),
    finds: [],
  },
  {
    code: 'PARENT_CHILD_NS_DIFFER',
    shows: 'nobody asked',
    ...checked({ ns1: THREE, ns2: THREE, options: { check: false } }),
    finds: [],
  },
  {
    code: 'PARENT_CHILD_NS_DISJOINT',
    shows: 'moved, and the registrar was not told',
    ...checked({
      parent: DELEGATED,
      ns1: atProvider(WWW),
      ns2: atProvider(WWW),
      says: at([21, 22], atProvider(WWW)),
    }),
    finds: [
      'error x.a.: 192.0.2.11, 2001:db8::11, 192.0.2.12, 2001:db8::12, 192.0.2.31 x.a. NS, 2001:db8::31 x.a. NS, 192.0.2.32 x.a. NS, 2001:db8::32 x.a. NS, 192.0.2.21 x.a. NS, 2001:db8::21 x.a. NS, 192.0.2.22 x.a. NS, 2001:db8::22 x.a. NS',
    ],
    tells: [
      'Ask the registrar to delegate x.a to exactly ns1.b and ns2.b, or add ns1.x.a and ns2.x.a to the NS records of the zone if they are to stay.',
    ],
  },
  {
    code: 'PARENT_CHILD_NS_DISJOINT',
    shows: 'one server in common',
    ...checked({ ns1: THREE, ns2: THREE, says: at([33], THREE) }),
    finds: [],
  },
  {
    code: 'CHILD_NS_SETS_DIFFER',
    shows: 'one server knows of a third',
    ...checked({ ns2: THREE, says: at([33], THREE) }),
    finds: [
      'notice x.a.: 192.0.2.31 x.a. NS, 2001:db8::31 x.a. NS, 192.0.2.32 x.a. NS, 2001:db8::32 x.a. NS, 192.0.2.33 x.a. NS, 2001:db8::33 x.a. NS',
    ],
    tells: [
      'ns1.x.a (192.0.2.31) names ns1.x.a and ns2.x.a, while ns2.x.a (192.0.2.32) names ns1.x.a, ns2.x.a and ns3.x.a. Make all of them serve the same version of the zone.',
    ],
  },
  {
    code: 'CHILD_NS_SETS_DIFFER',
    shows: 'one of them does not say',
    ...checked({ ns1: THREE, ns2: silence, says: at([33], THREE) }),
    finds: [],
  },
  {
    code: 'NS_TTL_SKEW',
    shows: 'two days in the delegation, five minutes in the zone',
    ...checked({
      parent: ['x.a. 172800 NS ns1.x.a.', 'x.a. 172800 NS ns2.x.a.', ...hosts(1, 2)],
    }),
    finds: [
      'info x.a.: 192.0.2.11, 2001:db8::11, 192.0.2.12, 2001:db8::12, 192.0.2.31 x.a. NS, 2001:db8::31 x.a. NS, 192.0.2.32 x.a. NS, 2001:db8::32 x.a. NS',
    ],
    tells: ["Caches keep the delegation of x.a for 172800 s, but the zone's own NS records for 300 s"],
  },
  {
    code: 'NS_TTL_SKEW',
    shows: 'eight hours in the delegation',
    ...checked({ parent: ['x.a. 28800 NS ns1.x.a.', 'x.a. 28800 NS ns2.x.a.', ...hosts(1, 2)] }),
    finds: [],
  },
  {
    code: 'SOA_SERIAL_DIFFERS',
    shows: 'a server that lags behind, although nobody asked for what has changed',
    ...checked({ ns2: own(TWO, { serial: 4_294_967_290 }) }),
    finds: [
      'warning x.a. ns2.x.a. 192.0.2.32: 192.0.2.31 x.a. SOA, 192.0.2.32 x.a. SOA',
      'warning x.a. ns2.x.a. 2001:db8::32: 192.0.2.31 x.a. SOA, 2001:db8::32 x.a. SOA',
    ],
    tells: [
      'ns2.x.a (192.0.2.32) serves x.a with serial 4294967290, while ns1.x.a (192.0.2.31) serves serial 1. Find out why zone transfers do not reach it.',
    ],
  },
  {
    code: 'SOA_SERIAL_DIFFERS',
    shows: 'serials that are times, no further apart than secondaries may lag',
    ...checked({
      ns1: own(TWO, { serial: 1_763_783_000 }),
      ns2: own(TWO, { serial: 1_763_782_000 }),
    }),
    finds: [],
  },
  {
    code: 'SOA_SERIAL_DIFFERS',
    shows: 'two providers that know nothing of each other',
    ...checked({
      parent: [...naming('ns1.b.', 'ns1.x.a.'), ...hosts(1)],
      says: at([21, 22], atProvider('www.x.a. A 192.0.2.99', 12)),
    }),
    finds: [],
  },
  {
    code: 'GLUE_MISMATCH',
    shows: "somebody else's address, as the servers that work say",
    ...checked({ parent: OLD_GLUE, says: { '192.0.2.66 *': REFUSED } }),
    finds: [
      'error x.a. ns2.x.a. 192.0.2.66: 192.0.2.11, 2001:db8::11, 192.0.2.12, 2001:db8::12, 192.0.2.31 ns2.x.a. A, 2001:db8::31 ns2.x.a. A, 192.0.2.32 ns2.x.a. A, 2001:db8::32 ns2.x.a. A',
    ],
    tells: [
      'has glue 192.0.2.66 for ns2.x.a instead of 192.0.2.32, which that name has in its own zone. Correct the glue at the parent to 192.0.2.32.',
    ],
  },
  {
    code: 'GLUE_MISMATCH',
    shows: 'only a server that lags behind says otherwise',
    ...checked({
      parent: OLD_GLUE,
      ns1: own(TWO, { serial: 2 }),
      ns2: own(TWO, { serial: 2 }),
      says: {
        '192.0.2.66 *': own([...naming('ns1.x.a.', 'ns2.x.a.'), ...hosts(1), 'ns2.x.a. A 192.0.2.66']),
      },
    }),
    finds: [
      'error x.a. ns2.x.a. 192.0.2.66: 192.0.2.11, 2001:db8::11, 192.0.2.12, 2001:db8::12, 192.0.2.31 ns2.x.a. A, 2001:db8::31 ns2.x.a. A, 192.0.2.32 ns2.x.a. A, 2001:db8::32 ns2.x.a. A',
    ],
  },
  {
    code: 'NS_REFUSED',
    shows: 'at an address that is no longer its own',
    ...checked({ parent: OLD_GLUE, says: { '192.0.2.66 *': REFUSED } }),
    finds: [
      'error x.a. ns2.x.a. 192.0.2.66: 192.0.2.66, 192.0.2.66 x.a. NS, 192.0.2.66 x.a. SOA, 192.0.2.66 ns1.x.a. A, 192.0.2.66 ns1.x.a. AAAA, 192.0.2.66 ns2.x.a. A, 192.0.2.66 ns2.x.a. AAAA',
    ],
    tells: ['. See GLUE_MISMATCH.'],
  },
  {
    code: 'NS_REFUSED',
    shows: 'at an address that may no longer be its own, for all that was asked',
    ...checked({ parent: OLD_GLUE, says: { '192.0.2.66 *': REFUSED }, options: { check: false } }),
    finds: ['error x.a. ns2.x.a. 192.0.2.66: 192.0.2.66'],
    tells: ['. Check that 192.0.2.66 is still its address: if so, configure'],
  },
  {
    code: 'NS_REFUSED',
    shows: 'at an address that is its own',
    ...checked({ ns2: REFUSED, options: { families: [4] } }),
    finds: [
      'error x.a. ns2.x.a. 192.0.2.32: 192.0.2.32, 192.0.2.32 x.a. NS, 192.0.2.32 x.a. SOA, 192.0.2.32 ns1.x.a. A, 192.0.2.32 ns2.x.a. A',
    ],
    tells: ['. Configure the zone there or remove the server from the delegation.'],
  },
  {
    code: 'NS_NO_RESPONSE_UDP',
    shows: 'at an address that is no longer its own',
    ...checked({ parent: OLD_GLUE, says: { '192.0.2.66 *': silence } }),
    finds: [
      'warning x.a. ns2.x.a. 192.0.2.66: 192.0.2.66, 192.0.2.66 x.a. NS, 192.0.2.66 x.a. SOA, 192.0.2.66 ns1.x.a. A, 192.0.2.66 ns1.x.a. AAAA, 192.0.2.66 ns2.x.a. A, 192.0.2.66 ns2.x.a. AAAA',
    ],
    tells: ['. See GLUE_MISMATCH.'],
  },
  {
    code: 'GLUE_MISSING_FAMILY',
    shows: 'the zone has an IPv6 address of its server, its glue does not',
    ...checked({ parent: [...naming('ns1.x.a.', 'ns2.x.a.'), ...hosts(1), 'ns2.x.a. A 192.0.2.32'] }),
    finds: [
      'notice x.a. ns2.x.a.: 192.0.2.11, 2001:db8::11, 192.0.2.12, 2001:db8::12, 192.0.2.31 ns2.x.a. AAAA, 2001:db8::31 ns2.x.a. AAAA, 192.0.2.32 ns2.x.a. AAAA, 2001:db8::32 ns2.x.a. AAAA',
    ],
    tells: ['has no IPv6 glue for ns2.x.a, which has 2001:db8::32'],
  },
  {
    code: 'GLUE_MISSING_FAMILY',
    shows: 'no server says what it has',
    ...checked({
      parent: [...naming('ns1.x.a.', 'ns2.x.a.'), ...hosts(1), 'ns2.x.a. A 192.0.2.32'],
      ns1: withFlags(RIGHT),
      ns2: REFUSED,
    }),
    finds: [],
  },
  {
    code: 'GLUE_EXTRA',
    shows: 'an address more than the zone has',
    ...checked({ parent: [...DELEGATED, 'ns2.x.a. A 192.0.2.66'], says: { '192.0.2.66 *': RIGHT } }),
    finds: [
      'notice x.a. ns2.x.a. 192.0.2.66: 192.0.2.11, 2001:db8::11, 192.0.2.12, 2001:db8::12, 192.0.2.31 ns2.x.a. A, 2001:db8::31 ns2.x.a. A, 192.0.2.32 ns2.x.a. A, 192.0.2.66 ns2.x.a. A, 2001:db8::32 ns2.x.a. A',
    ],
  },
  {
    code: 'GLUE_EXTRA',
    shows: 'another address, and none in common: that is a mismatch',
    ...checked({ parent: OLD_GLUE, says: { '192.0.2.66 *': RIGHT } }),
    finds: [],
  },
  {
    code: 'NS_NO_IPV6',
    shows: 'nobody has IPv6, as the zone says',
    ...checked({
      parent: [...naming('ns1.x.a.', 'ns2.x.a.'), 'ns1.x.a. A 192.0.2.31', 'ns2.x.a. A 192.0.2.32'],
      ns1: own([...naming('ns1.x.a.', 'ns2.x.a.'), 'ns1.x.a. A 192.0.2.31', 'ns2.x.a. A 192.0.2.32']),
      ns2: own([...naming('ns1.x.a.', 'ns2.x.a.'), 'ns1.x.a. A 192.0.2.31', 'ns2.x.a. A 192.0.2.32']),
    }),
    finds: [
      'notice x.a.: 192.0.2.11, 2001:db8::11, 192.0.2.12, 2001:db8::12, 192.0.2.31 ns1.x.a. AAAA, 192.0.2.31 ns2.x.a. AAAA, 192.0.2.32 ns1.x.a. AAAA, 192.0.2.32 ns2.x.a. AAAA',
    ],
  },
  {
    code: 'NS_NO_IPV6',
    shows: 'IPv6 was left out',
    ...checked({
      parent: [...naming('ns1.x.a.', 'ns2.x.a.'), 'ns1.x.a. A 192.0.2.31', 'ns2.x.a. A 192.0.2.32'],
      options: { families: [4] },
    }),
    finds: [],
  },
  {
    code: 'NS_NO_IPV6',
    shows: 'the glue lacks what the zone has',
    ...checked({
      parent: [...naming('ns1.x.a.', 'ns2.x.a.'), 'ns1.x.a. A 192.0.2.31', 'ns2.x.a. A 192.0.2.32'],
    }),
    finds: [],
  },
  {
    code: 'PARENT_CHILD_NS_DIFFER',
    shows: 'a server that only the zone names has another version',
    ...OTHER_VERSION,
    finds: [
      'error x.a.: 192.0.2.11, 2001:db8::11, 192.0.2.12, 2001:db8::12, 192.0.2.31 x.a. NS, 2001:db8::31 x.a. NS, 192.0.2.32 x.a. NS, 2001:db8::32 x.a. NS, 192.0.2.33 x.a. NS, 2001:db8::33 x.a. NS',
    ],
    tells: [
      'Have ns3.x.a serve the same version of the zone as the others, and ask the registrar to delegate x.a to exactly ns1.x.a, ns2.x.a and ns3.x.a.',
    ],
  },
  {
    code: 'PARENT_CHILD_NS_DISJOINT',
    shows: 'the zone names nobody who serves it',
    ...NOBODY,
    finds: [
      'critical x.a.: 192.0.2.11, 2001:db8::11, 192.0.2.12, 2001:db8::12, 192.0.2.31 x.a. NS, 2001:db8::31 x.a. NS, 192.0.2.32 x.a. NS, 2001:db8::32 x.a. NS',
    ],
    tells: [
      'Have the NS records of the zone name ns1.x.a and ns2.x.a instead of ns1.b, which returns no usable reply.',
    ],
  },
  {
    code: 'PARENT_CHILD_NS_DISJOINT',
    shows: 'two providers, and nothing that tells which of them is right',
    ...TWO_PROVIDERS,
    finds: [
      'error x.a.: 192.0.2.11, 192.0.2.12, 192.0.2.31 x.a. NS, 192.0.2.32 x.a. NS, 192.0.2.21 x.a. NS, 192.0.2.22 x.a. NS',
    ],
    tells: [
      'Decide whose data are right: if those of ns1.b and ns2.b, ask the registrar to delegate x.a to exactly ns1.b and ns2.b, and if those of ns1.x.a and ns2.x.a, have the NS records of the zone name these.',
    ],
  },
  {
    code: 'WARM_DIFFERS',
    shows: 'a server that only the zone names has another version',
    ...OTHER_VERSION,
    finds: [
      'error x.a.: 192.0.2.31, 2001:db8::31, 192.0.2.32, 2001:db8::32, 192.0.2.31 x.a. NS, 2001:db8::31 x.a. NS, 192.0.2.33, 2001:db8::33, 192.0.2.32 x.a. NS, 2001:db8::32 x.a. NS, 192.0.2.33 x.a. NS, 2001:db8::33 x.a. NS',
    ],
    tells: [
      'Lookups of www.x.a A end differently once a resolver has learnt the name servers of x.a from the zone itself: before, 100 % return 192.0.2.80; after, 66.67 % (2/3) return 192.0.2.80 and 33.33 % (1/3) return 192.0.2.99. See PARENT_CHILD_NS_DIFFER.',
    ],
  },
  {
    code: 'WARM_DIFFERS',
    shows: 'the zone names nobody who serves it',
    ...NOBODY,
    finds: [
      'critical x.a.: 192.0.2.31, 2001:db8::31, 192.0.2.32, 2001:db8::32, 192.0.2.31 x.a. NS, 2001:db8::31 x.a. NS, 192.0.2.21, 2001:db8::21, 192.0.2.32 x.a. NS, 2001:db8::32 x.a. NS',
    ],
    tells: ['before, 100 % return 192.0.2.80; after, 100 % fail. See PARENT_CHILD_NS_DISJOINT.'],
  },
  {
    code: 'WARM_DIFFERS',
    shows: 'two providers, and nothing that tells which of them is right',
    ...TWO_PROVIDERS,
    finds: [
      'error x.a.: 192.0.2.31 x.a. NS, 192.0.2.32 x.a. NS, 192.0.2.21, 192.0.2.22, 192.0.2.21 x.a. NS, 192.0.2.22 x.a. NS',
    ],
    tells: ['before, 100 % return 192.0.2.80; after, 100 % return 192.0.2.99. See PARENT_CHILD_NS_DISJOINT.'],
  },
  {
    code: 'WARM_DIFFERS',
    shows: 'the same answers in other shares',
    ...checked({
      ns1: own([...naming('ns1.x.a.', 'ns2.x.a.', 'ns3.x.a.'), ...hosts(1, 2, 3)]),
      ns2: serving(
        zone('x.a.', [
          ...naming('ns1.x.a.', 'ns2.x.a.', 'ns3.x.a.'),
          ...hosts(1, 2, 3),
          'www.x.a. A 192.0.2.99',
        ]),
      ),
      says: at([33], THREE),
    }),
    finds: [
      'warning x.a.: 192.0.2.31, 2001:db8::31, 192.0.2.32, 2001:db8::32, 192.0.2.31 x.a. NS, 2001:db8::31 x.a. NS, 192.0.2.33, 2001:db8::33, 192.0.2.32 x.a. NS, 2001:db8::32 x.a. NS, 192.0.2.33 x.a. NS, 2001:db8::33 x.a. NS',
    ],
  },
  {
    code: 'WARM_DIFFERS',
    shows: 'what the warm walk would find was cut off by a limit',
    ...checked({ ns1: own(naming('ns1.b.')), ns2: own(naming('ns1.b.')), options: { maxQueries: 18 } }),
    finds: [],
  },
  {
    code: 'WARM_DIFFERS',
    shows: 'other servers, the same answer',
    ...checked({ ns1: THREE, ns2: THREE, says: at([33], THREE) }),
    finds: [],
  },
];
