/** Rows for findings about data that do not validate, with `dnssec`. */
import { rdataOctets } from '../../src/dns/dnssec/canonical.ts';
import { zoneKeyIn } from '../../src/dns/dnssec/keys.ts';
import type { ResourceRecord } from '../../src/dns/record.ts';
import type { Fault } from '../../src/lab/faults.ts';
import type { KeySpec, SignatureFlaw } from '../../src/lab/signing/zone-signing.ts';
import { type FindingRow, type FindingsWorld, failure, rcode, type Saying, silence, tried } from './world.ts';
import { DAY, signed, TIME, without } from './zone-worlds.ts';

const flawed = (flaw: SignatureFlaw, covering = 'A'): readonly Fault[] => [
  { kind: 'flawed-signatures', flaw, covering },
];
const HEALTHY = signed({});
const NEGATIVE = 'no.a. A';

const EXPIRED_AT_ONE = signed({ ns2: { faults: flawed('expired') } });
const EXPIRED_AT_BOTH = signed({ ns1: { faults: flawed('expired') }, ns2: { faults: flawed('expired') } });
const BOTH_KEYS = ['critical a.: 192.0.2.11 a. DNSKEY, 192.0.2.12 a. DNSKEY'];
/** A healthy world whose root others vouch for. */
const withAnchors = (trustAnchors: readonly string[]): FindingsWorld => ({
  ...HEALTHY,
  options: { ...HEALTHY.options, trustAnchors },
});
/** Whether it is the key of a. that the DS record names. */
const isKeyOfA = (record: ResourceRecord) =>
  record.type === 'DNSKEY' && zoneKeyIn(rdataOctets(record) ?? Uint8Array.of(0, 0, 0, 0)).tag === 5558;
const LOST = { label: 'lost' };

const NEXT = { label: 'next' };
const DATA = { label: 'data', signs: 'data' } as const;
/** The keys of a., those that have DS records (absent: all that sign keys), and what is told of them. */
const ROLLOVERS: readonly (readonly [
  shows: string,
  keys: readonly KeySpec[],
  ds: readonly KeySpec[] | undefined,
  tells?: readonly string[],
])[] = [
  ['one key does everything', [{}], undefined],
  ['one key is for keys and one for data', [{ signs: 'keys' }, DATA], undefined],
  [
    'a key signs that has no DS record',
    [{}, NEXT],
    [{}],
    [
      'a is in the middle of a key rollover: key 17287 signs and has no DS record, key 5558 has one. If 17287 is the new key, publish its DS record at 2026-11-22 00:05 UTC or later, and keep key 5558 until 2026-11-22 00:10 UTC at least. If it is the old key, remove it at 2026-11-22 00:05 UTC or later.',
    ],
  ],
  [
    'a key with a DS record does not sign',
    [{}, { ...NEXT, signs: 'nothing' }],
    [{}, { ...NEXT, signs: 'nothing' }],
    [
      'key 17287 has a DS record and does not sign, key 5558 has one and signs. If 17287 is the new key, sign the DNSKEY records with it, and keep key 5558 until 2026-11-22 00:05 UTC',
    ],
  ],
  [
    'two keys sign and have DS records',
    [{}, NEXT],
    undefined,
    [
      'a has DS records for keys 5558 and 17287, all of which sign. Remove the DS record of the old key at 2026-11-22 00:05 UTC or later, and the key at 2026-11-22 00:10 UTC or later. If both',
    ],
  ],
  [
    'a key is on standby',
    [{}, { ...NEXT, signs: 'nothing' }],
    undefined,
    ['a publishes key 17287, which signs nothing and has no DS record (a standby key, or one that is being'],
  ],
  [
    'a key for data signs nothing',
    [{ signs: 'keys' }, DATA, { ...NEXT, signs: 'nothing', flags: 256 }],
    undefined,
    [
      'a publishes key 17286, which signs none of the data seen (a standby key, or one that is being rolled in',
    ],
  ],
  [
    'two keys sign the same data',
    [{ signs: 'keys' }, DATA, { ...NEXT, signs: 'data' }],
    undefined,
    ['a signs the same data with keys 8439 and 17286. At 2026-11-22 00:05 UTC or later, stop signing'],
  ],
];
/** A world in which the second server of a., asked for the keys, says this. */
const keysAtNs2 = (saying: Saying, world: FindingsWorld = HEALTHY): FindingsWorld => ({
  ...world,
  says: { ...world.says, '192.0.2.12 a. DNSKEY': saying },
});
const NO_KEYS_AT_NS2 = 'warning a. ns2.a. 192.0.2.12: 192.0.2.12 a. DNSKEY';
const NO_TCP = tried('TC, tcp ECONNREFUSED, tcp ECONNREFUSED', failure('unreachable'));

