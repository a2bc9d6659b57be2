/** Findings about what it all comes to. */
import { after, answer, denial, type FindingRow, rcode, referral, type Saying, silence } from './world.ts';
import { checked } from './zone-worlds.ts';

const NS1 = '192.0.2.11 *';
const NS2 = '192.0.2.12 *';
const ANSWER = answer('192.0.2.80');
const STALE = answer('192.0.2.99');
const REFUSED = rcode('REFUSED');

/** What both root servers say. */
const ofRoots = (saying: Saying) => ({ '192.0.2.1 *': saying, '192.0.2.2 *': saying });
/** What both servers of a. say. */
const both = (saying: Saying) => ({ [NS1]: saying, [NS2]: saying });

/** One server, whose IPv6 says this. */
const withIpv6 = (saying: Saying) => ({
  ...ofRoots(referral('a. ns1.a.=192.0.2.11,2001:db8::11')),
  '2001:db8::11 *': saying,
});

/** `levels` zones in a row, at each of which one of two servers refuses: one path in 2^levels gets an answer. */
function narrowing(levels: number) {
  const labels = Array.from({ length: levels }, (_, i) => `z${i}`);
  const zoneAt = (level: number) => `${labels.slice(0, level).reverse().join('.')}.`;
  const ask = `${zoneAt(levels)} A`;
  const to = (level: number) => {
    const zone = zoneAt(level);
    return referral(`${zone} y.${zone}=192.0.3.${level} n.${zone}=192.0.4.${level}`);
  };
  const rows = labels.map((_, i): [string, Saying] => [
    `192.0.3.${i + 1} *`,
    i + 1 === levels ? ANSWER : to(i + 2),
  ]);
  const refusing = labels.map((_, i) => `192.0.4.${i + 1}`);
  return {
    roots: 'r1.=192.0.2.1',
    options: { families: [4] as const },
    ask,
    refusing,
    says: {
      '192.0.2.1 *': to(1),
      ...Object.fromEntries(rows),
      ...Object.fromEntries(refusing.map((address): [string, Saying] => [`${address} *`, REFUSED])),
    },
  };
}

/** All servers of a. are those of the hoster h.b., which the root refers to. */
const HOSTERS = ['192.0.2.21', '192.0.2.22'];
const HOSTED: Readonly<Record<string, Saying>> = {
  '192.0.2.1 *': referral('h.b. ns1.h.b.=192.0.2.21 ns2.h.b.=192.0.2.22'),
  '192.0.2.1 www.a. A': referral('a. ns1.h.b. ns2.h.b.'),
  ...Object.fromEntries(
    HOSTERS.flatMap((address) => [
      [`${address} *`, denial('nodata', 'h.b.')],
      [`${address} ns1.h.b. A`, answer('192.0.2.21')],
      [`${address} ns2.h.b. A`, answer('192.0.2.22')],
      [`${address} www.a. A`, ANSWER],
    ]),
  ),
};

