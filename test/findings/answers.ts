/** Findings about answers and denials. */
import { DEFAULT_PROFILES } from '../../src/explore/profiles/profiles.ts';
import { rotatingWorld } from './rotating-worlds.ts';
import { alias, answer, denial, type FindingRow, referral, reply, silence } from './world.ts';

const NS1 = '192.0.2.11 *';
const NS2 = '192.0.2.12 *';
const ANSWER = answer('192.0.2.80');

/** The root's servers, asked for a host of b. */
const ofRoots = (name: string) => ({
  [`192.0.2.1 ${name} A`]: answer('192.0.2.32'),
  [`192.0.2.2 ${name} A`]: answer('192.0.2.32'),
  [`192.0.2.1 ${name} AAAA`]: denial('nodata', '.'),
  [`192.0.2.2 ${name} AAAA`]: denial('nodata', '.'),
});

/** A referral with an address that a. has no say in. */
const TO_X = {
  ask: 'www.x.a. A',
  says: {
    '192.0.2.11 *': referral('x.a. ns.b.=192.0.2.66 ns1.x.a.=192.0.2.31'),
    '192.0.2.31 *': ANSWER,
    '192.0.2.32 *': ANSWER,
    ...ofRoots('ns.b.'),
  },
} as const;

/** Repeats after the second reply are asked for at once. */
const SIX_MORE = ['192.0.2.11 repeat', '192.0.2.12 repeat'].flatMap((row) =>
  Array.from({ length: 6 }, () => row),
);

/** A zone with three servers, all of which have the same data. */
const THREE = {
  roots: 'r1.=192.0.2.1',
  says: {
    '192.0.2.1 *': referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12 ns3.a.=192.0.2.13'),
    '192.0.2.13 *': answer('192.0.2.80'),
  },
} as const;

/** A host below a name that has nothing else, in a zone whose servers answer whatever they are asked. */
const BELOW_EMPTY = {
  ask: 'www.y.z.a. A',
  roots: 'r1.=192.0.2.1',
  options: { profiles: ['bind', 'unbound', 'knot', 'powerdns', 'unbound-strict', 'bind-strict'] },
  says: {
    '192.0.2.1 *': referral('z.a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12'),
    '192.0.2.11 *': ANSWER,
    '192.0.2.12 *': ANSWER,
    '192.0.2.11 y.z.a. NS': denial('nodata', 'z.a.'),
    '192.0.2.12 y.z.a. NS': denial('nodata', 'z.a.'),
  },
} as const;

