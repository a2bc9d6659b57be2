/** Rows for findings about zones that are not signed as they should be, and about keys and signatures that cannot be used. */
import { parseName } from '../../src/dns/name.ts';
import type { ResourceRecord } from '../../src/dns/record.ts';
import { dsData } from '../../src/lab/signing/signing-key.ts';
import type { KeySpec } from '../../src/lab/signing/zone-signing.ts';
import type { FindingRow, FindingsWorld } from './world.ts';
import { DAY, signed, TIME } from './zone-worlds.ts';

const HEALTHY = signed({});
const NEGATIVE = 'no.a. A';
const LOST = { label: 'lost' };
const SPARE = { label: 'spare', signs: 'nothing' } as const;
const KSK = { label: 'ksk', signs: 'keys' } as const;
const ZSK = { label: 'zsk', signs: 'data' } as const;
/** RSA/SHA-256. */
const RSA = 8;
/** An RSA key with an exponent of 65537 and a modulus of so many octets. */
const rsa = (octets: number): string => `03010001${'ff'.repeat(octets)}`;

/** The DS record of a key of a., as zone files have it. */
const dsOf = (key: KeySpec): string => {
  const data = Buffer.from(dsData(parseName('a.'), { key }, {}));
  return `a. DS ${data.readUInt16BE(0)} ${data[2]} ${data[3]} ${data.subarray(4).toString('hex')}`;
};

const BOTH_KEYS = '192.0.2.11 a. DNSKEY, 192.0.2.12 a. DNSKEY';
const BOTH = '192.0.2.11, 192.0.2.12';

/** The signature of www.a A has other data. */
const signatureWith =
  (change: (fields: string[]) => readonly string[]) =>
  (record: ResourceRecord): ResourceRecord =>
    record.type === 'RRSIG' && record.data.startsWith('A ')
      ? { ...record, data: change(record.data.split(' ')).join(' ') }
      : record;

/** Records of type A, and what signs them, have this TTL. */
const ttlOf =
  (ttl: number) =>
  (record: ResourceRecord): ResourceRecord => ({ ...record, ttl });

const CUT_SHORT = signatureWith((fields) => [...fields.slice(0, -1), (fields.at(-1) ?? '').slice(0, 80)]);

/** A zone with these keys, which have its DS records if they sign keys. */
const keys = (...own: readonly KeySpec[]): FindingsWorld => signed({ a: { keys: own } });

/** A world of which no more is asked. */
const withLimit = (maxQueries: number, world: FindingsWorld): FindingsWorld => ({
  ...world,
  options: { ...world.options, maxQueries },
});

const ROOT_KEYS_DIFFER = signed({ root: { signed: { '.': { keys: [{}, SPARE] } } } });

