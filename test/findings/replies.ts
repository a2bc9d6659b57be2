/** Findings about what servers answer for a zone. */
import {
  answer,
  denial,
  type FindingRow,
  rcode,
  referral,
  reply,
  type Saying,
  tried,
  withFlags,
} from './world.ts';

const ANSWER = answer('192.0.2.80');
const UPWARD = reply({ flags: [], authority: ['. NS r1.'] });
const SIDEWAYS = reply({ flags: [], authority: ['b. NS ns1.b.'] });

/** What ns1.a. says. */
const ns1 = (saying: Saying) => ({ '192.0.2.11 *': saying });
/** The exchange with it proves something. */
const AT_NS1 = 'a. ns1.a. 192.0.2.11: 192.0.2.11';

export const REPLIES: readonly FindingRow[] = [
  { code: 'NS_REFUSED', shows: 'REFUSED', says: ns1(rcode('REFUSED')), finds: [`error ${AT_NS1}`] },
  {
    code: 'NS_REFUSED',
    shows: 'its address is glue that nothing confirms, while the other server works',
    says: ns1(rcode('REFUSED')),
    finds: [`error ${AT_NS1}`],
    tells: ['ns1.a (192.0.2.11) refuses queries for a. Check that 192.0.2.11 is still its address:'],
  },
  {
    code: 'NS_REFUSED',
    shows: 'the zone itself says that this is its address',
    ask: 'ns1.a. A',
    says: { '192.0.2.11 *': rcode('REFUSED') },
    finds: ['error a. ns1.a. 192.0.2.11: 192.0.2.11'],
    tells: ['refuses queries for a. Configure the zone there or remove the server from the delegation.'],
  },
  { code: 'NS_REFUSED', shows: 'another rcode', says: ns1(rcode('SERVFAIL')), finds: [] },
  { code: 'NS_SERVFAIL', shows: 'SERVFAIL', says: ns1(rcode('SERVFAIL')), finds: [`error ${AT_NS1}`] },
  { code: 'NS_SERVFAIL', shows: 'another rcode', says: ns1(rcode('REFUSED')), finds: [] },
  {
    code: 'NS_FORMERR_NOTIMP',
    shows: 'it rejects the query without EDNS as well',
    says: ns1(tried('FORMERR, plain NOTIMP', rcode('NOTIMP'))),
    finds: [`error ${AT_NS1}`],
    tells: ['rejects queries for a with NOTIMP, even without EDNS'],
  },
  {
    code: 'NS_FORMERR_NOTIMP',
    shows: 'it only rejects EDNS',
    says: ns1(tried('FORMERR, plain NOERROR', ANSWER)),
    finds: [],
  },
  {
    code: 'NS_NOT_AUTHORITATIVE',
    shows: 'data without the AA bit',
    says: ns1(withFlags(ANSWER)),
    finds: [`error ${AT_NS1}`],
  },
  {
    code: 'NS_NOT_AUTHORITATIVE',
    shows: 'a denial without the AA bit',
    says: ns1(withFlags(denial('nxdomain'))),
    finds: [`error ${AT_NS1}`],
  },
  {
    code: 'NS_NOT_AUTHORITATIVE',
    shows: 'the parent gives the address of a name that it has delegated',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 *': referral('a. ns1.a.=192.0.2.11 ns2.a.'),
      '192.0.2.1 ns2.a. A': withFlags(answer('192.0.2.12')),
    },
    finds: [],
  },
  {
    code: 'NS_NOT_AUTHORITATIVE',
    shows: 'the parent gives such an address, and the delegation is in the reply only',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 *': referral('a. ns1.a.=192.0.2.11 ns.b.'),
      '192.0.2.1 ns.b. A': reply({ flags: [], answer: ['@ A 192.0.2.12'], authority: ['b. NS ns.b.'] }),
      '192.0.2.1 ns.b. AAAA': denial('nodata', '.'),
    },
    finds: [],
  },
  {
    code: 'NS_UPWARD_REFERRAL',
    shows: 'it refers to the root',
    says: ns1(UPWARD),
    finds: [`warning ${AT_NS1}`],
    tells: ['does not serve a but refers queries up to the root'],
  },
  {
    code: 'NS_UPWARD_REFERRAL',
    shows: 'it refers to a zone that is not above',
    says: ns1(SIDEWAYS),
    finds: [],
  },
  {
    code: 'NS_SIDEWAYS_REFERRAL',
    shows: 'it refers to a zone that is not on the way',
    says: ns1(SIDEWAYS),
    finds: [`error ${AT_NS1}`],
    tells: ['does not answer queries for a but refers them to b.'],
  },
  {
    code: 'NS_SIDEWAYS_REFERRAL',
    shows: 'it refers to the zone itself',
    says: ns1(reply({ flags: [], authority: ['a. NS ns2.a.'] })),
    finds: [`error ${AT_NS1}`],
    tells: ['refers them to the zone itself.'],
  },
  { code: 'NS_SIDEWAYS_REFERRAL', shows: 'it refers up', says: ns1(UPWARD), finds: [] },
  {
    code: 'NS_AA_ON_REFERRAL',
    shows: 'a referral with the AA bit',
    says: { '192.0.2.1 *': withFlags(referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12'), 'aa') },
    finds: ['notice . r1. 192.0.2.1: 192.0.2.1'],
  },
  {
    code: 'NS_AA_ON_REFERRAL',
    shows: 'a denial of a zone that is planned is no referral',
    ask: 'www.new.a. A',
    planned: ['new.a. ns.b.=192.0.2.31'],
    says: { '192.0.2.11 *': denial('nxdomain'), '192.0.2.12 *': denial('nodata'), '192.0.2.31 *': ANSWER },
    finds: [],
  },
  {
    code: 'NS_AA_ON_REFERRAL',
    shows: 'a referral with the AA bit that gives way to a planned one',
    ask: 'www.x.a. A',
    planned: ['x.a. ns.b.=192.0.2.31'],
    says: {
      '192.0.2.11 *': withFlags(referral('x.a. ns.x.a.=192.0.2.30'), 'aa'),
      '192.0.2.12 *': referral('x.a. ns.x.a.=192.0.2.30'),
      '192.0.2.31 *': ANSWER,
    },
    finds: [`notice ${AT_NS1}`],
  },
  {
    code: 'NS_AA_ON_REFERRAL',
    shows: 'the AA bit where NS records stand beside an answer',
    says: ns1(reply({ answer: ['@ A 192.0.2.80'], authority: ['a. NS ns1.a.'] })),
    finds: [],
  },
  {
    code: 'NS_EMPTY_NOERROR',
    shows: 'nothing at all',
    says: ns1(reply({ flags: [] })),
    finds: [`warning ${AT_NS1}`],
  },
  {
    code: 'RDATA_MALFORMED',
    shows: 'an address of three octets',
    says: ns1(reply({ answer: ['@ A \\# 3 c00002', '@ A 192.0.2.80'] })),
    finds: [`error ${AT_NS1}`],
    tells: [
      'sends records for a whose data does not fit their type (www.a A: data too short for what it announces (octet 0)). Correct',
    ],
  },
  {
    code: 'RDATA_MALFORMED',
    shows: 'a name server that is no name',
    says: ns1(reply({ answer: ['@ A 192.0.2.80'], authority: ['a. NS \\# 1 ff'] })),
    finds: [`warning ${AT_NS1}`],
    tells: ['(a NS)'],
  },
  {
    code: 'RDATA_MALFORMED',
    shows: 'a type bitmap that lies',
    says: ns1(
      reply({
        answer: ['@ A 192.0.2.80'],
        authority: ['a. NSEC \\# 5 00010001ff', 'b.a. NSEC \\# 3 000000'],
      }),
    ),
    finds: [`warning ${AT_NS1}`],
    tells: ['a NSEC: a type bitmap with an empty window (octet 3)'],
  },
  {
    code: 'RDATA_MALFORMED',
    shows: 'data of a type that nobody knows',
    says: ns1(reply({ answer: ['@ A 192.0.2.80', '@ TYPE65280 \\# 1 ff'] })),
    finds: [],
  },
  {
    code: 'RDATA_MALFORMED',
    shows: 'a record of another class, which nobody looks at',
    says: ns1(reply({ answer: ['@ A 192.0.2.80', '@ CH A \\# 3 c00002'] })),
    finds: [],
  },
  {
    code: 'NS_EMPTY_NOERROR',
    shows: 'nothing, but with authority: there is no such data',
    says: ns1(reply({})),
    finds: [],
  },
];