export const OUTLOOK: readonly FindingRow[] = [
  {
    code: 'SINGLE_POINT_OF_FAILURE',
    shows: 'the only server that works',
    says: { [NS2]: REFUSED },
    finds: ['warning a. ns1.a. 192.0.2.11: 192.0.2.11'],
    tells: ['If ns1.a (192.0.2.11), a name server of a, fails, www.a A stops resolving.'],
  },
  {
    code: 'SINGLE_POINT_OF_FAILURE',
    shows: 'the only server, by two addresses',
    says: ofRoots(referral('a. ns1.a.=192.0.2.11,192.0.2.12')),
    finds: ['warning a. ns1.a.: 192.0.2.11, 192.0.2.12'],
  },
  {
    code: 'SINGLE_POINT_OF_FAILURE',
    shows: 'the only address, by two names',
    says: ofRoots(referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.11')),
    finds: ['warning a. ns1.a. 192.0.2.11: 192.0.2.11'],
  },
  {
    code: 'SINGLE_POINT_OF_FAILURE',
    shows: 'the only address, by two names, over the one family that was asked',
    options: { families: [4] },
    says: ofRoots(referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.11')),
    finds: ['warning a. ns1.a. 192.0.2.11: 192.0.2.11'],
  },
  {
    code: 'SINGLE_POINT_OF_FAILURE',
    shows: 'the only IPv6 address, by two names, over IPv6 alone',
    options: { families: [6] },
    roots: 'r1.=2001:db8::1 r2.=2001:db8::2',
    says: {
      '2001:db8::1 *': referral('a. ns1.a.=2001:db8::11 ns2.a.=2001:db8::11'),
      '2001:db8::2 *': referral('a. ns1.a.=2001:db8::11 ns2.a.=2001:db8::11'),
      '2001:db8::11 *': answer('192.0.2.80'),
    },
    finds: ['warning a. ns1.a. 2001:db8::11: 2001:db8::11'],
  },
  {
    code: 'SINGLE_POINT_OF_FAILURE',
    shows: 'the only server that works over the one family that was asked',
    options: { families: [4] },
    says: { [NS2]: REFUSED },
    finds: ['warning a. ns1.a.: 192.0.2.11'],
    tells: ['www.a A stops resolving over IPv4.'],
  },
  {
    code: 'SINGLE_POINT_OF_FAILURE',
    shows: 'the domain that all servers are named in',
    roots: 'r1.=192.0.2.1',
    says: HOSTED,
    finds: [
      'notice h.b.: 192.0.2.21 ns1.h.b. A, 192.0.2.22 ns1.h.b. A, 192.0.2.21 ns1.h.b. AAAA, 192.0.2.22 ns1.h.b. AAAA, 192.0.2.21 ns2.h.b. A, 192.0.2.21 ns2.h.b. AAAA, 192.0.2.22 ns2.h.b. A, 192.0.2.22 ns2.h.b. AAAA',
    ],
    tells: ['If the zone h.b fails, www.a A stops resolving, because every path leads through that zone.'],
  },
  {
    code: 'SINGLE_POINT_OF_FAILURE',
    shows: 'two servers that work; one root hint',
    roots: 'r1.=192.0.2.1',
    finds: [],
  },
  {
    code: 'SINGLE_POINT_OF_FAILURE',
    shows: 'another way may be there, behind a limit',
    options: { maxQueries: 3 },
    says: { [NS2]: REFUSED },
    finds: [],
  },
  {
    code: 'SINGLE_POINT_OF_FAILURE',
    shows: 'another way may be there, over IPv6',
    says: withIpv6(silence),
    finds: [],
  },
  {
    code: 'ANSWER_NOT_CERTAIN',
    shows: 'two answers',
    says: { [NS2]: STALE },
    finds: ['error: 192.0.2.11, 192.0.2.12'],
    tells: [
      'Lookups of www.a A disagree: 50 % (1/2) return 192.0.2.80 and 50 % (1/2) return 192.0.2.99. See ANSWERS_DIFFER.',
    ],
  },
  {
    code: 'UNEXPECTED_ANSWER',
    shows: 'one of two servers gives an answer that nobody expects',
    options: { expect: ['192.0.2.80'] },
    says: { [NS2]: STALE },
    finds: ['error a. ns2.a.: 192.0.2.12'],
    tells: ['50 % (1/2) of users get 192.0.2.99 for www.a A from ns2.a, but other answers are expected'],
  },
  {
    code: 'UNEXPECTED_ANSWER',
    shows: 'all servers give an answer that nobody expects: no server is to blame',
    options: { expect: ['192.0.2.81'] },
    finds: ['error a.: 192.0.2.11, 192.0.2.12'],
    tells: [
      'All users get 192.0.2.80 for www.a A, but other answers are expected. Correct the data of the zone, or add the answer to the expected ones (--expect, or expectations in a plan) if it is right.',
    ],
  },
  {
    code: 'UNEXPECTED_ANSWER',
    shows: 'both answers are expected',
    options: { expect: ['192.0.2.64/26'] },
    says: { [NS2]: STALE },
    finds: [],
  },
  {
    code: 'UNEXPECTED_ANSWER',
    shows: 'a server that fails: no user gets its reply',
    options: { expect: ['192.0.2.80'] },
    says: { [NS2]: REFUSED },
    finds: [],
  },
  {
    code: 'ANSWER_NOT_CERTAIN',
    shows: 'no answer at all: what is to blame says so',
    says: both(REFUSED),
    finds: [],
  },
  {
    code: 'ANSWER_NOT_CERTAIN',
    shows: 'an answer, or nothing',
    says: {
      '192.0.2.2 *': referral('a. ns3.a.=192.0.2.13'),
      '192.0.2.13 *': referral('www.a. ns.www.a.=192.0.2.14'),
      '192.0.2.14 *': REFUSED,
    },
    finds: ['error: 192.0.2.14'],
    tells: ['Only 50 % (1/2) of lookups of www.a A return 192.0.2.80, while 50 % (1/2) fail.'],
  },
  {
    code: 'ANSWER_NOT_CERTAIN',
    shows: 'two answers, and something behind a limit',
    options: { maxQueries: 5 },
    roots: 'r1.=192.0.2.1 r2.=192.0.2.2 r3.=192.0.2.3',
    says: {
      '192.0.2.1 *': referral('a. ns1.a.=192.0.2.11'),
      '192.0.2.2 *': referral('a. ns2.a.=192.0.2.12'),
      '192.0.2.3 *': referral('a. ns3.a.=192.0.2.13'),
      [NS2]: STALE,
    },
    finds: ['error: 192.0.2.11, 192.0.2.12'],
    tells: ['33.33 % (1/3) return 192.0.2.99 and 33.33 % (1/3) were not examined.'],
  },
  {
    code: 'ANSWER_NOT_CERTAIN',
    shows: 'a dead server: resolvers try the other',
    says: { [NS2]: silence },
    finds: [],
  },
  {
    code: 'ANSWER_NOT_CERTAIN',
    shows: 'certainly no such name',
    says: both(denial('nxdomain')),
    finds: [],
  },
  { code: 'ANSWER_NOT_CERTAIN', shows: 'no network', says: ofRoots(silence), finds: [] },
  {
    code: 'ANSWER_NOT_CERTAIN',
    shows: 'the way leads over a family that cannot be reached from here',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 *': referral('b. ns.b.=2001:db8::21'),
      '192.0.2.1 www.a. A': referral('a. ns.b.'),
      '2001:db8::21 *': silence,
    },
    finds: [],
  },
  {
    code: 'FIRST_TRY_FAILS',
    shows: 'half of the first tries',
    says: { [NS2]: silence },
    finds: ['warning: 192.0.2.12'],
    tells: [
      '50 % (1/2) of first attempts for www.a A go to ns2.a (192.0.2.12) and get no usable reply, which slows lookups down. See NS_NO_RESPONSE_UDP.',
    ],
  },
  {
    code: 'FIRST_TRY_FAILS',
    shows: 'a server that fails on the way to the address of another is the one that is named',
    roots: 'r1.=192.0.2.1',
    options: { families: [4] },
    says: {
      '192.0.2.1 *': referral('a. ns1.a.=192.0.2.11 ns.b.'),
      '192.0.2.1 ns.b. A': referral('b. ns1.b.=192.0.2.21'),
      '192.0.2.21 *': silence,
    },
    finds: ['warning: 192.0.2.21 ns.b. A'],
    tells: ['50 % (1/2) of first attempts for www.a A over IPv4 go to ns1.b (192.0.2.21) and get no'],
  },
  {
    code: 'FIRST_TRY_FAILS',
    shows: 'three servers fail, each in its own way: all are named with what they cost',
    roots: 'r1.=192.0.2.1',
    options: { families: [4] },
    says: {
      '192.0.2.1 *': referral(
        'a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12 ns3.a.=192.0.2.13,192.0.2.14 ns4.a.=192.0.2.15 ns.b.',
      ),
      '192.0.2.1 ns.b. A': denial('nxdomain', '.'),
      '192.0.2.13 *': REFUSED,
      '192.0.2.14 *': REFUSED,
      '192.0.2.15 *': silence,
    },
    finds: ['warning: 192.0.2.1 ns.b. A, 192.0.2.13, 192.0.2.14, 192.0.2.15'],
    tells: [
      'See NS_UNRESOLVABLE at ns.b (20 %), NS_REFUSED at ns3.a (20 %) and NS_NO_RESPONSE_UDP at ns4.a (20 %).',
    ],
  },
  {
    code: 'FIRST_TRY_FAILS',
    shows: 'almost all of them: no percentage is rounded to 100',
    ...narrowing(15),
    finds: [`warning: ${narrowing(15).refusing.join(', ')}`],
    tells: ['>99.99 % of first attempts for'],
  },
  {
    code: 'FIRST_TRY_FAILS',
    shows: 'a server without an address, shown by the referrals',
    roots: 'r1.=192.0.2.1',
    options: { families: [4] },
    says: {
      '192.0.2.1 *': referral('a. ns1.a.=192.0.2.11 ns.b.'),
      '192.0.2.1 ns.b. A': referral('b. ns.b.'),
    },
    finds: ['warning: 192.0.2.1 ns.b. A'],
  },
  {
    code: 'FIRST_TRY_FAILS',
    shows: 'all of them: nobody waits for a second',
    says: both(REFUSED),
    finds: [],
  },
  { code: 'FIRST_TRY_FAILS', shows: 'a stale answer is one', says: { [NS2]: STALE }, finds: [] },
  {
    code: 'FIRST_TRY_FAILS',
    shows: 'over a family that cannot be reached from here',
    says: withIpv6(silence),
    finds: [],
  },
  {
    code: 'COLD_LATENCY_HIGH',
    shows: 'slow on average',
    says: both(after(1_500, ANSWER)),
    finds: ['notice: '],
    tells: ['A lookup of www.a A with an empty cache takes 1.5 s on average and 1.5 s at worst.'],
  },
  {
    code: 'COLD_LATENCY_HIGH',
    shows: 'slow now and then',
    says: { [NS1]: after(1_900, ANSWER) },
    finds: [],
  },
  {
    code: 'COLD_LATENCY_HIGH',
    shows: 'waiting for a family that cannot be reached from here',
    says: withIpv6(after(6_000, silence)),
    finds: [],
  },
  {
    code: 'UNEXPLORED',
    shows: 'what a limit cut off',
    options: { maxQueries: 3 },
    finds: ['notice: '],
    tells: ['50 % (1/2) of paths for www.a A were not examined (query-limit). Raise the limit,'],
  },
  {
    code: 'UNEXPLORED',
    shows: 'what policy forbids',
    roots: 'r1.=198.41.0.4',
    options: { specialTargets: 'blocked' },
    says: { '198.41.0.4 *': referral('a. ns1.a.=10.0.0.53') },
    finds: ['notice: '],
    tells: ['(blocked). Allow special-purpose addresses to see the rest.'],
  },
  {
    code: 'UNEXPLORED',
    shows: 'what a limit cut off of the warm walk alone',
    ...checked({ options: { maxQueries: 18 } }),
    finds: ['notice: '],
    tells: ['50 % (1/2) of warm paths for www.x.a A were not examined (query-limit). Raise the limit,'],
  },
  {
    code: 'UNEXPLORED',
    shows: 'what a limit cut off of both walks',
    ...checked({ options: { maxQueries: 3 } }),
    finds: ['notice: '],
    tells: ['100 % of paths and 100 % of warm paths for www.x.a A were not examined (query-limit). Raise'],
  },
  { code: 'UNEXPLORED', shows: 'everything was examined', finds: [] },
];
