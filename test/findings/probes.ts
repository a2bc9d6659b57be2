/** Findings that rest on probes. Without `--check` there are none, and none of these is claimed. */
import { UNDEFINED_OPTION } from '../../src/dns/edns.ts';
import type { Query } from '../../src/exchange/query.ts';
import type { CAUSES } from './causes.ts';
import {
  answer,
  denial,
  type FindingRow,
  failure,
  rcode,
  referral,
  reply,
  type Saying,
  silence,
  tried,
  withEdns,
  withFlags,
} from './world.ts';

const CHECKED = { options: { check: true } } as const;
const NS1 = '192.0.2.11';
const NS2 = '192.0.2.12';
const AT_NS1 = 'a. ns1.a. 192.0.2.11';

/** A zone's server: its SOA and NS records, these others, by "name type", and NODATA for the rest. */
function serving(zone: string, records: Readonly<Record<string, Saying>> = {}): Saying {
  const own: Readonly<Record<string, Saying>> = {
    [`${zone} SOA`]: answer('m. h. 1 2 3 4 5'),
    [`${zone} NS`]: reply({ answer: [`${zone} NS ns1.a.`, `${zone} NS ns2.a.`] }),
    [`ns1.${zone} A`]: answer(NS1),
    [`ns2.${zone} A`]: answer(NS2),
    [`www.${zone} A`]: answer('192.0.2.80'),
    ...records,
  };
  return (query: Query) => {
    const { name, type } = query.question;
    return withEdns(own[`${name} ${type}`] ?? denial('nodata', zone))(query);
  };
}

const A = serving('a.');
const HEALTHY = { [`${NS1} *`]: A, [`${NS2} *`]: A };
const BADVERS = withEdns(rcode('BADVERS'));
/** Servers as they should be also know that there is one version of EDNS. */
const SOUND = { [`${NS1} edns-version`]: BADVERS, [`${NS2} edns-version`]: BADVERS };

const TCP_SILENCE = tried('tcp timeout, tcp timeout', failure('timeout'));
const TCP_NO_ROUTE = tried('tcp EHOSTUNREACH', failure('unreachable'));

/** Root servers refer to a hoster, whose servers know themselves. */
const TO_HOSTER = referral('a. ns1.host. ns2.host.');
const HOSTER = referral('host. ns1.host.=192.0.2.11 ns2.host.=192.0.2.12');
const HOSTED = {
  '192.0.2.1 *': TO_HOSTER,
  '192.0.2.2 *': TO_HOSTER,
  ...Object.fromEntries(
    ['192.0.2.1', '192.0.2.2'].flatMap((root) =>
      ['ns1', 'ns2'].flatMap((host) =>
        ['A', 'AAAA'].map((type) => [`${root} ${host}.host. ${type}`, HOSTER]),
      ),
    ),
  ),
};

/** The same, and the root knows the addresses. */
const GLUED = {
  '192.0.2.1 *': referral('a. ns1.host.=192.0.2.11 ns2.host.=192.0.2.12'),
  '192.0.2.2 *': referral('a. ns1.host.=192.0.2.11 ns2.host.=192.0.2.12'),
};

/** A hoster's server: it serves itself and refuses the rest. */
function hosting(zone: Saying): Saying {
  return (query) => (query.question.name.endsWith('host.') ? zone(query) : rcode('REFUSED')(query));
}
const ITSELF = serving('host.', { 'ns1.host. A': answer(NS1), 'ns2.host. A': answer(NS2) });

const TO_X = referral('x.a. ns1.x.a.=192.0.2.11 ns2.x.a.=192.0.2.12');

const DEEP = serving('a.', { 'x.y.a. A': answer('192.0.2.80') });