export const DNSSEC: readonly FindingRow[] = [
  {
    code: 'DNSSEC_BOGUS',
    shows: 'one of two servers has expired signatures: resolvers ask the other one',
    ...EXPIRED_AT_ONE,
    finds: [],
  },
  {
    code: 'SINGLE_POINT_OF_FAILURE',
    shows: 'only one of two servers has signatures that validate',
    ...EXPIRED_AT_ONE,
    finds: ['warning a. ns1.a.: 192.0.2.11'],
    tells: [
      'If ns1.a, a name server of a, fails, www.a A stops resolving over IPv4 behind validating resolvers. ',
    ],
  },
  {
    code: 'SINGLE_POINT_OF_FAILURE',
    shows: 'signatures that validate come from one address only, under two names',
    ...signed({
      delegated: ['a. NS ns3.a.', 'ns3.a. A 192.0.2.11'],
      ns2: { faults: flawed('expired') },
    }),
    finds: ['warning a. ns1.a. 192.0.2.11: 192.0.2.11'],
    tells: ['If ns1.a (192.0.2.11), a name server of a, fails, www.a A stops resolving over IPv4 behind'],
  },
  {
    code: 'SINGLE_POINT_OF_FAILURE',
    shows: 'no server has signatures that validate: there is nothing to lose',
    ...EXPIRED_AT_BOTH,
    finds: [],
  },
  {
    code: 'DNSSEC_BOGUS',
    shows: 'both servers have expired signatures',
    ...EXPIRED_AT_BOTH,
    finds: ['critical a.: 192.0.2.11, 192.0.2.12'],
    tells: ['100 % of lookups of www.a A over IPv4 fail behind validating resolvers: data from a do not'],
  },
  { code: 'DNSSEC_BOGUS', shows: 'everything is signed well', ...HEALTHY, finds: [] },
  {
    code: 'SERVERS_DIFFER_DNSSEC',
    shows: 'one of two servers has expired signatures',
    ...EXPIRED_AT_ONE,
    finds: ['error a.: 192.0.2.11, 192.0.2.12'],
    tells: [
      'For www.a A in a, ns1.a (192.0.2.11) returns signatures that validate, ns2.a (192.0.2.12) does not, so validating resolvers have to retry. ',
    ],
  },
  { code: 'SERVERS_DIFFER_DNSSEC', shows: 'both servers have them', ...EXPIRED_AT_BOTH, finds: [] },
  {
    code: 'DS_NO_MATCH',
    shows: 'the DS record is of a key that the zone does not have',
    ...signed({ a: { ds: [{ key: LOST }] } }),
    finds: BOTH_KEYS,
    tells: [
      'No DNSKEY of a matches the DS records at the parent, so 100 % of lookups of www.a A fail behind validating resolvers. No DNSKEY has the tag 48248 (the key was removed, or is not published yet). The parent has DS 48248 (algorithm 13, SHA-256 f66c4a09), the zone has DNSKEY 5558 (algorithm 13, flags 257). Replace',
    ],
  },
  {
    code: 'DS_NO_MATCH',
    shows: 'the key is revoked',
    ...signed({ a: { keys: [{ flags: 385 }], ds: [{ key: {} }] } }),
    finds: BOTH_KEYS,
    tells: ['. Key 5558 is revoked (now DNSKEY 5686, flags 385). The parent has'],
  },
  {
    code: 'DS_NO_MATCH',
    shows: 'the key is no zone key',
    ...signed({ a: { keys: [{ flags: 1 }] } }),
    finds: ['error a.: 192.0.2.11 a. DNSKEY, 192.0.2.12 a. DNSKEY'],
    tells: ['. DNSKEY 5302 is not a zone key (flags 1, protocol 3). The parent'],
  },
  {
    code: 'DS_NO_MATCH',
    shows: 'the digest is wrong',
    ...signed({ root: { faults: [{ kind: 'wrong-ds' }] }, root2: { faults: [{ kind: 'wrong-ds' }] } }),
    finds: BOTH_KEYS,
    tells: ['. The digest in DS 5558 is not that of DNSKEY 5558. The parent'],
  },
  {
    code: 'DS_NO_MATCH',
    shows: 'the key has been removed, and its signatures have not',
    ...without(
      signed({ a: { keys: [{ label: 'new', signs: 'nothing' }, {}], ds: [{ key: {} }] } }),
      ['192.0.2.11', '192.0.2.12'],
      isKeyOfA,
    ),
    finds: BOTH_KEYS,
    tells: [
      '. No DNSKEY has the tag 5558, although its signatures are still served (the key was removed too early)',
    ],
  },
  {
    code: 'DS_NO_MATCH',
    shows: 'one server has a new key only',
    ...signed({ a: {}, ns2: { signed: { 'a.': { keys: [{ label: 'new' }] } } } }),
    finds: ['error a. ns2.a. 192.0.2.12: 192.0.2.12 a. DNSKEY'],
    tells: ['. No DNSKEY has the tag 5558, although other servers of the zone publish it'],
  },
  {
    code: 'DS_NO_MATCH',
    shows: 'the trust anchors are of another root',
    ...withAnchors(['. IN DS 20326 8 2 e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d']),
    finds: ['critical .: 192.0.2.1 . DNSKEY, 192.0.2.2 . DNSKEY'],
    tells: [
      '. No DNSKEY has the tag 20326 (the trust anchors are outdated, or belong to another root). The trust anchors are 20326 (algorithm 8, SHA-256 e06d44b8), the root has DNSKEY ',
    ],
  },
  {
    code: 'DS_NO_MATCH',
    shows: 'another DS record is of a key that it has',
    ...signed({ a: { ds: [{ key: LOST }, { key: {} }] } }),
    finds: [],
  },
  {
    code: 'DS_WITHOUT_DNSKEY',
    shows: 'one server has the zone unsigned',
    ...signed({ ns2: { signed: { 'a.': 'unsigned' } } }),
    finds: ['error a. ns2.a. 192.0.2.12: 192.0.2.12 a. DNSKEY'],
    tells: ['ns2.a (192.0.2.12) has no DNSKEY records for a, although '],
  },
  {
    code: 'DS_WITHOUT_DNSKEY',
    shows: 'the zone is unsigned, as its parent says',
    ...signed({ a: 'unsigned' }),
    finds: [],
  },
  {
    code: 'DS_INCONSISTENT',
    shows: 'one root server has another DS record',
    ...signed({ root: { faults: [{ kind: 'wrong-ds' }] } }),
    finds: ['error a.: 192.0.2.1, 192.0.2.2'],
    tells: ['r1 (192.0.2.1) returns key 5558 with digest 4b8b18cc and r2 '],
  },
  { code: 'DS_INCONSISTENT', shows: 'all have the same', ...HEALTHY, finds: [] },
  {
    code: 'DNSSEC_MISSING_AT_SERVER',
    shows: 'one of two servers is silent when asked for the keys',
    ...keysAtNs2(silence),
    finds: [NO_KEYS_AT_NS2],
    tells: [
      'ns2.a (192.0.2.12) does not return the DNSKEY records of a (no reply), although other servers of a do, so validating resolvers must send',
    ],
  },
  {
    code: 'DNSSEC_MISSING_AT_SERVER',
    shows: 'one of two servers returns SERVFAIL',
    ...keysAtNs2(rcode('SERVFAIL')),
    finds: [NO_KEYS_AT_NS2],
    tells: ['the DNSKEY records of a (SERVFAIL), although'],
  },
  {
    code: 'DNSSEC_MISSING_AT_SERVER',
    shows: 'the keys are too large for UDP, and nobody is at the TCP port',
    ...keysAtNs2(NO_TCP),
    finds: [NO_KEYS_AT_NS2],
    tells: ['(too large for UDP, and TCP is refused), although'],
  },
  {
    code: 'DNSSEC_MISSING_AT_SERVER',
    shows: 'the connection is closed before a whole reply',
    ...keysAtNs2(tried('TC, tcp closed', failure('timeout'))),
    finds: [NO_KEYS_AT_NS2],
    tells: ['(too large for UDP, and cut short over TCP), although'],
  },
  {
    code: 'DNSSEC_MISSING_AT_SERVER',
    shows: 'the reply is truncated even over TCP',
    ...keysAtNs2(tried('TC, tcp TC', failure('malformed'))),
    finds: [NO_KEYS_AT_NS2],
    tells: ['(the reply is broken or cut short), although'],
  },
  {
    code: 'DNSSEC_MISSING_AT_SERVER',
    shows: 'silence over TCP, which this network may drop',
    ...keysAtNs2(tried('TC, tcp timeout', failure('timeout'))),
    finds: [],
  },
  {
    code: 'DNSSEC_MISSING_AT_SERVER',
    shows: 'silence over TCP, where another server is not',
    ...keysAtNs2(tried('TC, tcp timeout', failure('timeout')), {
      ...HEALTHY,
      says: {
        ...HEALTHY.says,
        '192.0.2.1 . DNSKEY': tried('TC, tcp NOERROR', HEALTHY.says?.['192.0.2.1 *'] ?? silence),
      },
    }),
    finds: [NO_KEYS_AT_NS2],
    tells: ['(too large for UDP, and no reply over TCP), although'],
  },
  {
    code: 'DNSSEC_MISSING_AT_SERVER',
    shows: 'packets to that server get lost',
    ...keysAtNs2(silence, {
      ...HEALTHY,
      says: {
        ...HEALTHY.says,
        '192.0.2.12 www.a. A': tried('timeout, NOERROR', HEALTHY.says?.['192.0.2.12 *'] ?? silence),
      },
    }),
    finds: [],
  },
  {
    code: 'DNSSEC_MISSING_AT_SERVER',
    shows: 'no server returns the keys',
    ...keysAtNs2(silence, {
      ...HEALTHY,
      says: { ...HEALTHY.says, '192.0.2.11 a. DNSKEY': silence },
    }),
    finds: [],
  },
  {
    code: 'DNSSEC_MISSING_AT_SERVER',
    shows: 'the server is dead',
    ...HEALTHY,
    says: { ...HEALTHY.says, '192.0.2.12 *': silence },
    finds: [],
  },
  {
    code: 'DNSSEC_MISSING_AT_SERVER',
    shows: 'the server refuses everything',
    ...HEALTHY,
    says: { ...HEALTHY.says, '192.0.2.12 *': rcode('REFUSED') },
    finds: [],
  },
  {
    code: 'DNSSEC_MISSING_AT_SERVER',
    shows: 'one root server has no DS records in referrals, and does not return them when asked',
    ...signed({
      root: {
        faults: [{ kind: 'omits-ds' }, { kind: 'rcode', rcode: 'NOTIMP', only: { type: 'DS' } }],
      },
    }),
    finds: ['warning . r1. 192.0.2.1: 192.0.2.1, 192.0.2.1 a. DS'],
    tells: [
      'r1 (192.0.2.1) does not return the DS records of a (NOTIMP) and DS records, or a proof that there are none, in referrals for www.a, although other servers of the root do, so',
    ],
  },
  {
    code: 'DNSSEC_MISSING_AT_SERVER',
    shows: 'one of two servers of a zone without DS records is not signed yet',
    ...signed({ a: { ds: [] }, ns2: { signed: { 'a.': 'unsigned' } } }),
    finds: ['notice a. ns2.a. 192.0.2.12: 192.0.2.12'],
    tells: ['does not return signatures for www.a A, although other servers of a do, which will delay users'],
  },
  {
    code: 'DNSSEC_MISSING_AT_SERVER',
    shows: 'a reply without signatures that does not validate for that',
    ...signed({ ns2: { faults: [{ kind: 'ignores-do' }] } }),
    finds: [],
  },
  {
    code: 'TCP_UNREACHABLE',
    shows: 'nobody at the TCP port, as the question for keys finds',
    ...keysAtNs2(NO_TCP),
    finds: [NO_KEYS_AT_NS2],
  },
  {
    code: 'REPLY_MALFORMED',
    shows: 'the keys are truncated even over TCP',
    ...keysAtNs2(tried('TC, tcp TC', failure('malformed'))),
    finds: ['error a. ns2.a. 192.0.2.12: 192.0.2.12 a. DNSKEY'],
  },
  {
    code: 'SINGLE_POINT_OF_FAILURE',
    shows: 'only one of two servers returns the keys',
    ...keysAtNs2(silence),
    finds: ['warning a. ns1.a.: 192.0.2.11'],
    tells: [
      'If ns1.a, a name server of a, fails, www.a A stops resolving over IPv4 behind validating resolvers. ',
    ],
  },
  {
    code: 'DNSKEY_UNREACHABLE',
    shows: 'no server answers questions for keys',
    ...signed({
      ns1: { faults: [{ kind: 'dead', only: { type: 'DNSKEY' } }] },
      ns2: { faults: [{ kind: 'dead', only: { type: 'DNSKEY' } }] },
    }),
    finds: ['critical a.: 192.0.2.11 a. DNSKEY, 192.0.2.12 a. DNSKEY'],
    tells: ['No server of a returns its DNSKEY records, so validating resolvers cannot use its data'],
  },
  {
    code: 'DNSKEY_UNREACHABLE',
    shows: 'one server does',
    ...signed({ ns1: { faults: [{ kind: 'dead', only: { type: 'DNSKEY' } }] } }),
    finds: [],
  },
  {
    code: 'RRSIG_EXPIRED',
    shows: 'signatures of one of two servers have expired',
    ...EXPIRED_AT_ONE,
    finds: ['error a. ns2.a. 192.0.2.12: 192.0.2.12'],
    tells: [
      'ns2.a (192.0.2.12) returns signatures for www.a A that expired on 2020-01-31, so validating resolvers have to ask another server',
    ],
  },
  {
    code: 'RRSIG_EXPIRED',
    shows: 'signatures of both have',
    ...EXPIRED_AT_BOTH,
    finds: ['critical a.: 192.0.2.11, 192.0.2.12'],
    tells: ['Every server of a returns signatures for www.a A that expired on 2020-01-31, so 100 %'],
  },
  {
    code: 'RRSIG_EXPIRED',
    shows: 'they expire at that very second',
    ...signed({ a: { expiration: TIME } }),
    finds: [],
  },
  {
    code: 'RRSIG_NOT_YET_VALID',
    shows: 'a clock is ahead',
    ...signed({ ns2: { faults: flawed('not-yet-valid') } }),
    finds: ['error a. ns2.a. 192.0.2.12: 192.0.2.12'],
    tells: ['that are valid only from 2079-12-01 on'],
  },
  {
    code: 'RRSIG_NOT_YET_VALID',
    shows: 'they are valid from that very second on',
    ...signed({ a: { inception: TIME } }),
    finds: [],
  },
  {
    code: 'RRSIG_EXPIRES_SOON',
    shows: 'a month is over but for two days',
    ...signed({ a: { inception: TIME - 28 * DAY, expiration: TIME + 2 * DAY } }),
    finds: ['warning a.: 192.0.2.11, 192.0.2.12, 192.0.2.11 a. DNSKEY, 192.0.2.12 a. DNSKEY'],
    tells: ['The signature of www.a A in a expires soon, on 2026-11-24: validating'],
  },
  {
    code: 'RRSIG_EXPIRES_SOON',
    shows: 'a year is over but for its last tenth',
    ...signed({ a: { inception: TIME - 330 * DAY, expiration: TIME + 30 * DAY } }),
    finds: ['warning a.: 192.0.2.11, 192.0.2.12, 192.0.2.11 a. DNSKEY, 192.0.2.12 a. DNSKEY'],
    tells: ['expires soon, on 2026-12-22'],
  },
  {
    code: 'RRSIG_EXPIRES_SOON',
    shows: 'signatures are made for a day, as they are needed',
    ...signed({ a: { inception: TIME - DAY / 4, expiration: TIME + DAY } }),
    finds: [],
  },
  {
    code: 'RRSIG_EXPIRES_SOON',
    shows: 'there are four days left of a month',
    ...signed({ a: { inception: TIME - 26 * DAY, expiration: TIME + 4 * DAY } }),
    finds: [],
  },
  {
    code: 'RRSIG_MISSING',
    shows: 'something removes signatures',
    ...signed({ ns2: { faults: [{ kind: 'ignores-do' }] } }),
    finds: ['error a. ns2.a. 192.0.2.12: 192.0.2.12, 192.0.2.12 a. DNSKEY'],
    tells: [
      'returns www.a A without signatures, although a is signed, so validating resolvers have to ask another server',
    ],
  },
  { code: 'RRSIG_MISSING', shows: 'the zone is not signed', ...signed({ a: 'unsigned' }), finds: [] },
  {
    code: 'RRSIG_INVALID',
    shows: 'a signature does not fit',
    ...signed({ ns2: { faults: flawed('spoilt') } }),
    finds: ['error a. ns2.a. 192.0.2.12: 192.0.2.12'],
    tells: ['that do not validate (they do not match the data)'],
  },
  {
    code: 'RRSIG_INVALID',
    shows: 'a key is gone',
    ...signed({ ns2: { faults: flawed('wrong-key') } }),
    finds: ['error a. ns2.a. 192.0.2.12: 192.0.2.12'],
    tells: ['that do not validate (the zone does not publish the key that made them)'],
  },
  {
    code: 'RRSIG_INVALID',
    shows: 'each server has keys of its own',
    ...signed({
      a: { keys: [{}], ds: [{ key: {} }, { key: { label: 'next' } }] },
      ns2: { signed: { 'a.': { keys: [{ label: 'next' }] } } },
    }),
    finds: ['error a.: 192.0.2.11, 192.0.2.12'],
    tells: [
      'that validate only with the keys of some servers (not every server publishes the key that made them)',
    ],
  },
  { code: 'RRSIG_INVALID', shows: 'it merely has expired', ...EXPIRED_AT_ONE, finds: [] },
  {
    code: 'DENIAL_BROKEN',
    shows: 'one server proves something else',
    ...signed({ ask: NEGATIVE, ns2: { faults: [{ kind: 'wrong-proof' }] } }),
    finds: ['error a. ns2.a. 192.0.2.12: 192.0.2.12'],
    tells: ['sends NXDOMAIN for no.a A without valid proof'],
  },
  { code: 'DENIAL_BROKEN', shows: 'both prove what they deny', ...signed({ ask: NEGATIVE }), finds: [] },
  {
    code: 'NSEC3_ITERATIONS',
    shows: 'names are hashed ten times more',
    ...signed({ ask: NEGATIVE, a: { denial: { kind: 'nsec3', iterations: 10 } } }),
    finds: ['notice a.: 192.0.2.11, 192.0.2.12'],
    tells: ['10 extra iterations, which costs'],
  },
  {
    code: 'NSEC3_ITERATIONS',
    shows: 'so often that some validators give up',
    ...signed({ ask: NEGATIVE, a: { denial: { kind: 'nsec3', iterations: 100 } } }),
    finds: ['warning a.: 192.0.2.11, 192.0.2.12'],
    tells: ['100 extra iterations, so some validating resolvers'],
  },
  {
    code: 'NSEC3_ITERATIONS',
    shows: 'so often that all do',
    ...signed({ ask: NEGATIVE, a: { denial: { kind: 'nsec3', iterations: 200 } } }),
    finds: ['warning a.: 192.0.2.11, 192.0.2.12'],
    tells: ['200 extra iterations, so validating resolvers'],
  },
  {
    code: 'NSEC3_ITERATIONS',
    shows: 'names are hashed once',
    ...signed({ ask: NEGATIVE, a: { denial: { kind: 'nsec3' } } }),
    finds: [],
  },
  {
    code: 'ALGORITHM_WEAK',
    shows: 'keys use SHA-1',
    ...signed({ a: { algorithm: 7 } }),
    finds: ['warning a.: 192.0.2.11 a. DNSKEY, 192.0.2.12 a. DNSKEY'],
    tells: ['a uses weak cryptography: key 54001 uses SHA-1 (algorithm 7)'],
  },
  {
    code: 'ALGORITHM_WEAK',
    shows: 'the only digest is SHA-1',
    ...signed({ a: { ds: [{ key: {}, digest: 1 }] } }),
    finds: ['warning a.: 192.0.2.1, 192.0.2.2'],
    tells: ['a uses weak cryptography: its DS records have only SHA-1 digests'],
  },
  {
    code: 'ALGORITHM_WEAK',
    shows: 'SHA-1 is there beside SHA-256',
    ...signed({ a: { ds: [{ key: {}, digest: 1 }, { key: {} }] } }),
    finds: ['notice a.: 192.0.2.1, 192.0.2.2'],
    tells: ['a DS record has a SHA-1 digest beside a better one'],
  },
  {
    code: 'DS_UNSUPPORTED',
    shows: 'the only DS record has a digest that nobody supports',
    ...signed({ a: { ds: [{ key: {}, digest: 3 }] } }),
    finds: ['warning a.: 192.0.2.1, 192.0.2.2'],
    tells: [
      'Validating resolvers support none of the DS records of a (digest type 3): they treat the zone as unsigned. Replace the DS records',
    ],
  },
  {
    code: 'DS_UNSUPPORTED',
    shows: 'the keys have an algorithm that nobody supports',
    ...signed({ a: { algorithm: 12 } }),
    finds: ['warning a.: 192.0.2.1, 192.0.2.2'],
    tells: [
      'none of the DS records of a (algorithm 12): they treat the zone as unsigned. Sign the zone with ECDSAP256SHA256',
    ],
  },
  {
    code: 'DS_UNSUPPORTED',
    shows: 'a DS record beside it is supported',
    ...signed({ a: { ds: [{ key: {}, digest: 3 }, { key: {} }] } }),
    finds: [],
  },
  {
    code: 'SIGNED_WITHOUT_DS',
    shows: 'the parent has no DS records',
    ...signed({ a: { ds: [] } }),
    finds: ['notice a.: 192.0.2.11, 192.0.2.12'],
    tells: [
      'a is signed, but its parent has no DS records for it: validating resolvers treat the zone as unsigned. Publish',
    ],
  },
  {
    code: 'SIGNED_WITHOUT_DS',
    shows: 'one server has the zone unsigned',
    ...signed({ a: { ds: [] }, ns2: { signed: { 'a.': 'unsigned' } } }),
    finds: ['notice a.: 192.0.2.11'],
  },
  { code: 'SIGNED_WITHOUT_DS', shows: 'the parent has them', ...HEALTHY, finds: [] },
  {
    code: 'SIGNED_WITHOUT_DS',
    shows: 'the DS records are not supported, which is another fault',
    ...signed({ a: { ds: [{ key: {}, digest: 3 }] } }),
    finds: [],
  },
  {
    code: 'KEYS_DIFFER',
    shows: 'a rollover is half done',
    ...signed({ a: { keys: [{}, { label: 'next', signs: 'nothing' }] }, ns2: { signed: { 'a.': {} } } }),
    finds: ['warning a.: 192.0.2.11 a. DNSKEY, 192.0.2.12 a. DNSKEY'],
    tells: ['ns1.a (192.0.2.11) has keys 5558, 17287 and ns2.a (192.0.2.12) has key 5558'],
  },
  {
    code: 'KEYS_DIFFER',
    shows: 'all servers have both keys',
    ...signed({ a: { keys: [{}, { label: 'next', signs: 'nothing' }] } }),
    finds: [],
  },
  ...ROLLOVERS.map(([shows, keys, ds, tells]): FindingRow => {
    const shown = tells === undefined ? [] : ['info a.: 192.0.2.11 a. DNSKEY, 192.0.2.12 a. DNSKEY'];
    const zone = { keys, ...(ds && { ds: ds.map((key) => ({ key })) }) };
    return { code: 'KEY_ROLLOVER', shows, ...signed({ a: zone }), finds: shown, tells: tells ?? [] };
  }),
  {
    code: 'KEY_ROLLOVER',
    shows: 'servers publish different keys, which is told instead',
    ...signed({ a: { keys: [{}, { label: 'next' }], ds: [{ key: {} }] }, ns2: { signed: { 'a.': {} } } }),
    finds: [],
  },
];

