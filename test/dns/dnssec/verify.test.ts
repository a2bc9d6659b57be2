import t from 'tap';
import { decodeMessage } from '../../../src/dns/decode.ts';
import { NODE_CRYPTO } from '../../../src/dns/dnssec/node-crypto.ts';
import { rrsetsIn } from '../../../src/dns/dnssec/rrset.ts';
import { keysNamed, trustFrom } from '../../../src/dns/dnssec/trust.ts';
import { validateReply } from '../../../src/dns/dnssec/validate-reply.ts';
import { bogus, type Claim, NO_ZONE_FACTS } from '../../../src/dns/dnssec/verdict.ts';
import { verifyRrset } from '../../../src/dns/dnssec/verify.ts';
import { encodeMessage } from '../../../src/dns/encode.ts';
import { parseName, ROOT } from '../../../src/dns/name.ts';
import { encodeRdata } from '../../../src/dns/rdata/rdata.ts';
import { areObjects, type Records } from '../../../src/dns/record.ts';
import { SIGNED_EXAMPLES, type SignedExample } from './signed-examples.ts';
import { keyOf, NOW, recordLines, signingZone } from './signing.ts';
import { alias, keysIn, validationAt, verdictOn, verdictText } from './verdicts.ts';

const ZONE = signingZone('zone.test');
const OTHER = signingZone('other.test');
const A = 'www.zone.test. 300 A 192.0.2.1';

const ROWS: readonly (readonly [says: string, records: string, is: string])[] = [
  ['one good signature', ZONE.sign(A), 'verified'],
  [
    'records in another order, and one twice',
    `www.zone.test. 300 A 192.0.2.1\n${ZONE.sign('www.zone.test. 300 A 192.0.2.2\nwww.zone.test. 300 A 192.0.2.1')}`,
    'verified',
  ],
  ['an owner in capitals', ZONE.sign(A).replaceAll('www.zone', 'WWW.Zone'), 'verified'],
  [
    'names in data that compare without case',
    ZONE.sign('zone.test. 300 MX 1 mail.zone.test.').replace('mail.', 'MAIL.'),
    'verified',
  ],
  ['a TTL that has run down', ZONE.sign(A).replaceAll(' 300 A ', ' 7 A '), 'verified'],
  ['no signature', A, 'no-signature'],
  ['a signature of another type', `${A}\n${ZONE.sign('www.zone.test. 300 TXT "x"')}`, 'no-signature'],
  ['by another zone', OTHER.sign(A), 'wrong-signer'],
  ['by the parent', ZONE.sign(A, { signer: 'test' }), 'wrong-signer'],
  ['of records outside the zone', ZONE.sign('www.other.test. 300 A 192.0.2.1'), 'wrong-signer'],
  [
    'of an algorithm that nobody supports',
    ZONE.sign(A, { key: keyOf('zone.test', 12, 'old') }),
    'unsupported-algorithm',
  ],
  [
    'with a key that the zone does not have',
    ZONE.sign(A, { key: keyOf('zone.test', 13, 'new') }),
    'wrong-key',
  ],
  ['with a key of another algorithm', ZONE.sign(A, { key: keyOf('zone.test', 15, 'key') }), 'wrong-key'],
  ['that begins in a second', ZONE.sign(A, { inception: 1 }), 'not-yet-valid'],
  ['that begins now', ZONE.sign(A, { inception: 0 }), 'verified'],
  ['that ended a second ago', ZONE.sign(A, { expiration: -1 }), 'expired'],
  ['that ends now', ZONE.sign(A, { expiration: 0 }), 'verified'],
  [
    'with a spoilt octet',
    ZONE.sign(A, { spoil: ([first = 0, ...rest]) => Uint8Array.of(first ^ 1, ...rest) }),
    'bad-signature',
  ],
  ['over another address', ZONE.sign(A).replace('192.0.2.1', '192.0.2.9'), 'bad-signature'],
  [
    'with one record too few',
    ZONE.sign(`${A}\nwww.zone.test. 300 A 192.0.2.2`).replace(`${A}\n`, ''),
    'bad-signature',
  ],
  ['with one record too many', `www.zone.test. 300 A 192.0.2.2\n${ZONE.sign(A)}`, 'bad-signature'],
  ['of a wildcard', ZONE.sign(A, { wildcard: '*.zone.test' }), 'verified *.zone.test.'],
  [
    'of a wildcard two names up',
    ZONE.sign('a.b.zone.test. 300 A 192.0.2.1', { wildcard: '*.zone.test' }),
    'verified *.zone.test.',
  ],
  ['of a wildcard above the zone', ZONE.sign(A, { wildcard: '*.test' }), 'bad-signature'],
  ['of the wildcard itself', ZONE.sign('*.zone.test. 300 A 192.0.2.1'), 'verified'],
  [
    'an expired one beside a good one',
    ZONE.sign(A, { expiration: -1 }) + ZONE.sign(A).replace(A, ''),
    'verified',
  ],
  [
    'a wildcard’s beside its own',
    ZONE.sign(A, { wildcard: '*.zone.test' }) + ZONE.sign(A).replace(A, ''),
    'verified',
  ],
  [
    'of several failures the one that came furthest',
    ZONE.sign(A, { expiration: -1 }) + OTHER.sign(A).replace(A, ''),
    'expired',
  ],
];