export const PROBES: readonly FindingRow[] = [
  {
    code: 'NS_NOT_AUTHORITATIVE',
    shows: 'a name is denied without the AA bit, and --check has asked that itself',
    ...CHECKED,
    ask: 'ns1.x.a. A',
    says: {
      '192.0.2.1 *': TO_X,
      '192.0.2.2 *': TO_X,
      '192.0.2.11 *': serving('x.a.'),
      '192.0.2.12 *': serving('x.a.'),
      '192.0.2.11 ns1.x.a. AAAA': withEdns(reply({ rcode: 'NXDOMAIN', flags: [] })),
    },
    probes: SOUND,
    finds: ['error x.a. ns1.x.a. 192.0.2.11: 192.0.2.11 ns1.x.a. AAAA'],
    tells: ['returns NXDOMAIN for'],
  },
  {
    code: 'TCP_UNREACHABLE',
    shows: 'nobody at the TCP port, as a probe finds',
    ...CHECKED,
    says: HEALTHY,
    probes: { ...SOUND, [`${NS1} tcp`]: tried('tcp ECONNREFUSED, tcp ECONNREFUSED', failure('unreachable')) },
    finds: [`warning ${AT_NS1}: 192.0.2.11 tcp`],
  },
  {
    code: 'TCP_UNREACHABLE',
    shows: 'TCP works when tried',
    ...CHECKED,
    says: HEALTHY,
    probes: { ...SOUND, [`${NS1} tcp`]: tried('tcp NOERROR', A) },
    finds: [],
  },
  {
    code: 'TCP_UNREACHABLE',
    shows: 'silent over TCP, where another server is not',
    ...CHECKED,
    says: HEALTHY,
    probes: { ...SOUND, [`${NS1} tcp`]: TCP_SILENCE, [`${NS2} tcp`]: tried('tcp NOERROR', A) },
    finds: [`warning ${AT_NS1}: 192.0.2.11 tcp`],
  },
  {
    code: 'TCP_UNREACHABLE',
    shows: 'everybody is silent over TCP: this network may drop it',
    ...CHECKED,
    says: HEALTHY,
    probes: { ...SOUND, [`${NS1} tcp`]: TCP_SILENCE, [`${NS2} tcp`]: TCP_SILENCE },
    finds: [],
  },
  {
    code: 'TCP_UNREACHABLE',
    shows: 'routers turn everybody down over TCP: this network may be behind it',
    ...CHECKED,
    says: HEALTHY,
    probes: { ...SOUND, [`${NS1} tcp`]: TCP_NO_ROUTE, [`${NS2} tcp`]: TCP_NO_ROUTE },
    finds: [],
  },
  {
    code: 'EDNS_BREAKS',
    shows: 'silent as long as there is EDNS',
    ...CHECKED,
    says: { ...HEALTHY, [`${NS1} *`]: silence },
    probes: { ...SOUND, [`${NS1} no-edns`]: tried('plain NOERROR', A) },
    finds: [`error ${AT_NS1}: 192.0.2.11 no-edns`],
    tells: ['does not answer EDNS queries for a, only queries without EDNS'],
  },
  {
    code: 'EDNS_BREAKS',
    shows: 'silent in any case',
    ...CHECKED,
    says: { ...HEALTHY, [`${NS1} *`]: silence },
    probes: { ...SOUND, [`${NS1} no-edns`]: tried('plain timeout, plain timeout', failure('timeout')) },
    finds: [],
  },
  {
    code: 'EDNS_ABSENT_OR_WRONG',
    shows: 'a version that nobody knows is answered, and an option comes back',
    ...CHECKED,
    says: HEALTHY,
    probes: {
      ...SOUND,
      [`${NS1} edns-version`]: A,
      [`${NS1} edns-option`]: withEdns(A, { options: [UNDEFINED_OPTION] }),
    },
    finds: [`warning ${AT_NS1}: 192.0.2.11 edns-version, 192.0.2.11 edns-option`],
    tells: ['answers queries of EDNS version 1 as if it knew that version and sends back EDNS options'],
  },
  {
    code: 'EDNS_ABSENT_OR_WRONG',
    shows: 'other errors than the one for versions and none for options',
    ...CHECKED,
    says: HEALTHY,
    probes: { ...SOUND, [`${NS1} edns-version`]: rcode('FORMERR'), [`${NS2} edns-option`]: rcode('FORMERR') },
    finds: [
      `warning ${AT_NS1}: 192.0.2.11 edns-version`,
      'warning a. ns2.a. 192.0.2.12: 192.0.2.12 edns-option',
    ],
    tells: ['with FORMERR instead of BADVERS', 'an EDNS option that it does not know (FORMERR)'],
  },
  {
    code: 'EDNS_ABSENT_OR_WRONG',
    shows: 'no reply to a version that nobody knows, and one from the future',
    ...CHECKED,
    says: HEALTHY,
    probes: { [`${NS1} edns-version`]: silence, [`${NS2} edns-version`]: withEdns(A, { version: 1 }) },
    finds: [],
  },
  {
    code: 'EDNS_ABSENT_OR_WRONG',
    shows: 'a server that uses EDNS ignores a version that nobody knows, and sends no OPT back',
    ...CHECKED,
    says: HEALTHY,
    probes: { ...SOUND, [`${NS1} edns-version`]: answer('m. h. 1 2 3 4 5') },
    finds: [`warning ${AT_NS1}: 192.0.2.11 edns-version`],
  },
  {
    code: 'EDNS_ABSENT_OR_WRONG',
    shows: 'an option goes unanswered, and so does EDNS',
    ...CHECKED,
    says: HEALTHY,
    probes: { ...SOUND, [`${NS1} edns-option`]: answer('m. h. 1 2 3 4 5') },
    finds: [],
  },
  {
    code: 'OPEN_RECURSION',
    shows: 'a stranger is told of another zone',
    ...CHECKED,
    says: { ...HEALTHY, [`${NS1} *`]: withFlags(A, 'aa', 'ra') },
    probes: {
      ...SOUND,
      [`${NS1} recursion`]: withFlags(reply({ answer: ['. SOA m. h. 1 2 3 4 5'] }), 'ra'),
    },
    finds: [`warning ${AT_NS1}: 192.0.2.11 recursion`],
    tells: ['resolves names in other zones for anyone'],
  },
  {
    code: 'OPEN_RECURSION',
    shows: 'the RA bit means nothing: a stranger is refused',
    ...CHECKED,
    says: { ...HEALTHY, [`${NS1} *`]: withFlags(A, 'aa', 'ra') },
    probes: { ...SOUND, [`${NS1} recursion`]: rcode('REFUSED') },
    finds: [],
  },
  {
    code: 'OPEN_RECURSION',
    shows: 'the RA bit, and no reply when it is tried',
    ...CHECKED,
    says: { ...HEALTHY, [`${NS1} www.a. A`]: withFlags(A, 'aa', 'ra') },
    probes: { ...SOUND, [`${NS1} recursion`]: silence },
    finds: [`warning ${AT_NS1}: 192.0.2.11`],
    tells: ['offers recursion to anyone (RA bit)'],
  },
  {
    code: 'NXDOMAIN_BY_TYPE',
    shows: 'by another type the name does not exist',
    ...CHECKED,
    says: HEALTHY,
    probes: { ...SOUND, [`${NS1} other-type`]: denial('nxdomain') },
    finds: [`error ${AT_NS1}: 192.0.2.11, 192.0.2.11 other-type`],
    tells: ['returns NXDOMAIN for www.a AAAA although the name exists, as its reply to www.a A shows'],
  },
  {
    code: 'NXDOMAIN_BY_TYPE',
    shows: 'the name of a name server, without a probe',
    options: { check: true, families: [4, 6] },
    ask: 'www.b.a. A',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 *': referral('b.a. ns1.b.a.=192.0.2.11 ns2.b.a.=192.0.2.12'),
      [`${NS1} *`]: serving('b.a.', { 'ns1.b.a. AAAA': denial('nxdomain', 'b.a.') }),
      [`${NS2} *`]: serving('b.a.'),
    },
    finds: ['error b.a. ns1.b.a. 192.0.2.11: 192.0.2.11 ns1.b.a. A, 192.0.2.11 ns1.b.a. AAAA'],
  },
  {
    code: 'NXDOMAIN_BY_TYPE',
    shows: 'another server denies the name altogether',
    ...CHECKED,
    says: { ...HEALTHY, [`${NS1} www.a. A`]: denial('nxdomain') },
    probes: { ...SOUND, [`${NS1} other-type`]: denial('nxdomain') },
    finds: [],
  },
  {
    code: 'NXDOMAIN_BY_TYPE',
    shows: 'a denial without authority',
    ...CHECKED,
    says: HEALTHY,
    probes: { ...SOUND, [`${NS1} other-type`]: withFlags(denial('nxdomain')) },
    finds: [],
  },
  {
    code: 'NXDOMAIN_BY_TYPE',
    shows: 'data without authority',
    ...CHECKED,
    says: {
      ...HEALTHY,
      [`${NS1} www.a. A`]: withFlags(answer('192.0.2.80')),
      [`${NS1} www.a. AAAA`]: denial('nxdomain'),
    },
    probes: SOUND,
    finds: [],
  },
  {
    code: 'NXDOMAIN_BY_TYPE',
    shows: 'no such type, and no such name, in one version of the zone',
    ...CHECKED,
    says: { ...HEALTHY, [`${NS1} www.a. A`]: denial('nodata') },
    probes: { ...SOUND, [`${NS1} other-type`]: denial('nxdomain') },
    finds: [`error ${AT_NS1}: 192.0.2.11, 192.0.2.11 other-type`],
  },
  {
    code: 'NXDOMAIN_BY_TYPE',
    shows:
      'no such type in one version of the zone, and no such name in another: two servers behind one address',
    ...CHECKED,
    says: { ...HEALTHY, [`${NS1} www.a. A`]: denial('nodata') },
    probes: { ...SOUND, [`${NS1} other-type`]: denial('nxdomain', 'a.', 2) },
    finds: [],
  },
  {
    code: 'NXDOMAIN_ON_ENT',
    shows: 'the name between zone and host does not exist',
    ask: 'x.y.a. A',
    ...CHECKED,
    says: { [`${NS1} *`]: DEEP, [`${NS2} *`]: DEEP },
    probes: { ...SOUND, [`${NS1} ancestor`]: denial('nxdomain') },
    finds: [`error ${AT_NS1}: 192.0.2.11, 192.0.2.11 ancestor`],
    tells: ['returns NXDOMAIN for y.a, although x.y.a below it exists'],
  },
  {
    code: 'NXDOMAIN_ON_ENT',
    shows: 'it does not exist, says the server without the AA bit: resolvers believe that, too',
    ask: 'x.y.a. A',
    ...CHECKED,
    says: { [`${NS1} *`]: DEEP, [`${NS2} *`]: DEEP },
    probes: { ...SOUND, [`${NS1} ancestor`]: rcode('NXDOMAIN') },
    finds: [`error ${AT_NS1}: 192.0.2.11, 192.0.2.11 ancestor`],
  },
  {
    code: 'NS_NOT_AUTHORITATIVE',
    shows: 'a probe is answered with NXDOMAIN without the AA bit',
    ask: 'x.y.a. A',
    ...CHECKED,
    says: { [`${NS1} *`]: DEEP, [`${NS2} *`]: DEEP },
    probes: { ...SOUND, [`${NS1} ancestor`]: rcode('NXDOMAIN') },
    finds: [`error ${AT_NS1}: 192.0.2.11 ancestor`],
    tells: ['without the AA bit, as a cache would. '],
  },
  {
    code: 'NS_NOT_AUTHORITATIVE',
    shows: 'a probe is answered with NXDOMAIN with the AA bit',
    ask: 'x.y.a. A',
    ...CHECKED,
    says: { [`${NS1} *`]: DEEP, [`${NS2} *`]: DEEP },
    probes: { ...SOUND, [`${NS1} ancestor`]: denial('nxdomain') },
    finds: [],
  },
  {
    code: 'NXDOMAIN_ON_ENT',
    shows: 'an empty name',
    ask: 'x.y.a. A',
    ...CHECKED,
    says: { [`${NS1} *`]: DEEP, [`${NS2} *`]: DEEP },
    probes: SOUND,
    finds: [],
  },
  {
    code: 'NXDOMAIN_ON_ENT',
    shows: 'nothing of it exists',
    ask: 'x.y.a. A',
    ...CHECKED,
    says: { ...HEALTHY, [`${NS1} x.y.a. A`]: denial('nxdomain') },
    probes: { ...SOUND, [`${NS1} ancestor`]: denial('nxdomain') },
    finds: [],
  },
  {
    code: 'NS_PROVIDER_DANGLING',
    shows: 'a hoster that serves itself, but not the zone',
    ...CHECKED,
    says: { ...HOSTED, [`${NS1} *`]: hosting(ITSELF), [`${NS2} *`]: hosting(ITSELF) },
    probes: {},
    finds: ['critical a.: 192.0.2.11 ns1.host. A, 192.0.2.12 ns1.host. A, 192.0.2.11, 192.0.2.12'],
    tells: ['All name servers of a (ns1.host and ns2.host) answer for other zones but do not serve it'],
  },
  {
    code: 'NS_PROVIDER_DANGLING',
    shows: 'nobody had to look the hoster up: a probe finds that it serves itself',
    ...CHECKED,
    says: { ...GLUED, [`${NS1} *`]: hosting(ITSELF), [`${NS2} *`]: hosting(ITSELF) },
    probes: {},
    finds: ['critical a.: 192.0.2.11, 192.0.2.12, 192.0.2.11 own-name, 192.0.2.12 own-name'],
  },
  {
    code: 'NS_PROVIDER_DANGLING',
    shows: 'the hoster is out of order: it does not serve itself either',
    ...CHECKED,
    says: { ...GLUED, [`${NS1} *`]: rcode('SERVFAIL'), [`${NS2} *`]: rcode('SERVFAIL') },
    probes: {},
    finds: [],
  },
  {
    code: 'NS_PROVIDER_DANGLING',
    shows: 'one of the servers is dead',
    ...CHECKED,
    says: { ...HOSTED, [`${NS1} *`]: hosting(ITSELF), [`${NS2} *`]: silence },
    probes: {},
    finds: [],
  },
  {
    code: 'NS_PROVIDER_DANGLING',
    shows: 'servers that refuse everything may be broken',
    ...CHECKED,
    says: { ...HEALTHY, [`${NS1} *`]: rcode('REFUSED'), [`${NS2} *`]: rcode('REFUSED') },
    probes: {},
    finds: [],
  },
];

