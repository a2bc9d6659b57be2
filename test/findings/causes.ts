/** What only follows from something else, and what leaves nobody with an answer. */
import {
  after,
  alias,
  answer,
  denial,
  type FindingsWorld,
  failure,
  rcode,
  referral,
  reply,
  type Saying,
  silence,
  tried,
  withFlags,
} from './world.ts';

/** What a world comes to. */
export interface CausesRow extends FindingsWorld {
  readonly shows: string;
  /** All findings, as `ledger` spells them. */
  readonly finds: readonly string[];
}

/** One root server is enough here. */
const ROOT = { roots: 'r1.=192.0.2.1' } as const;
const R1 = '192.0.2.1 *';
const NS1 = '192.0.2.11 *';
const NS2 = '192.0.2.12 *';
const ANSWER = answer('192.0.2.80');
const REFUSED = rcode('REFUSED');
const NXDOMAIN = denial('nxdomain', '.');

/** What the root says to the lookup of a name server's addresses. */
const ofRoot = (name: string, saying: Saying) => ({
  [`192.0.2.1 ${name} A`]: saying,
  [`192.0.2.1 ${name} AAAA`]: saying,
});

export const CAUSES: readonly CausesRow[] = [
  {
    shows: 'a server that refuses: users wait, and depend on the other one',
    says: { [NS2]: REFUSED },
    finds: [
      'f1 error NS_REFUSED',
      'f2 of f1 warning FIRST_TRY_FAILS',
      'f3 of f1 warning SINGLE_POINT_OF_FAILURE',
    ],
  },
  {
    shows: 'what servers disagree on is as severe as what users get of it',
    says: { [NS2]: answer('192.0.2.99') },
    finds: ['f1 error ANSWERS_DIFFER', 'f2 of f1 error ANSWER_NOT_CERTAIN'],
  },
  {
    shows: 'data from one server, none from the other',
    says: { [NS2]: denial('nodata') },
    finds: [
      'f1 error ANSWERS_DIFFER',
      'f2 of f1 error ANSWER_NOT_CERTAIN',
      'f3 of f1 warning SINGLE_POINT_OF_FAILURE',
    ],
  },
  {
    shows: 'aliases that differ lead to answers that differ, elsewhere',
    says: {
      '192.0.2.11 www.a. A': alias('v.a.'),
      '192.0.2.12 www.a. A': alias('w.a.'),
      '192.0.2.11 v.a. A': answer('192.0.2.81'),
      '192.0.2.12 v.a. A': answer('192.0.2.81'),
    },
    finds: ['f1 error ANSWERS_DIFFER', 'f2 of f1 error ANSWER_NOT_CERTAIN'],
  },
  {
    shows: 'a name that exists on one server only',
    says: { [NS2]: denial('nxdomain') },
    finds: [
      'f1 error EXISTENCE_DIFFERS',
      'f2 of f1 error ANSWER_NOT_CERTAIN',
      'f3 of f1 warning SINGLE_POINT_OF_FAILURE',
    ],
  },
  {
    shows: 'an old version of the zone gives an old answer',
    ask: 'a. SOA',
    says: { [NS1]: answer('m.a. h.a. 7 2 3 4 5'), [NS2]: answer('m.a. h.a. 8 2 3 4 5') },
    finds: [
      'f1 error SOA_SERIAL_DIFFERS',
      'f2 of f1 error ANSWER_NOT_CERTAIN',
      'f3 of f1 warning ANSWERS_DIFFER',
    ],
  },
  {
    shows: 'one of the parents does not know the zone',
    says: { '192.0.2.2 *': NXDOMAIN },
    finds: ['f1 error PARENT_INCONSISTENT', 'f2 of f1 error ANSWER_NOT_CERTAIN'],
  },
  {
    shows: 'a private address where such are allowed: the silence there is a fault by itself',
    ...ROOT,
    says: { [R1]: referral('a. ns1.a.=192.0.2.11 ns2.a.=10.0.0.53'), '10.0.0.53 *': silence },
    finds: [
      'f1 warning NS_NO_RESPONSE_UDP',
      'f2 of f1 warning FIRST_TRY_FAILS',
      'f3 of f1 warning SINGLE_POINT_OF_FAILURE',
      'f4 notice NS_ADDR_NOT_GLOBAL',
    ],
  },
  {
    shows: 'private addresses where such are allowed: their silence leaves nobody with an answer',
    ...ROOT,
    says: {
      [R1]: referral('a. ns1.a.=192.0.2.11 ns2.a.=10.0.0.53'),
      [NS1]: REFUSED,
      '10.0.0.53 *': silence,
    },
    finds: [
      'f1 critical NS_REFUSED',
      'f2 critical NS_NO_RESPONSE_UDP',
      'f3 critical ZONE_NO_WORKING_NS',
      'f4 notice NS_ADDR_NOT_GLOBAL',
    ],
  },
  {
    shows: 'a server that fails for two reasons, at two addresses',
    ...ROOT,
    says: {
      [R1]: referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12,192.0.2.13'),
      [NS2]: REFUSED,
      '192.0.2.13 *': silence,
    },
    finds: [
      'f1 error NS_REFUSED',
      'f2 warning NS_NO_RESPONSE_UDP',
      'f3 warning FIRST_TRY_FAILS',
      'f4 warning SINGLE_POINT_OF_FAILURE',
    ],
  },
  {
    shows: 'a server that fails for one reason, at two addresses',
    ...ROOT,
    says: {
      [R1]: referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12,192.0.2.13'),
      [NS2]: REFUSED,
      '192.0.2.13 *': REFUSED,
    },
    finds: [
      'f1 error NS_REFUSED',
      'f2 error NS_REFUSED',
      'f3 of f1 warning FIRST_TRY_FAILS',
      'f4 of f1 warning SINGLE_POINT_OF_FAILURE',
    ],
  },
  {
    shows: 'glue that leads to somebody else, who refuses',
    ...ROOT,
    ask: 'ns2.a. A',
    says: { [NS1]: answer('192.0.2.13'), [NS2]: REFUSED },
    finds: [
      'f1 error GLUE_MISMATCH',
      'f2 of f1 error NS_REFUSED',
      'f3 of f1 warning FIRST_TRY_FAILS',
      'f4 of f1 warning SINGLE_POINT_OF_FAILURE',
    ],
  },
  {
    shows: "a server's IPv6 is dead",
    ...ROOT,
    says: {
      [R1]: referral('a. ns1.a.=192.0.2.11,2001:db8::11 ns2.a.=192.0.2.12,2001:db8::12'),
      '2001:db8::11 *': ANSWER,
      '2001:db8::12 *': silence,
    },
    finds: [
      'f1 warning NS_V6_DEAD',
      'f2 of f1 warning FIRST_TRY_FAILS',
      'f3 of f1 warning NS_NO_RESPONSE_UDP',
    ],
  },
  {
    shows: 'a silent server costs seconds',
    says: { [NS2]: after(6_000, silence) },
    finds: [
      'f1 warning NS_NO_RESPONSE_UDP',
      'f2 of f1 warning FIRST_TRY_FAILS',
      'f3 of f1 warning SINGLE_POINT_OF_FAILURE',
      'f4 of f1 notice COLD_LATENCY_HIGH',
    ],
  },
  {
    shows: 'a forged reply beside the right one is not why users wait',
    says: { [NS1]: tried('!wrong-id NOERROR', ANSWER), [NS2]: silence },
    finds: [
      'f1 error REPLY_QUESTION_MISMATCH',
      'f2 warning NS_NO_RESPONSE_UDP',
      'f3 of f2 warning FIRST_TRY_FAILS',
      'f4 of f2 warning SINGLE_POINT_OF_FAILURE',
    ],
  },
  {
    shows: 'a name server in a domain that nobody has registered',
    ...ROOT,
    says: {
      [R1]: referral('x.a. ns1.x.a.=192.0.2.11 ns.shop.b.'),
      ...ofRoot('ns.shop.b.', referral('b. ns.b.=192.0.2.21')),
      '192.0.2.21 *': denial('nxdomain', 'b.'),
    },
    ask: 'www.x.a. A',
    finds: [
      'f1 critical NS_DOMAIN_UNREGISTERED',
      'f2 of f1 error NS_UNRESOLVABLE',
      'f3 of f1 warning FIRST_TRY_FAILS',
      'f4 of f1 warning SINGLE_POINT_OF_FAILURE',
      'f5 error NS_COUNT_LOW',
    ],
  },
  {
    shows: 'a name server cannot be looked up, because the server of its zone cannot',
    ...ROOT,
    says: {
      [R1]: referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12 ns.b.'),
      ...ofRoot('ns.b.', referral('b. ns1.c. ns2.c.')),
      ...ofRoot('ns1.c.', NXDOMAIN),
      ...ofRoot('ns2.c.', NXDOMAIN),
    },
    finds: [
      'f1 critical NS_UNRESOLVABLE',
      'f2 critical NS_UNRESOLVABLE',
      'f3 critical ZONE_NO_WORKING_NS',
      'f4 error NS_UNRESOLVABLE',
      'f5 warning FIRST_TRY_FAILS',
    ],
  },
  {
    shows: 'missing glue',
    ...ROOT,
    says: { [R1]: referral('a. ns1.a.=192.0.2.11 ns2.a.'), '192.0.2.11 ns2.a. A': answer('192.0.2.12') },
    finds: [
      'f1 error GLUE_MISSING',
      'f2 of f1 warning FIRST_TRY_FAILS',
      'f3 of f1 warning SINGLE_POINT_OF_FAILURE',
    ],
  },
  {
    shows: 'every server refuses: nobody gets an answer',
    says: { [NS1]: REFUSED, [NS2]: REFUSED },
    finds: ['f1 critical NS_REFUSED', 'f2 critical NS_REFUSED', 'f3 critical ZONE_NO_WORKING_NS'],
  },
  {
    shows: 'a dead server and one that sends nothing but broken replies',
    says: { [NS1]: silence, [NS2]: tried('!undecodable timeout', failure('malformed')) },
    finds: [
      'f1 critical REPLY_MALFORMED',
      'f2 critical NS_NO_RESPONSE_UDP',
      'f3 critical ZONE_NO_WORKING_NS',
    ],
  },
  {
    shows: 'an alias loop that everybody meets',
    says: { [NS1]: alias('www.a.'), [NS2]: alias('www.a.') },
    finds: ['f1 critical CNAME_LOOP'],
  },
  {
    shows: 'an alias loop on one server only',
    says: { [NS2]: alias('www.a.') },
    finds: [
      'f1 error CNAME_LOOP',
      'f2 of f1 error ANSWER_NOT_CERTAIN',
      'f3 of f1 warning SINGLE_POINT_OF_FAILURE',
    ],
  },
  {
    shows: 'a ring without a way in',
    ...ROOT,
    options: { families: [4] },
    says: {
      [R1]: referral('a. ns1.b. ns2.b.'),
      ...ofRoot('ns1.b.', referral('b. ns1.a. ns2.a.')),
      ...ofRoot('ns2.b.', referral('b. ns1.a. ns2.a.')),
      ...ofRoot('ns1.a.', referral('a. ns1.b. ns2.b.')),
      ...ofRoot('ns2.a.', referral('a. ns1.b. ns2.b.')),
    },
    finds: [
      'f1 critical DEPENDENCY_CYCLE',
      'f2 critical DEPENDENCY_CYCLE',
      'f3 of f1 critical ZONE_NO_WORKING_NS',
      'f4 of f1 warning DEPENDENCY_CYCLE',
      'f5 of f1 warning DEPENDENCY_CYCLE',
    ],
  },
  {
    shows: 'no server works over IPv4; IPv6 was left out',
    ...ROOT,
    options: { families: [4] },
    says: {
      [R1]: referral('a. ns1.a.=192.0.2.11,2001:db8::11 ns2.a.=192.0.2.12'),
      [NS1]: REFUSED,
      [NS2]: REFUSED,
    },
    finds: ['f1 error NS_REFUSED', 'f2 error NS_REFUSED'],
  },
  {
    shows: 'one server in all',
    ...ROOT,
    says: { [R1]: referral('a. ns1.a.=192.0.2.11') },
    finds: ['f1 error NS_COUNT_LOW', 'f2 of f1 warning SINGLE_POINT_OF_FAILURE'],
  },
  {
    shows: 'intercepted: those that spoke were not the servers',
    says: {
      '192.0.2.1 *': withFlags(
        reply({ answer: ['@ A 192.0.2.80'], additional: ['www.bank.b. A 192.0.2.66'] }),
        'ra',
      ),
      '192.0.2.2 *': withFlags(REFUSED, 'ra'),
    },
    finds: ['f1 critical PATH_INTERCEPTED'],
  },
];