export const SIGNING: readonly FindingRow[] = [
  {
    code: 'DS_STALE',
    shows: 'a DS record of a key that is gone, beside the right one',
    ...signed({ a: { ds: [{ key: LOST }, { key: {} }] } }),
    finds: [`notice a.: 192.0.2.1, 192.0.2.2, ${BOTH_KEYS}`],
    tells: [
      'The parent has DS 48248 (algorithm 13, SHA-256 f66c4a09) for a, which matches no DNSKEY of the zone, ',
    ],
  },
  {
    code: 'DS_STALE',
    shows: 'no DS record is right',
    ...signed({ a: { ds: [{ key: LOST }] } }),
    finds: [],
  },
  {
    code: 'DS_STALE',
    shows: 'each is of a key that another server has',
    ...signed({
      a: { keys: [{}], ds: [{ key: {} }, { key: { label: 'next' } }] },
      ns2: { signed: { 'a.': { keys: [{ label: 'next' }] } } },
    }),
    finds: [],
  },
  {
    code: 'DS_STALE',
    shows: 'a digest of a type that nobody knows, of a key that is there',
    ...signed({ a: { ds: [{ key: {}, digest: 99 }, { key: {} }] } }),
    finds: [],
  },
  {
    code: 'DS_STALE',
    shows: 'a server that was not asked for its keys may have the one that is missing',
    ...withLimit(7, signed({ a: { ds: [{ key: LOST }, { key: {} }] } })),
    finds: [],
  },
  {
    code: 'KEYS_DIFFER',
    shows: 'root servers publish different keys',
    ...withLimit(6, ROOT_KEYS_DIFFER),
    finds: ['warning .: 192.0.2.1 . DNSKEY, 192.0.2.2 . DNSKEY'],
  },
  {
    code: 'KEYS_DIFFER',
    shows: 'what was asked beyond a limit counts as not asked',
    ...withLimit(5, ROOT_KEYS_DIFFER),
    finds: [],
  },
  {
    code: 'ALGORITHM_INCOMPLETE',
    shows: 'only keys are signed with both algorithms of the keys',
    ...keys({}, { ...KSK, algorithm: RSA }),
    finds: [`warning a.: ${BOTH}`],
    tells: ['a has no signature by algorithm 8 (of its keys) over www.a A: '],
  },
  {
    code: 'ALGORITHM_INCOMPLETE',
    shows: 'a DS record names a key that signs nothing',
    ...signed({
      a: {
        keys: [{}, { ...SPARE, algorithm: RSA }],
        ds: [{ key: {} }, { key: { ...SPARE, algorithm: RSA } }],
      },
    }),
    finds: [`warning a.: ${BOTH}, ${BOTH_KEYS}`],
    tells: ['by algorithm 8 (of its keys and its DS records) over www.a A and a DNSKEY: '],
  },
  {
    code: 'ALGORITHM_INCOMPLETE',
    shows: 'a DS record names an algorithm that the zone does not have any more',
    ...signed({ a: { ds: [{ key: {} }, { key: { ...LOST, algorithm: RSA } }] } }),
    finds: [`warning a.: 192.0.2.1, 192.0.2.2, ${BOTH_KEYS}`],
    tells: ['by algorithm 8 (of its DS records) over a DNSKEY: '],
  },
  {
    code: 'ALGORITHM_INCOMPLETE',
    shows: 'everything is signed with both',
    ...keys({}, { label: 'rsa', algorithm: RSA }),
    finds: [],
  },
  {
    code: 'ALGORITHM_INCOMPLETE',
    shows: 'a second key of the same algorithm signs nothing',
    ...keys({}, SPARE),
    finds: [],
  },
  {
    code: 'TTL_BEYOND_SIGNATURE',
    shows: 'servers return a higher TTL than was signed',
    ...signed({ altered: ttlOf(90_000) }),
    finds: [`notice a.: ${BOTH}, ${BOTH_KEYS}`],
    tells: ['www.a A has a TTL of 90,000 seconds, but its signature allows 300: '],
  },
  {
    code: 'TTL_BEYOND_SIGNATURE',
    shows: 'servers return a lower TTL',
    ...signed({ altered: ttlOf(10) }),
    finds: [],
  },
  {
    code: 'TTL_BEYOND_SIGNATURE',
    shows: 'a week in caches, and four days until the signature ends',
    ...signed({
      ask: 'long.a. A',
      more: ['long.a. 604800 A 192.0.2.81'],
      a: { inception: TIME - 26 * DAY, expiration: TIME + 4 * DAY },
    }),
    finds: [`notice a.: ${BOTH}`],
    tells: ['long.a A has a TTL of 604,800 seconds, but its signature expires earlier, on 2026-11-26: '],
  },
  {
    code: 'TTL_BEYOND_SIGNATURE',
    shows: 'the same in the last two days, which another finding is about',
    ...signed({
      ask: 'long.a. A',
      more: ['long.a. 604800 A 192.0.2.81'],
      a: { inception: TIME - 28 * DAY, expiration: TIME + 2 * DAY },
    }),
    finds: [],
  },
  {
    code: 'NSEC3_ITERATIONS',
    shows: 'a salt, and nothing is hashed again',
    ...signed({ ask: NEGATIVE, a: { denial: { kind: 'nsec3', salt: 'aabb' } } }),
    finds: [`notice a.: ${BOTH}`],
    tells: [
      'a hashes names in NSEC3 records with the salt aabb, which makes replies longer and protects nothing',
    ],
  },
  {
    code: 'NSEC3_ITERATIONS',
    shows: 'both a salt and iterations',
    ...signed({ ask: NEGATIVE, a: { denial: { kind: 'nsec3', salt: 'aabb', iterations: 10 } } }),
    finds: [`notice a.: ${BOTH}`],
    tells: ['with 10 extra iterations and the salt aabb, which costs'],
  },
  {
    code: 'ALGORITHM_WEAK',
    shows: 'RSA keys of 1024 bits',
    ...signed({ a: { algorithm: RSA } }),
    finds: [`notice a.: ${BOTH_KEYS}`],
    tells: [' has 1024 bits instead of 2048'],
  },
  {
    code: 'ALGORITHM_WEAK',
    shows: 'an RSA key of 512 bits',
    ...keys({}, { ...SPARE, algorithm: RSA, published: rsa(64) }),
    finds: [`warning a.: ${BOTH_KEYS}`],
    tells: [' has only 512 bits'],
  },
  {
    code: 'ALGORITHM_WEAK',
    shows: 'an RSA key of 2048 bits',
    ...keys({}, { ...SPARE, algorithm: RSA, published: rsa(256) }),
    finds: [],
  },
  {
    code: 'DNSKEY_INVALID',
    shows: 'a key without octets',
    ...keys({}, { ...SPARE, published: '' }),
    finds: [`warning a.: ${BOTH_KEYS}`],
    tells: [' is empty. '],
  },
  {
    code: 'DNSKEY_INVALID',
    shows: 'half a point of a curve',
    ...keys({}, { ...SPARE, published: 'ab'.repeat(32) }),
    finds: [`warning a.: ${BOTH_KEYS}`],
    tells: [' has 32 octets, but algorithm 13 needs 64. '],
  },
  {
    code: 'DNSKEY_INVALID',
    shows: 'an RSA key that ends with its exponent',
    ...keys({}, { ...SPARE, algorithm: RSA, published: rsa(0) }),
    finds: [`warning a.: ${BOTH_KEYS}`],
    tells: [' lacks an RSA exponent or modulus. '],
  },
  {
    code: 'DNSKEY_INVALID',
    shows: 'an RSA modulus that begins with a zero',
    ...keys({}, { ...SPARE, algorithm: RSA, published: `0301000100${'ff'.repeat(255)}` }),
    finds: [`warning a.: ${BOTH_KEYS}`],
    tells: [' has an RSA exponent or modulus that begins with a zero. '],
  },
  {
    code: 'DNSKEY_INVALID',
    shows: 'an RSA modulus that is too long',
    ...keys({}, { ...SPARE, algorithm: RSA, published: rsa(513) }),
    finds: [`warning a.: ${BOTH_KEYS}`],
    tells: [' has an RSA modulus of more than 4096 bits. '],
  },
  {
    code: 'DNSKEY_INVALID',
    shows: 'an RSA exponent whose length takes three octets',
    ...keys({}, { ...SPARE, algorithm: RSA, published: `000100${'01'.repeat(256)}${'ff'.repeat(256)}` }),
    finds: [],
  },
  {
    code: 'DNSKEY_INVALID',
    shows: 'a key of another protocol',
    ...keys({}, { ...SPARE, protocol: 4 }),
    finds: [`warning a.: ${BOTH_KEYS}`],
    tells: [' has protocol 4 instead of 3. '],
  },
  {
    code: 'DNSKEY_INVALID',
    shows: 'all that the DS record names is a key of another protocol',
    ...keys({ protocol: 4 }),
    finds: [`critical a.: 192.0.2.1, 192.0.2.2, ${BOTH_KEYS}`],
  },
  {
    code: 'DNSKEY_INVALID',
    shows: 'a key without the Zone flag signs, beside one that has it',
    ...keys({}, { ...ZSK, flags: 0 }),
    finds: [`warning a.: ${BOTH_KEYS}`],
    tells: [' signs without the Zone flag. '],
  },
  {
    code: 'DNSKEY_INVALID',
    shows: 'a key without the Zone flag signs nothing',
    ...keys({}, { ...SPARE, flags: 0 }),
    finds: [],
  },
  {
    code: 'DNSKEY_INVALID',
    shows: 'a key is revoked, and does not say so itself',
    ...keys({}, { ...SPARE, flags: 0x181 }),
    finds: [`warning a.: ${BOTH_KEYS}`],
    tells: [
      ' is revoked, but does not sign the DNSKEY records, so resolvers that hold it as a trust anchor go on trusting it. ',
    ],
  },
  {
    code: 'DNSKEY_INVALID',
    shows: 'a key is revoked, and something removes all signatures',
    ...signed({
      a: { keys: [{}, { ...SPARE, flags: 0x181 }] },
      ns1: { faults: [{ kind: 'ignores-do' }] },
      ns2: { faults: [{ kind: 'ignores-do' }] },
    }),
    finds: [],
  },
  {
    code: 'DNSKEY_INVALID',
    shows: 'a key is revoked as it should be',
    ...keys({}, { ...KSK, flags: 0x181 }),
    finds: [],
  },
  { code: 'DNSKEY_INVALID', shows: 'keys are as they should be', ...HEALTHY, finds: [] },
  {
    code: 'RRSIG_INVALID',
    shows: 'a signature is cut short',
    ...signed({ altered: CUT_SHORT }),
    finds: [`critical a.: ${BOTH}`],
    tells: ['that do not validate (the signature of www.a A by key 5558 has 60 octets instead of 64)'],
  },
  {
    code: 'RRSIG_INVALID',
    shows: 'a signature is of a longer name',
    ...signed({ altered: signatureWith((fields) => fields.with(2, '5')) }),
    finds: [`critical a.: ${BOTH}`],
    tells: ['that do not validate (the signature of www.a A counts 5 labels, but the name has 2)'],
  },
  {
    code: 'RRSIG_INVALID',
    shows: 'a signature is of a wildcard above the zone',
    ...signed({ altered: signatureWith((fields) => fields.with(2, '0')) }),
    finds: [`critical a.: ${BOTH}`],
    tells: ['that do not validate (the signature of www.a A counts 0 labels, fewer than the zone has)'],
  },
  {
    code: 'RRSIG_INVALID',
    shows: 'the zone above signed',
    ...signed({ altered: signatureWith((fields) => fields.with(7, '.')) }),
    finds: [`critical a.: ${BOTH}`],
    tells: ['that do not validate (the zone above, the root, made them)'],
  },
  {
    code: 'RRSIG_INVALID',
    shows: 'a zone elsewhere signed',
    ...signed({ ns2: { faults: [{ kind: 'flawed-signatures', flaw: 'wrong-signer', covering: 'A' }] } }),
    finds: ['error a. ns2.a. 192.0.2.12: 192.0.2.12'],
    tells: ['that do not validate (invalid made them, which is not a zone above www.a)'],
  },
  {
    code: 'RRSIG_INVALID',
    shows: 'nobody supports the algorithm',
    ...signed({
      ns2: { faults: [{ kind: 'flawed-signatures', flaw: 'unsupported-algorithm', covering: 'A' }] },
    }),
    finds: ['error a. ns2.a. 192.0.2.12: 192.0.2.12'],
    tells: ['that do not validate (resolvers do not support algorithm 12)'],
  },
  {
    code: 'RRSIG_INVALID',
    shows: 'a key of another algorithm has the tag',
    ...signed({ altered: signatureWith((fields) => fields.with(1, '14')) }),
    finds: [`critical a.: ${BOTH}`],
    tells: ['that do not validate (they have algorithm 14, but key 5558 has algorithm 13)'],
  },
  {
    code: 'RRSIG_INVALID',
    shows: 'the key that signed does not have the Zone flag',
    ...keys(KSK, { ...ZSK, flags: 0 }),
    finds: [`error a.: ${BOTH}`],
    tells: [', which made them, does not have the Zone flag)'],
  },
  {
    code: 'RRSIG_INVALID',
    shows: 'the key that signed is revoked',
    ...keys(KSK, { ...ZSK, flags: 0x180 }),
    finds: [`critical a.: ${BOTH}`],
    tells: [', which made them, is revoked)'],
  },
  {
    code: 'RRSIG_INVALID',
    shows: 'the key that signed is malformed',
    ...keys(KSK, { ...ZSK, published: 'ab'.repeat(32) }),
    finds: [`error a.: ${BOTH}`],
    tells: [', which made them, has 32 octets, but algorithm 13 needs 64)'],
  },
  {
    code: 'RRSIG_MISSING',
    shows: 'signatures are not even that',
    ...signed({ altered: signatureWith(() => ['\\#', '2', '0001']) }),
    finds: [`error a.: ${BOTH}`],
    tells: [
      'returns www.a A with signatures that are cut short or otherwise malformed, which resolvers ignore',
    ],
  },
];