/** What follows from such findings, as `CAUSES` has it. */
export const PROBE_CAUSES: typeof CAUSES = [
  {
    shows: 'a server that drops EDNS is not merely silent',
    ...CHECKED,
    says: { ...HEALTHY, [`${NS1} *`]: silence },
    probes: { ...SOUND, [`${NS1} no-edns`]: tried('plain NOERROR', A) },
    finds: [
      'f1 error EDNS_BREAKS',
      'f2 of f1 warning FIRST_TRY_FAILS',
      'f3 of f1 warning NS_NO_RESPONSE_UDP',
      'f4 of f1 warning SINGLE_POINT_OF_FAILURE',
    ],
  },
  {
    shows: 'a hoster that was left: that its servers refuse the zone is no news',
    ...CHECKED,
    says: { ...HOSTED, [`${NS1} *`]: hosting(ITSELF), [`${NS2} *`]: hosting(ITSELF) },
    probes: {},
    finds: [
      'f1 critical NS_PROVIDER_DANGLING',
      'f2 of f1 critical ZONE_NO_WORKING_NS',
      'f3 of f1 error NS_REFUSED',
      'f4 of f1 error NS_REFUSED',
      'f5 notice NS_NO_IPV6',
    ],
  },
  {
    shows: 'a server that denies a name by one type differs from the others by that type',
    ...CHECKED,
    says: { ...HEALTHY, [`${NS1} www.a. A`]: denial('nxdomain') },
    probes: SOUND,
    finds: [
      'f1 error NXDOMAIN_BY_TYPE',
      'f2 of f1 error ANSWER_NOT_CERTAIN',
      'f3 of f1 error EXISTENCE_DIFFERS',
      'f4 of f1 warning SINGLE_POINT_OF_FAILURE',
    ],
  },
  {
    shows: 'a server without TCP is not to blame for one that refuses',
    ...CHECKED,
    says: { ...HEALTHY, [`${NS2} *`]: rcode('REFUSED') },
    probes: { ...SOUND, [`${NS1} tcp`]: tried('tcp ECONNREFUSED', failure('unreachable')) },
    finds: [
      'f1 error NS_REFUSED',
      'f2 of f1 warning FIRST_TRY_FAILS',
      'f3 of f1 warning SINGLE_POINT_OF_FAILURE',
      'f4 warning TCP_UNREACHABLE',
    ],
  },
];
