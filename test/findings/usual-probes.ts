/** Findings that rest on the probes of every traversal: addresses that fail, wildcards, CAA records above; and on zone cuts. */
import type { CausesRow } from './causes.ts';
import { alias, answer, denial, type FindingRow, rcode, referral, silence } from './world.ts';
import { serving, signed, zone } from './zone-worlds.ts';

/** One root server is enough here. */
const ROOT = { roots: 'r1.=192.0.2.1', options: { views: ['profiles'] }, probes: {} } as const;
const R1 = '192.0.2.1 *';

/** The zone a. with more records than its servers'. */
const a = (...records: readonly string[]) =>
  serving(
    zone('a.', [
      ...['a. NS ns1.a.', 'a. NS ns2.a.', 'ns1.a. A 192.0.2.11', 'ns2.a. A 192.0.2.12'],
      ...records,
    ]),
  );

/** Both servers of a. have these records, and those of the root only what is asked of them. */
const having = (...records: readonly string[]) => ({
  ...ROOT,
  says: {
    [R1]: referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12'),
    '192.0.2.1 a. CAA': referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12'),
    '192.0.2.11 *': a(...records),
    '192.0.2.12 *': a(...records),
  },
});

/** The same, but that www.a. is an alias. */
const aliased = (target: string, ...records: readonly string[]) => ({
  ...having(...records).says,
  '192.0.2.11 www.a. A': alias(target),
  '192.0.2.12 www.a. A': alias(target),
  '192.0.2.11 www.a. AAAA': alias(target),
  '192.0.2.12 www.a. AAAA': alias(target),
});

const WILD = ['*.w.a. A 192.0.2.80', '_acme-challenge.book.w.a. TXT t'];

/** The zone a. whose second server has no IPv4. */
const ONLY_IPV6 = serving(
  zone('a.', [
    ...['a. NS ns1.a.', 'a. NS ns2.a.', 'ns1.a. A 192.0.2.11', 'ns2.a. AAAA 2001:db8::12'],
    'www.a. A 192.0.2.80',
  ]),
);

/** A delegation with an old address of a server beside its own. */
const TWO_ADDRESSES = {
  ...ROOT,
  says: {
    [R1]: referral('a. ns1.a.=192.0.2.11,192.0.2.66 ns2.a.=192.0.2.12,192.0.2.66'),
    '192.0.2.66 *': silence,
    '192.0.2.11 *': a('www.a. A 192.0.2.80'),
    '192.0.2.12 *': a('www.a. A 192.0.2.80'),
  },
} as const;

/** What a. delegates x.a. with, and how its two servers take the question for an address there. */
const CUT = 'x.a. ns1.x.a.=192.0.2.31';
const BELOW = {
  ...ROOT,
  ask: 'www.x.a. A',
  says: { '192.0.2.31 *': answer('192.0.2.80'), '192.0.2.11 *': referral(CUT) },
} as const;

const SUBZONE = zone('x.a.', ['x.a. NS ns1.a.', 'x.a. NS ns2.a.', 'mail.x.a. TXT v']);