('** What follows from what. *');
export const DNSSEC_CAUSES: readonly (FindingsWorld & {
  readonly shows: string;
  readonly finds: readonly string[];
})[] = [
  {
    shows: 'a server that has the zone unsigned proves and signs nothing',
    ...signed({ ns2: { signed: { 'a.': 'unsigned' } } }),
    finds: [
      'f1 error DS_WITHOUT_DNSKEY',
      'f2 of f1 error SERVERS_DIFFER_DNSSEC',
      'f3 of f1 error DENIAL_BROKEN',
      'f4 of f1 error RRSIG_MISSING',
      'f5 of f1 warning SINGLE_POINT_OF_FAILURE',
    ],
  },
  {
    shows: 'what leaves no validating resolver an answer is critical',
    ...EXPIRED_AT_BOTH,
    finds: ['f1 critical RRSIG_EXPIRED', 'f2 of f1 critical DNSSEC_BOGUS'],
  },
  {
    shows: 'signatures by a key that only one server publishes',
    ...signed({
      a: { keys: [{}], ds: [{ key: {} }, { key: { label: 'next' } }] },
      ns2: { signed: { 'a.': { keys: [{ label: 'next' }] } } },
    }),
    finds: ['f1 error KEYS_DIFFER', 'f2 of f1 error RRSIG_INVALID'],
  },
  {
    shows: 'signatures by a key that no server publishes, whatever else they publish',
    ...signed({
      a: { keys: [{}, { label: 'next', signs: 'nothing' }] },
      ns2: {
        signed: { 'a.': {} },
        faults: [{ kind: 'flawed-signatures', flaw: 'wrong-key', covering: 'A' }],
      },
    }),
    finds: [
      'f1 error RRSIG_INVALID',
      'f2 of f1 error SERVERS_DIFFER_DNSSEC',
      'f3 of f1 warning SINGLE_POINT_OF_FAILURE',
      'f4 warning KEYS_DIFFER',
    ],
  },
  {
    shows: 'a DS record that one server of the parent has wrong',
    ...signed({ root: { faults: [{ kind: 'wrong-ds' }] } }),
    finds: ['f1 error DS_INCONSISTENT', 'f2 of f1 error DNSSEC_BOGUS', 'f3 of f1 error DS_NO_MATCH'],
  },
  {
    shows: 'keys that one of two servers does not return',
    ...keysAtNs2(silence),
    finds: [
      'f1 warning NS_NO_RESPONSE_UDP',
      'f2 of f1 warning SINGLE_POINT_OF_FAILURE',
      'f3 of f1 warning DNSSEC_MISSING_AT_SERVER',
    ],
  },
  {
    shows: 'keys that one of two servers does not return for want of TCP',
    ...keysAtNs2(NO_TCP),
    finds: [
      'f1 warning TCP_UNREACHABLE',
      'f2 of f1 warning SINGLE_POINT_OF_FAILURE',
      'f3 of f1 warning DNSSEC_MISSING_AT_SERVER',
    ],
  },
  {
    shows: 'keys that no server returns for want of TCP',
    ...keysAtNs2(NO_TCP, { ...HEALTHY, says: { ...HEALTHY.says, '192.0.2.11 a. DNSKEY': NO_TCP } }),
    finds: [
      'f1 critical TCP_UNREACHABLE',
      'f2 critical TCP_UNREACHABLE',
      'f3 critical DNSSEC_BOGUS',
      'f4 error DNSKEY_UNREACHABLE',
    ],
  },
];
