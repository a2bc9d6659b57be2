/** Findings about servers that do not answer. */
import { alias, answer, type FindingRow, failure, rcode, referral, silence, tried } from './world.ts';

const NS1 = '192.0.2.11 *';
const NS2 = '192.0.2.12 *';
const ANSWER = answer('192.0.2.80');
const REFUSED = rcode('REFUSED');

/** Servers that answer for the zone, whatever they fail at. */
const SOA = answer('ns1.a. h.a. 1 2 3 4 5');
const SAYS_SOA = {
  [NS1]: ANSWER,
  [NS2]: ANSWER,
  '192.0.2.11 a. SOA': SOA,
  '192.0.2.12 a. SOA': SOA,
};

/** Not as little as can be asked. */
const CONTROLLED = { options: { views: ['profiles'] } } as const;

/** Both servers with both families. */
const DUAL = referral('a. ns1.a.=192.0.2.11,2001:db8::11 ns2.a.=192.0.2.12,2001:db8::12');
const TO_DUAL = { '192.0.2.1 *': DUAL, '192.0.2.2 *': DUAL };

export const SERVERS: readonly FindingRow[] = [
  {
    code: 'NS_NO_RESPONSE_UDP',
    shows: 'no try is answered',
    says: { [NS1]: silence },
    finds: ['warning a. ns1.a. 192.0.2.11: 192.0.2.11'],
    tells: ['ns1.a (192.0.2.11) answered none of 2 UDP queries for a.'],
  },
  {
    code: 'NS_NO_RESPONSE_UDP',
    shows: 'the network says that nobody is there',
    says: { [NS1]: tried('ECONNREFUSED, ECONNREFUSED', failure('unreachable')) },
    finds: ['warning a. ns1.a. 192.0.2.11: 192.0.2.11'],
    tells: ['cannot be reached over UDP for a, as the network reports.'],
  },
  {
    code: 'NS_NO_RESPONSE_UDP',
    shows: 'loss: another try was answered',
    says: { [NS1]: tried('timeout, NOERROR', ANSWER) },
    finds: [],
  },
  {
    code: 'NS_NO_RESPONSE_UDP',
    shows: 'a family of which nothing was ever heard is untried, not dead',
    says: { ...TO_DUAL, '2001:db8::11 *': silence, '2001:db8::12 *': silence },
    finds: [],
  },
  {
    code: 'NS_NO_RESPONSE_UDP',
    shows: 'what this host may not send is not unanswered',
    says: { [NS1]: tried('EACCES, EACCES', failure('unreachable')) },
    finds: [],
  },
  {
    code: 'NS_NO_RESPONSE_UDP',
    shows: 'one question alone is not answered',
    ...CONTROLLED,
    says: { ...SAYS_SOA, '192.0.2.11 www.a. AAAA': silence },
    probes: {},
    finds: ['warning a. ns1.a. 192.0.2.11: 192.0.2.11 other-type'],
    tells: [
      'ns1.a (192.0.2.11) does not answer queries of type AAAA in a, although it answers www.a A. Make it',
    ],
  },
  {
    code: 'NS_SERVFAIL',
    shows: 'one question alone fails: the server is not to be removed, nor has the zone expired',
    ...CONTROLLED,
    ask: 'www.a. AAAA',
    says: { ...SAYS_SOA, '192.0.2.11 www.a. AAAA': rcode('SERVFAIL') },
    probes: { '192.0.2.11 control': SOA },
    finds: ['error a. ns1.a. 192.0.2.11: 192.0.2.11'],
    tells: [
      'fails to answer queries for www.a AAAA (SERVFAIL), although it answers a SOA. Check its log to find out why these queries fail.',
    ],
  },
  {
    code: 'NS_REFUSED',
    shows: 'what --check alone asks is refused: a warning',
    options: { check: true },
    says: { ...SAYS_SOA, '192.0.2.11 a. NS': REFUSED },
    probes: {},
    finds: ['warning a. ns1.a. 192.0.2.11: 192.0.2.11 a. NS'],
    tells: ['refuses queries of type NS in a, although it answers a SOA.'],
  },
  {
    code: 'ZONE_NO_WORKING_NS',
    shows: 'the servers answer other questions',
    ...CONTROLLED,
    ask: 'www.a. CAA',
    says: { ...SAYS_SOA, '192.0.2.11 www.a. CAA': REFUSED, '192.0.2.12 www.a. CAA': REFUSED },
    probes: { '192.0.2.11 control': SOA, '192.0.2.12 control': SOA },
    finds: [],
  },
  {
    code: 'NS_LOSSY',
    shows: 'one try is lost, the next one answered',
    says: { [NS1]: tried('timeout, NOERROR', ANSWER) },
    finds: ['notice a. ns1.a. 192.0.2.11: 192.0.2.11'],
    tells: ['left 1 of 2 UDP queries unanswered.'],
  },
  { code: 'NS_LOSSY', shows: 'all tries are lost: dead', says: { [NS1]: silence }, finds: [] },
  {
    code: 'NS_LOSSY',
    shows: 'a message that did not count came before the time-out',
    says: { [NS1]: tried('!wrong-id timeout, NOERROR', ANSWER) },
    finds: [],
  },
  {
    code: 'ZONE_NO_WORKING_NS',
    shows: 'every server refuses',
    says: { [NS1]: REFUSED, [NS2]: REFUSED },
    finds: ['critical a.: 192.0.2.11, 192.0.2.12'],
    tells: ['No name server of a gives a usable reply, so'],
  },
  {
    code: 'ZONE_NO_WORKING_NS',
    shows: 'no server has an address; only one family was examined',
    options: { families: [4] },
    roots: 'r1.=192.0.2.1',
    says: { '192.0.2.1 *': referral('a. ns1.a.') },
    finds: ['critical a.: 192.0.2.1, 192.0.2.1 ns1.a. A'],
    tells: ['No name server of a gives a usable reply over IPv4, so'],
  },
  { code: 'ZONE_NO_WORKING_NS', shows: 'one server of two works', says: { [NS1]: REFUSED }, finds: [] },
  {
    code: 'ZONE_NO_WORKING_NS',
    shows: 'the second server was not asked: the limit was reached',
    options: { maxQueries: 3 },
    says: { [NS1]: REFUSED, [NS2]: REFUSED },
    finds: [],
  },
  {
    code: 'ZONE_NO_WORKING_NS',
    shows: 'IPv6 was left out',
    options: { families: [4] },
    says: { ...TO_DUAL, [NS1]: REFUSED, [NS2]: REFUSED },
    finds: [],
  },
  {
    code: 'ZONE_NO_WORKING_NS',
    shows: 'this host could not ask one of the servers',
    says: { [NS1]: REFUSED, [NS2]: tried('EACCES, EACCES', failure('unreachable')) },
    finds: [],
  },
  {
    code: 'ZONE_NO_WORKING_NS',
    shows: 'the servers do serve the zone: what is wrong is an alias',
    says: { [NS1]: alias('www.a.'), [NS2]: silence },
    finds: [],
  },
  {
    code: 'ZONE_NO_WORKING_NS',
    shows: 'only a lookup met zone b, whose server needs what is pending there',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 *': referral('a. ns1.a.=192.0.2.11 ns.b.'),
      '192.0.2.1 ns.b. A': referral('b. ns.b.'),
      '192.0.2.1 ns.b. AAAA': referral('b. ns.b.'),
    },
    finds: [],
  },
  {
    code: 'NS_V6_DEAD',
    shows: 'its IPv4 works, and so does the IPv6 of another',
    says: { ...TO_DUAL, '2001:db8::11 *': silence, '2001:db8::12 *': ANSWER },
    finds: ['warning a. ns1.a. 2001:db8::11: 2001:db8::11'],
  },
  {
    code: 'NS_V6_DEAD',
    shows: 'no IPv6 works from here',
    says: { ...TO_DUAL, '2001:db8::11 *': silence, '2001:db8::12 *': silence },
    finds: [],
  },
  {
    code: 'NS_V6_DEAD',
    shows: 'its IPv4 does not work either',
    says: { ...TO_DUAL, [NS1]: silence, '2001:db8::11 *': silence, '2001:db8::12 *': ANSWER },
    finds: [],
  },
];