export const ANSWERS: readonly FindingRow[] = [
  {
    code: 'MINIMISED_FAILS',
    shows: 'nobody replies to the question for a shorter name that some resolvers ask first',
    ...BELOW_EMPTY,
    says: { ...BELOW_EMPTY.says, '192.0.2.11 y.z.a. NS': silence, '192.0.2.12 y.z.a. NS': silence },
    finds: ['error z.a.: 192.0.2.11 y.z.a. NS, 192.0.2.12 y.z.a. NS'],
    tells: [
      'ns1.a and ns2.a do not reply to NS questions for y.z.a, so users of BIND and Knot Resolver cannot',
    ],
  },
  {
    code: 'MINIMISED_FAILS',
    shows: 'one of two servers does not reply, and resolvers ask the other',
    ...BELOW_EMPTY,
    says: { ...BELOW_EMPTY.says, '192.0.2.11 y.z.a. NS': silence },
    finds: [],
  },
  {
    code: 'MINIMISED_FAILS',
    shows: 'servers say that there is no name, and resolvers ask for the whole one',
    ...BELOW_EMPTY,
    options: { profiles: DEFAULT_PROFILES },
    says: {
      ...BELOW_EMPTY.says,
      '192.0.2.11 y.z.a. NS': denial('nxdomain', 'z.a.'),
      '192.0.2.12 y.z.a. NS': denial('nxdomain', 'z.a.'),
    },
    finds: [],
  },
  {
    code: 'ANSWERS_ROTATE',
    shows: 'data that change from reply to reply, by turns',
    ...rotatingWorld([{ www: [['192.0.2.80'], ['192.0.2.81']] }, { www: [['192.0.2.81'], ['192.0.2.80']] }]),
    finds: [
      ['info a.: 192.0.2.11, 192.0.2.12, 192.0.2.11 repeat, 192.0.2.12 repeat', ...SIX_MORE].join(', '),
    ],
    tells: ['for www.a A over 2 records (192.0.2.80 and 192.0.2.81)'],
  },
  {
    code: 'ANSWERS_ROTATE',
    shows: 'data that differ from server to server only',
    ...rotatingWorld([{ www: [['192.0.2.80']] }, { www: [['192.0.2.81']] }]),
    finds: [],
  },
  {
    code: 'ANSWERS_DIFFER',
    shows: 'other data',
    says: { [NS2]: answer('192.0.2.99') },
    finds: ['error a.: 192.0.2.11, 192.0.2.12'],
    tells: [
      'The servers of a disagree on www.a A: ns1.a (192.0.2.11) returns 192.0.2.80; ns2.a (192.0.2.12) returns 192.0.2.99. Unless the servers balance load, compare their SOA serials',
    ],
  },
  {
    code: 'ANSWERS_DIFFER',
    shows: 'one server of three has other data',
    ...THREE,
    says: { ...THREE.says, '192.0.2.13 *': answer('192.0.2.99') },
    finds: ['error a. ns3.a. 192.0.2.13: 192.0.2.11, 192.0.2.12, 192.0.2.13'],
    tells: ['Most servers of a return 192.0.2.80 for www.a A, but ns3.a (192.0.2.13) returns 192.0.2.99. '],
  },
  {
    code: 'ANSWERS_DIFFER',
    shows: 'three servers of three have other data: nobody is to blame',
    ...THREE,
    says: { ...THREE.says, [NS2]: answer('192.0.2.98'), '192.0.2.13 *': answer('192.0.2.99') },
    finds: ['error a.: 192.0.2.11, 192.0.2.12, 192.0.2.13'],
    tells: ['The servers of a disagree on www.a A: '],
  },
  {
    code: 'ANSWERS_DIFFER',
    shows: 'another alias',
    says: { '192.0.2.11 www.a. A': alias('v.a.'), '192.0.2.12 www.a. A': alias('w.a.') },
    finds: ['warning a.: 192.0.2.11, 192.0.2.12'],
    tells: ['returns an alias of v.a; '],
  },
  {
    code: 'ANSWERS_DIFFER',
    shows: 'data here, none there',
    says: { [NS2]: denial('nodata') },
    finds: ['error a.: 192.0.2.11, 192.0.2.12'],
    tells: ['ns1.a (192.0.2.11) returns 192.0.2.80; ns2.a (192.0.2.12) returns NODATA. Compare the'],
  },
  {
    code: 'ANSWERS_DIFFER',
    shows: 'data with control octets, escaped in the sentence',
    ask: 'www.a. TXT',
    says: { [NS1]: answer('"\\027[31m"'), [NS2]: answer('"x"') },
    finds: ['error a.: 192.0.2.11, 192.0.2.12'],
    tells: ['returns "\\027[31m"; '],
  },
  {
    code: 'ANSWERS_DIFFER',
    shows: 'the same records in another order',
    says: { [NS1]: answer('192.0.2.80', '192.0.2.81'), [NS2]: answer('192.0.2.81', '192.0.2.80') },
    finds: [],
  },
  {
    code: 'ANSWERS_DIFFER',
    shows: 'one adds what the alias comes to, the other does not',
    says: {
      '192.0.2.11 www.a. A': reply({ answer: ['@ CNAME w.a.', 'w.a. A 192.0.2.80'] }),
      '192.0.2.12 www.a. A': alias('w.a.'),
    },
    finds: [],
  },
  {
    code: 'ANSWERS_DIFFER',
    shows: 'to ANY each may give what it likes',
    ask: 'www.a. ANY',
    says: {
      [NS1]: reply({ answer: ['@ HINFO "RFC8482" ""'] }),
      [NS2]: reply({ answer: ['@ A 192.0.2.80'] }),
    },
    finds: [],
  },
  {
    code: 'EXISTENCE_DIFFERS',
    shows: 'NXDOMAIN here, data there',
    says: { [NS2]: denial('nxdomain') },
    finds: ['error a.: 192.0.2.11, 192.0.2.12'],
    tells: ['ns2.a (192.0.2.12) returns NXDOMAIN, ns1.a (192.0.2.11) does not'],
  },
  {
    code: 'EXISTENCE_DIFFERS',
    shows: 'one of three denies it',
    ...THREE,
    says: { ...THREE.says, '192.0.2.13 *': denial('nxdomain') },
    finds: ['error a. ns3.a. 192.0.2.13: 192.0.2.11, 192.0.2.12, 192.0.2.13'],
  },
  {
    code: 'EXISTENCE_DIFFERS',
    shows: 'a parent that denies what its sister delegates is another matter',
    says: { '192.0.2.2 *': denial('nxdomain', '.') },
    finds: [],
  },
  {
    code: 'EXISTENCE_DIFFERS',
    shows: 'all deny it',
    says: { [NS1]: denial('nxdomain'), [NS2]: denial('nxdomain') },
    finds: [],
  },
  {
    code: 'SOA_SERIAL_DIFFERS',
    shows: 'an older version, by the SOA of denials',
    says: { [NS1]: denial('nodata', 'a.', 7), [NS2]: denial('nodata', 'a.', 8) },
    finds: ['warning a. ns1.a. 192.0.2.11: 192.0.2.11, 192.0.2.12'],
    tells: ['ns1.a (192.0.2.11) serves a with serial 7, while ns2.a (192.0.2.12) serves serial 8'],
  },
  {
    code: 'SOA_SERIAL_DIFFERS',
    shows: 'serials go in a circle (RFC 1982)',
    ask: 'a. SOA',
    says: { [NS1]: answer('m.a. h.a. 4294967295 2 3 4 5'), [NS2]: answer('m.a. h.a. 1 2 3 4 5') },
    finds: ['error a. ns1.a. 192.0.2.11: 192.0.2.11, 192.0.2.12'],
  },
  {
    code: 'SOA_SERIAL_DIFFERS',
    shows: 'zones that come from two primaries: their serials cannot be compared',
    ask: 'a. SOA',
    says: { [NS1]: answer('m.a. h.a. 7 2 3 4 5'), [NS2]: answer('m.b. h.b. 8 2 3 4 5') },
    finds: [],
  },
  {
    code: 'SOA_SERIAL_DIFFERS',
    shows: 'SOA records of two zones',
    says: { [NS1]: denial('nodata', 'a.', 7), [NS2]: denial('nodata', 'www.a.', 8) },
    finds: [],
  },
  {
    code: 'SOA_SERIAL_LOWERED',
    shows: 'the primary has the lower serial',
    ask: 'a. SOA',
    says: { [NS1]: answer('ns1.a. h.a. 7 2 3 4 5'), [NS2]: answer('ns1.a. h.a. 8 2 3 4 5') },
    finds: ['error a. ns1.a. 192.0.2.11: 192.0.2.11, 192.0.2.12'],
    tells: [
      'ns1.a (192.0.2.11) is the primary of a by its SOA record, but has serial 7, lower than 8 at ns2.a (192.0.2.12). Raise the serial above 8,',
    ],
  },
  {
    code: 'SOA_SERIAL_LOWERED',
    shows: 'a secondary has it',
    ask: 'a. SOA',
    says: { [NS1]: answer('ns2.a. h.a. 7 2 3 4 5'), [NS2]: answer('ns2.a. h.a. 8 2 3 4 5') },
    finds: [],
  },
  {
    code: 'NEGATIVE_WITHOUT_SOA',
    shows: 'NXDOMAIN and nothing else',
    says: { [NS1]: reply({ rcode: 'NXDOMAIN' }) },
    finds: ['warning a. ns1.a. 192.0.2.11: 192.0.2.11'],
  },
  { code: 'NEGATIVE_WITHOUT_SOA', shows: 'with a SOA', says: { [NS1]: denial('nxdomain') }, finds: [] },
  {
    code: 'NEGATIVE_WRONG_SOA',
    shows: 'the SOA of the zone above',
    says: { [NS1]: denial('nxdomain', '.') },
    finds: ['warning a. ns1.a. 192.0.2.11: 192.0.2.11'],
    tells: ['with the SOA record of the root'],
  },
  {
    code: 'NEGATIVE_WRONG_SOA',
    shows: 'the SOA of a zone that the name is not in',
    says: { [NS1]: denial('nxdomain', 'b.a.') },
    finds: ['warning a. ns1.a. 192.0.2.11: 192.0.2.11'],
  },
  {
    code: 'NEGATIVE_WRONG_SOA',
    shows: 'the SOA of a zone below that the server has as well',
    says: { [NS1]: denial('nodata', 'www.a.') },
    finds: [],
  },
  {
    code: 'OUT_OF_ZONE_DATA',
    shows: 'records that nothing called for',
    says: { [NS1]: reply({ answer: ['@ A 192.0.2.80'], additional: ['www.bank.b. A 192.0.2.66'] }) },
    finds: ['info a. ns1.a. 192.0.2.11: 192.0.2.11'],
    tells: ['have nothing to do with the question (www.bank.b; all ignored)'],
  },
  {
    code: 'OUT_OF_ZONE_DATA',
    shows: 'an address of a name server that its own zone does not have',
    ...TO_X,
    finds: ['warning a. ns1.a. 192.0.2.11: 192.0.2.11'],
    tells: ['which their own zones do not have (ns.b; all ignored)'],
  },
  {
    code: 'OUT_OF_ZONE_DATA',
    shows: 'such an address while its lookup was cut off',
    ...TO_X,
    options: { maxDepth: 2 },
    finds: [],
  },
  {
    code: 'OUT_OF_ZONE_DATA',
    shows: 'what is added as a matter of course',
    says: {
      '192.0.2.11 www.a. A': reply({
        answer: ['@ CNAME www.b.', 'www.b. A 192.0.2.32'],
        authority: ['b. NS ns.b.'],
        additional: ['ns.b. A 192.0.2.21'],
      }),
      '192.0.2.12 www.a. A': alias('www.b.'),
      ...ofRoots('www.b.'),
    },
    finds: [],
  },
];