export const USUAL_PROBES: readonly FindingRow[] = [
  {
    code: 'GLUE_EXTRA',
    shows: 'an address that fails, and that the zone does not have',
    ...TWO_ADDRESSES,
    finds: [
      'error a. ns1.a. 192.0.2.66: 192.0.2.1, 192.0.2.11 host-address, 192.0.2.12 host-address',
      'error a. ns2.a. 192.0.2.66: 192.0.2.1, 192.0.2.11 host-address, 192.0.2.12 host-address',
    ],
    tells: ['gives no usable reply. Remove 192.0.2.66 from the glue at the parent'],
  },
  {
    code: 'GLUE_MISMATCH',
    shows: 'an address that fails, and the zone has another one',
    ...ROOT,
    says: {
      [R1]: referral('a. ns1.a.=192.0.2.66 ns2.a.=192.0.2.12'),
      '192.0.2.66 *': rcode('REFUSED'),
      '192.0.2.12 *': a('www.a. A 192.0.2.80'),
    },
    finds: ['error a. ns1.a. 192.0.2.66: 192.0.2.1, 192.0.2.12 host-address'],
  },
  {
    code: 'WILDCARD_HIDDEN',
    shows: 'a name below one that the wildcard would cover',
    ask: 'book.w.a. A',
    ...having(...WILD),
    finds: ['notice a.: 192.0.2.11, 192.0.2.11 wildcard, 192.0.2.11 wildcard'],
    tells: [
      'The wildcard *.w.a does not cover book.w.a because a name below it exists (_acme-challenge.book.w.a)',
    ],
  },
  {
    code: 'WILDCARD_HIDDEN',
    shows: 'the name has addresses of the other type',
    ask: 'book.w.a. A',
    ...having(...WILD, 'book.w.a. AAAA 2001:db8::80'),
    finds: ['notice a.: 192.0.2.11, 192.0.2.11 other-type, 192.0.2.11 wildcard'],
    tells: ['because that name has AAAA records'],
  },
  {
    code: 'WILDCARD_HIDDEN',
    shows: 'the wildcard has no data of that type',
    ask: 'book.w.a. MX',
    ...having(...WILD),
    finds: [],
  },
  {
    code: 'CAA_FAILS',
    shows: 'no CAA records at the name, and the servers of the zone above fail',
    ask: 'www.a. CAA',
    ...having('www.a. A 192.0.2.80'),
    says: {
      ...having('www.a. A 192.0.2.80').says,
      '192.0.2.11 a. CAA': rcode('SERVFAIL'),
      '192.0.2.12 a. CAA': silence,
    },
    finds: ['error a.: 192.0.2.11 authorities, 192.0.2.12 authorities'],
    tells: [
      'find no CAA records of www.a and get SERVFAIL and no reply for those of a from ns1.a (192.0.2.11) and ns2.a (192.0.2.12), so',
    ],
  },
  {
    code: 'CAA_FAILS',
    shows: 'one of the servers of the zone above replies',
    ask: 'www.a. CAA',
    ...having('www.a. A 192.0.2.80'),
    says: { ...having('www.a. A 192.0.2.80').says, '192.0.2.11 a. CAA': rcode('SERVFAIL') },
    finds: [],
  },
  {
    code: 'CAA_FAILS',
    shows: 'with --check, servers of the host behind an alias fail at the question',
    ...having('h.a. A 192.0.2.80'),
    options: { check: true, views: ['profiles'] },
    says: {
      ...aliased('h.a.', 'h.a. A 192.0.2.80'),
      '192.0.2.11 h.a. CAA': rcode('SERVFAIL'),
      '192.0.2.12 h.a. CAA': rcode('SERVFAIL'),
    },
    finds: ['notice a.: 192.0.2.11 authorities, 192.0.2.12 authorities'],
    tells: [
      'get SERVFAIL for the CAA records of h.a from ns1.a (192.0.2.11) and ns2.a (192.0.2.12), so they',
    ],
  },
  {
    code: 'CAA_ABOVE',
    shows: 'the zone above has CAA records',
    ask: 'www.a. CAA',
    ...having('www.a. A 192.0.2.80', 'a. CAA 0 issue "ca.example"'),
    finds: ['info a.: 192.0.2.11 authorities, 192.0.2.12 authorities'],
    tells: ['has no CAA records, so those of a (0 issue "ca.example") count for it'],
  },
  {
    code: 'CAA_ABOVE',
    shows: 'the name has its own',
    ask: 'www.a. CAA',
    ...having('www.a. CAA 0 issue "ca.example"', 'a. CAA 0 issue "ca.example"'),
    finds: [],
  },
  {
    code: 'TARGET_NAME_SYNTAX',
    shows: 'an alias to a name with an asterisk in a label',
    ...having('b-*.a. A 192.0.2.80'),
    says: aliased('b-*.a.', 'b-*.a. A 192.0.2.80'),
    finds: ['notice a.: 192.0.2.11, 192.0.2.12'],
    tells: ['www.a is an alias of b-*.a, no host name, so getaddrinfo'],
  },
  {
    code: 'TARGET_NAME_SYNTAX',
    shows: 'mail servers with an address and an underscore for a name; the root stands for none',
    ask: 'a. MX',
    ...having('a. MX 10 192.0.2.1.', 'a. MX 10 m_x.a.', 'a. MX 0 .'),
    finds: ['notice a.: 192.0.2.11, 192.0.2.12'],
    tells: ['a has MX records that name 192.0.2.1 and m_x.a, no host name'],
  },
  {
    code: 'TARGET_NAME_SYNTAX',
    shows:
      'an alias with an underscore, which is fine; and one of a service, which nobody looks up as a host',
    ...having('_x.a. A 192.0.2.80'),
    says: aliased('_x.a.', '_x.a. A 192.0.2.80'),
    finds: [],
  },
  {
    code: 'SOA_UNANSWERED',
    shows: 'the record comes in the authority section',
    ...ROOT,
    options: { check: true, views: ['profiles'] },
    says: {
      [R1]: referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12'),
      '192.0.2.11 *': a('www.a. A 192.0.2.80'),
      '192.0.2.12 *': a('www.a. A 192.0.2.80'),
      '192.0.2.12 a. SOA': denial('nodata'),
    },
    finds: ['notice a. ns2.a. 192.0.2.12: 192.0.2.12 a. SOA, 192.0.2.12 tcp'],
  },
  {
    code: 'SOA_UNANSWERED',
    shows: 'it comes as the answer',
    ...having('www.a. A 192.0.2.80'),
    options: { check: true, views: ['profiles'] },
    finds: [],
  },
  {
    code: 'ANSWER_BELOW_CUT',
    shows: 'one server answers for a zone that the other delegates',
    ...BELOW,
    says: { ...BELOW.says, '192.0.2.12 *': answer('192.0.2.99') },
    finds: ['error a. ns2.a. 192.0.2.12: 192.0.2.12'],
    tells: ['answers www.x.a A itself, although a delegates x.a to ns1.x.a, so its users'],
  },
  {
    code: 'ANSWER_BELOW_CUT',
    shows: 'it is a server of that zone, too',
    ...BELOW,
    says: {
      ...BELOW.says,
      '192.0.2.11 *': referral(`${CUT} ns2.a.=192.0.2.12`),
      '192.0.2.12 *': answer('192.0.2.80'),
    },
    finds: [],
  },
  {
    code: 'CUT_MISSING',
    shows: 'both servers of a signed zone have one below it that it does not delegate',
    ...signed({ ask: 'mail.x.a. A', besides: SUBZONE }),
    finds: ['critical a.: 192.0.2.11, 192.0.2.12, 192.0.2.11 x.a. DS, 192.0.2.12 x.a. DS'],
    tells: [
      'a has no NS records for x.a, which ns1.a (192.0.2.11) and ns2.a (192.0.2.12) serve as a zone of its own',
    ],
  },
  {
    code: 'CUT_MISSING',
    shows: 'it does delegate it',
    ...signed({
      ask: 'mail.x.a. A',
      besides: SUBZONE,
      more: ['x.a. NS ns1.a.', 'x.a. NS ns2.a.'],
    }),
    finds: [],
  },
];

