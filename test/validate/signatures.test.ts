import t from 'tap';
import { rrsetsIn } from '../../src/validate/rrset.ts';
import { verifyRrset } from '../../src/validate/verify-rrset.ts';
import { parseName } from '../../src/wire/name.ts';
import { validationAt } from './judged.ts';
import { recordLines } from './record-lines.ts';
import { keyOf, NOW, signingZone } from './signing.ts';

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