t.test('signatures under the keys of their zone', async (t) => {
  for (const [says, text, is] of ROWS) t.equal(found(text), is, says);
});

function found(text: string): string {
  const records = recordLines(text);
  const owner = records[0]?.name ?? parseName('.');
  const rrset = rrsetsIn(records).find(owner, records[0]?.type ?? '');
  if (rrset === undefined) throw new Error('an RRset was read');
  const verified = verifyRrset(rrset, ZONE.keys, validationAt(NOW));
  if (verified.kind === 'bogus') return verified.reason;
  return verified.wildcard === undefined ? 'verified' : `verified ${verified.wildcard}`;
}

t.test('times are serial numbers', async (t) => {
  // In 2106 seconds begin at 0 again (RFC 4034 3.1.5).
  const around = 2 ** 32;
  const rows: readonly (readonly [says: string, inception: number, expiration: number, is: string])[] = [
    ['valid over the turn', -10, 10, 'verified'],
    ['expired before the turn', -10, -1, 'expired'],
    ['not valid until after it', 1, 10, 'not-yet-valid'],
  ];
  const now = Math.floor(Date.UTC(2025, 5, 1) / 1000);
  for (const [says, inception, expiration, is] of rows) {
    const text = ZONE.sign(A, {
      inception: ((around + inception) % around) - now,
      expiration: ((around + expiration) % around) - now,
    });
    const rrset = rrsetsIn(recordLines(text)).find(parseName('www.zone.test'), 'A');
    const validation = { ...validationAt(NOW), time: around };
    const verified = rrset && verifyRrset(rrset, ZONE.keys, validation);
    t.equal(verified?.kind === 'bogus' ? verified.reason : verified?.kind, is, says);
  }
});

for (const algorithm of [5, 7, 8, 10, 13, 14, 15, 16]) {
  t.test(`what algorithm ${algorithm} signs verifies`, async (t) => {
    const zone = signingZone('zone.test', algorithm);
    const [good, spoilt] = [zone.sign(A), zone.sign(A).replace('192.0.2.1', '192.0.2.9')].map((text) => {
      const rrset = rrsetsIn(recordLines(text)).find(parseName('www.zone.test'), 'A');
      return rrset && verifyRrset(rrset, zone.keys, validationAt(NOW)).kind;
    });
    t.same([good, spoilt], ['verified', 'bogus']);
  });
}

t.test('what the RFCs of each algorithm sign', async (t) => {
  for (const example of SIGNED_EXAMPLES) {
    t.same(
      verified(example),
      example.is === 'verified' ? { kind: 'verified' } : bogus(example.is),
      example.says,
    );
  }
});

t.test('nor does it verify once its data, its signature or its TTL is another', async (t) => {
  for (const example of SIGNED_EXAMPLES.filter(({ is }) => is === 'verified')) {
    for (const changed of spoilt(example))
      t.same(
        verified(changed),
        bogus(changed.is === 'verified' ? 'bad-signature' : changed.is),
        changed.says,
      );
  }
});

t.test('the DS records that they give for the keys', async (t) => {
  const withDs = SIGNED_EXAMPLES.filter(({ ds }) => ds !== undefined);
  t.ok(withDs.length >= 4, 'there are some');
  for (const { says, key, ds = '' } of withDs) {
    const { zone, keys } = keysIn(zoneOf(key), key);
    const trust = trustFrom(recordLines(ds));
    const [only] = keys;
    t.same(trust.kind === 'secure' && keysNamed(trust, zone, keys, NODE_CRYPTO.digest), [only], says);
    const [tag = ''] = recordLines(ds).map(({ data }) => data.split(' ')[0]);
    t.equal(only?.tag, Number(tag), `${says}: key tag`);
  }
});

function verified({ key, rrset, moment }: SignedExample) {
  const records = recordLines(rrset);
  const [first] = records;
  const signed = first && rrsetsIn(records).find(first.name, first.type);
  if (signed === undefined) throw new Error('an RRset was read');
  return verifyRrset(signed, keysIn(zoneOf(key), key), validationAt(moment));
}

function zoneOf(key: string): string {
  return recordLines(key)[0]?.name ?? '.';
}

/** The same with other data, another signature, another original TTL. */
function* spoilt(example: SignedExample): Generator<SignedExample> {
  const { says, rrset } = example;
  yield {
    ...example,
    says: `${says}, a digit more`,
    rrset: rrset.replace('192.0.2.', '192.0.3.').replace(' MX 10 ', ' MX 11 '),
  };
  yield { ...example, says: `${says}, the signature cut off`, rrset: rrset.replace(/\S{4}\s*$/, '') };
  yield {
    ...example,
    says: `${says}, another TTL`,
    rrset: rrset.replace(/(RRSIG \S+ \d+ \d+) 3600/, '$1 3601'),
  };
}