/** What follows from what. */
export const SIGNING_CAUSES: readonly (FindingsWorld & {
  readonly shows: string;
  readonly finds: readonly string[];
})[] = [
  {
    shows: 'a DS record of an algorithm that the zone does not have any more',
    ...signed({ a: { ds: [{ key: {} }, { key: { ...LOST, algorithm: RSA } }] } }),
    finds: ['f1 warning DS_STALE', 'f2 of f1 warning ALGORITHM_INCOMPLETE'],
  },
  {
    shows: 'an old DS record that one server of the parent still has',
    ...signed({ root: { more: [dsOf({}), dsOf(LOST)] } }),
    finds: ['f1 warning DS_INCONSISTENT', 'f2 of f1 notice DS_STALE'],
  },
  {
    shows: 'an algorithm that only one server of the zone has',
    ...signed({
      a: { ds: [{ key: {} }, { key: { label: 'rsa', algorithm: RSA } }] },
      ns2: { signed: { 'a.': { keys: [{}, { label: 'rsa', algorithm: RSA }] } } },
    }),
    finds: ['f1 warning KEYS_DIFFER', 'f2 of f1 warning ALGORITHM_INCOMPLETE', 'f3 notice ALGORITHM_WEAK'],
  },
  {
    shows: 'a key of another protocol is all that the DS record names',
    ...keys({ protocol: 4 }),
    finds: ['f1 critical DNSKEY_INVALID', 'f2 of f1 critical DNSSEC_BOGUS', 'f3 of f1 error DS_NO_MATCH'],
  },
  {
    shows: 'the key that signs all data is malformed',
    ...keys(KSK, { ...ZSK, published: 'ab'.repeat(32) }),
    finds: ['f1 critical DNSKEY_INVALID', 'f2 of f1 critical DNSSEC_BOGUS', 'f3 of f1 error RRSIG_INVALID'],
  },
  {
    shows: 'signatures that nobody can read',
    ...signed({ altered: signatureWith(() => ['\\#', '2', '0001']) }),
    finds: [
      'f1 critical RDATA_MALFORMED',
      'f2 critical RDATA_MALFORMED',
      'f3 critical DNSSEC_BOGUS',
      'f4 error RRSIG_MISSING',
    ],
  },
  {
    shows: 'signatures that are cut short, and a malformed key that has nothing to do with it',
    ...signed({ altered: CUT_SHORT, a: { keys: [{}, { ...SPARE, published: '' }] } }),
    finds: ['f1 critical RRSIG_INVALID', 'f2 of f1 critical DNSSEC_BOGUS', 'f3 warning DNSKEY_INVALID'],
  },
];
