/** Rows for findings about data that do not validate, with `dnssec`. */
import type { Fault } from '../../src/lab/faults.ts';
import type { SignatureFlaw } from '../../src/lab/signing/zone-signing.ts';
import type { FindingRow, FindingsWorld } from './world.ts';
import { DAY, signed, TIME } from './zone-worlds.ts';

const flawed = (flaw: SignatureFlaw, covering = 'A'): readonly Fault[] => [
  { kind: 'flawed-signatures', flaw, covering },
];
const HEALTHY = signed({});
const NEGATIVE = 'no.a. A';

const EXPIRED_AT_ONE = signed({ ns2: { faults: flawed('expired') } });
const EXPIRED_AT_BOTH = signed({ ns1: { faults: flawed('expired') }, ns2: { faults: flawed('expired') } });
const LOST = { label: 'lost' };

export const DNSSEC: readonly FindingRow[] = [
  {
    code: 'DNSSEC_BOGUS',
    shows: 'one of two servers has expired signatures',
    ...EXPIRED_AT_ONE,
    finds: ['error a.: 192.0.2.12'],
    tells: [
      '50 % (1/2) of lookups of www.a A over IPv4 fail behind validating resolvers that do not retry: ',
    ],
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
      'For www.a A in a, ns1.a (192.0.2.11) returns signatures that validate, ns2.a (192.0.2.12) does not, so lookups fail at random: 50 %',
    ],
  },
  { code: 'SERVERS_DIFFER_DNSSEC', shows: 'both servers have them', ...EXPIRED_AT_BOTH, finds: [] },
  {
    code: 'DS_NO_MATCH',
    shows: 'the DS record is of a key that the zone does not have',
    ...signed({ a: { ds: [{ key: LOST }] } }),
    finds: ['critical a.: 192.0.2.11 a. DNSKEY, 192.0.2.12 a. DNSKEY'],
    tells: ["None of a's DNSKEYs matches the DS records at the parent, so 100 %"],
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
    tells: ['ns2.a (192.0.2.12) returns signatures for www.a A that expired on 2020-01-31, so 50 %'],
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
    tells: ['returns www.a A without signatures, although a is signed, so 75 %'],
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
    tells: ['denies no.a A without valid proof'],
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
      'f2 of f1 error DNSSEC_BOGUS',
      'f3 of f1 error SERVERS_DIFFER_DNSSEC',
      'f4 of f1 error DENIAL_BROKEN',
      'f5 of f1 error RRSIG_MISSING',
      'f6 of f1 warning SINGLE_POINT_OF_FAILURE',
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
    finds: ['f1 error KEYS_DIFFER', 'f2 of f1 error DNSSEC_BOGUS', 'f3 of f1 error RRSIG_INVALID'],
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
      'f2 of f1 error DNSSEC_BOGUS',
      'f3 of f1 error SERVERS_DIFFER_DNSSEC',
      'f4 of f1 warning SINGLE_POINT_OF_FAILURE',
      'f5 warning KEYS_DIFFER',
    ],
  },
  {
    shows: 'a DS record that one server of the parent has wrong',
    ...signed({ root: { faults: [{ kind: 'wrong-ds' }] } }),
    finds: ['f1 error DS_INCONSISTENT', 'f2 of f1 error DNSSEC_BOGUS', 'f3 of f1 error DS_NO_MATCH'],
  },
];