const ODD_ZONE = signingZone('zone.test');
const answer: Claim = { kind: 'answer' };
const octets = (length: number, octet = 1) => new Uint8Array(length).fill(octet);

const KEYS: readonly (readonly [says: string, algorithm: number, key: Uint8Array])[] = [
  ['an algorithm that is not supported', 12, octets(64)],
  ['no RSA key at all', 8, octets(0)],
  ['an exponent without a length', 8, Uint8Array.of(0)],
  ['an exponent that needs a long length', 8, Uint8Array.of(0, 1, 0, ...octets(256), ...octets(128))],
  ['an exponent of nine octets', 8, Uint8Array.of(9, ...octets(9), ...octets(128))],
  ['an exponent with a leading zero', 8, Uint8Array.of(2, 0, 3, ...octets(128))],
  ['a modulus with a leading zero', 8, Uint8Array.of(1, 3, 0, ...octets(128))],
  ['a modulus of 4104 bits', 8, Uint8Array.of(1, 3, ...octets(513))],
  ['no modulus', 8, Uint8Array.of(1, 3)],
  ['half a point', 13, octets(32)],
  ['a point that is not on the curve', 13, octets(64)],
  ['a point of another curve', 14, octets(64)],
  ['an Edwards key that is too short', 15, octets(31)],
  ['an Edwards key of another curve', 16, octets(32)],
];

t.test('keys that are none verify nothing', async (t) => {
  for (const [says, algorithm, key] of KEYS)
    t.notOk(NODE_CRYPTO.verify(algorithm, key, octets(1), octets(64)), says);
});

t.test('signatures of the wrong length verify nothing', async (t) => {
  for (const algorithm of [5, 8, 13, 14, 15, 16]) {
    const [key] = signingZone('zone.test', algorithm).keys.keys;
    for (const length of [0, 1, 63, 65, 600])
      t.notOk(
        key && NODE_CRYPTO.verify(algorithm, key.publicKey, octets(1), octets(length)),
        `${algorithm}: ${length}`,
      );
  }
});

t.test('what a saved file says is no data, and nobody signed it', async (t) => {
  const name = parseName('www.zone.test');
  const [record, signature] = recordLines(ODD_ZONE.sign('www.zone.test. 300 A 192.0.2.1'));
  if (record === undefined || signature === undefined) throw new Error('records were read');
  const verdictOn = (records: Records) => {
    const reply = { question: { name, type: 'A' }, claim: answer, answer: records, authority: [] };
    return verdictText(validateReply(reply, ODD_ZONE.keys, NO_ZONE_FACTS, validationAt(NOW)));
  };
  t.equal(verdictOn([record, signature]), 'secure');
  t.equal(verdictOn([{ ...record, data: '192.0.2' }, signature]), 'bogus bad-signature');
  t.equal(verdictOn([record, { ...record, data: 'a..b' }, signature]), 'bogus bad-signature');
  t.equal(verdictOn([record, { ...signature, data: 'A 13 3' }]), 'needs cut www.zone.test.');
  t.equal(trustFrom([{ type: 'DS', data: 'a..b' }]).kind, 'insecure');
});

t.test('a claim without the records that it rests on is bogus', async (t) => {
  const validation = validationAt(NOW);
  const question = 'zone.test A';
  t.equal(
    verdictText(verdictOn(question, { claim: answer }, ODD_ZONE.keys, validation)),
    'bogus no-signature',
  );
  const aliased = alias('', 'zone.test', 'x.test');
  t.equal(verdictText(verdictOn(question, aliased, ODD_ZONE.keys, validation)), 'bogus no-signature');
});

t.test('large replies, which are kept as octets, are judged like others', async (t) => {
  const sections = Array.from({ length: 6 }, (_, n) => large(`host${n}.zone.test`));
  const validation = validationAt(NOW);
  for (const [n, records] of [...sections, ...sections].entries()) {
    t.notOk(areObjects(records), 'it is kept as octets');
    const name = parseName(`host${n % sections.length}.zone.test`);
    const rrset = rrsetsIn(records).find(name, 'A');
    t.match(rrset && verifyRrset(rrset, ODD_ZONE.keys, validation), { kind: 'verified' }, name);
  }
  t.equal(validation.checks.found.size, sections.length, 'each signature is checked once');
});

/** An answer of a hundred addresses, signed, as it is read from the wire. */
function large(owner: string): Records {
  const addresses = Array.from({ length: 100 }, (_, n) => `${owner}. 300 A 192.0.2.${n}`);
  const records = recordLines(ODD_ZONE.sign(addresses.join('\n')));
  const encodable = records.map(({ name, type, ttl, data }) => ({
    name,
    type,
    ttl,
    rdata: encodeRdata(type, data, ROOT),
  }));
  const message = {
    id: 1,
    flags: ['qr'],
    rcode: 'NOERROR',
    questions: [],
    answer: encodable,
    authority: [],
    additional: [],
  } as const;
  return decodeMessage(encodeMessage(message)).answer;
}