export const USUAL_PROBE_CAUSES: readonly CausesRow[] = [
  {
    shows: 'a dead address that only the glue of two servers has: not one machine counted twice',
    ...TWO_ADDRESSES,
    finds: [
      'f1 error GLUE_EXTRA',
      'f2 error GLUE_EXTRA',
      'f3 of f1 warning NS_NO_RESPONSE_UDP',
      'f4 of f2 warning NS_NO_RESPONSE_UDP',
      'f5 error NS_SAME_ADDRESS',
      'f6 warning FIRST_TRY_FAILS',
    ],
  },
  {
    shows: 'a name server without glue that is an alias: one fault, whatever follows from it',
    ...having('www.a. A 192.0.2.80'),
    says: {
      ...having('www.a. A 192.0.2.80').says,
      [R1]: referral('a. ns1.a.=192.0.2.11 ns2.a.'),
      '192.0.2.11 ns2.a. A': alias('h.b.'),
      '192.0.2.11 ns2.a. AAAA': alias('h.b.'),
      '192.0.2.1 h.b. A': denial('nxdomain', '.'),
      '192.0.2.1 h.b. AAAA': denial('nxdomain', '.'),
    },
    finds: [
      'f1 error NS_IS_ALIAS',
      'f2 of f1 error GLUE_MISSING',
      'f3 of f1 warning FIRST_TRY_FAILS',
      'f4 of f1 warning SINGLE_POINT_OF_FAILURE',
    ],
  },
  {
    shows: 'a name inside the zone without glue, which others look up where it has no IPv4 address',
    ...ROOT,
    says: {
      [R1]: referral('a. ns1.a.=192.0.2.11 ns2.a.'),
      '192.0.2.11 *': ONLY_IPV6,
      '2001:db8::12 *': ONLY_IPV6,
    },
    finds: [
      'f1 error GLUE_MISSING',
      'f2 of f1 warning FIRST_TRY_FAILS',
      'f3 of f1 warning SINGLE_POINT_OF_FAILURE',
    ],
  },
  {
    shows: 'data without proof in a zone that nothing delegates',
    ...signed({ ask: 'mail.x.a. A', besides: SUBZONE }),
    finds: ['f1 critical CUT_MISSING', 'f2 of f1 critical DNSSEC_BOGUS', 'f3 of f1 error DENIAL_BROKEN'],
  },
  {
    shows: 'certificate authorities get nothing from servers that fail at their question',
    ask: 'www.a. CAA',
    ...having('www.a. A 192.0.2.80'),
    says: {
      ...having('www.a. A 192.0.2.80').says,
      '192.0.2.11 a. CAA': rcode('SERVFAIL'),
      '192.0.2.12 a. CAA': rcode('SERVFAIL'),
    },
    finds: ['f1 error NS_SERVFAIL', 'f2 error NS_SERVFAIL', 'f3 error CAA_FAILS'],
  },
];
