import t from 'tap';
import type { Claim } from '../../src/validate/claim.ts';
import { judgeReply } from '../../src/validate/judge-reply.ts';
import { NOTHING_KNOWN } from '../../src/validate/knowledge.ts';
import { NODE_CRYPTO } from '../../src/validate/node-crypto.ts';
import { rrsetsIn } from '../../src/validate/rrset.ts';
import { trustFrom } from '../../src/validate/trust.ts';
import { verifyRrset } from '../../src/validate/verify-rrset.ts';
import { decodeMessage } from '../../src/wire/decode.ts';
import { encodeMessage } from '../../src/wire/encode.ts';
import { parseName, ROOT } from '../../src/wire/name.ts';
import { encodeRdata } from '../../src/wire/rdata/rdata.ts';
import { areObjects, type Records } from '../../src/wire/records.ts';
import { judged, validationAt, verdictText } from './judged.ts';
import { recordLines } from './record-lines.ts';
import { NOW, signingZone } from './signing.ts';

const ZONE = signingZone('zone.test');
const answer: Claim = { kind: 'answer', links: [] };
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
  const [record, signature] = recordLines(ZONE.sign('www.zone.test. 300 A 192.0.2.1'));
  if (record === undefined || signature === undefined) throw new Error('records were read');
  const verdictOn = (records: Records) => {
    const reply = { question: { name, type: 'A' }, claim: answer, answer: records, authority: [] };
    return verdictText(judgeReply(reply, ZONE.keys, NOTHING_KNOWN, validationAt(NOW)));
  };
  t.equal(verdictOn([record, signature]), 'secure');
  t.equal(verdictOn([{ ...record, data: '192.0.2' }, signature]), 'bogus bad-signature');
  t.equal(verdictOn([record, { ...record, data: 'a..b' }, signature]), 'bogus bad-signature');
  t.equal(verdictOn([record, { ...signature, data: 'A 13 3' }]), 'needs cut www.zone.test.');
  t.equal(trustFrom([{ type: 'DS', data: 'a..b' }]).kind, 'insecure');
});

t.test('a claim without the records that it rests on is bogus', async (t) => {
  const validation = validationAt(NOW);
  const question = { name: 'zone.test', type: 'A' };
  t.equal(verdictText(judged({ ...question, claim: answer }, ZONE.keys, validation)), 'bogus no-signature');
  const links = [{ owner: parseName('zone.test'), target: parseName('x.test') }];
  t.equal(
    verdictText(judged({ ...question, claim: { kind: 'alias', links } }, ZONE.keys, validation)),
    'bogus no-signature',
  );
});

t.test('large replies, which are kept as octets, are judged like others', async (t) => {
  const sections = Array.from({ length: 6 }, (_, n) => large(`host${n}.zone.test`));
  const validation = validationAt(NOW);
  for (const [n, records] of [...sections, ...sections].entries()) {
    t.notOk(areObjects(records), 'it is kept as octets');
    const name = parseName(`host${n % sections.length}.zone.test`);
    const rrset = rrsetsIn(records).find(name, 'A');
    t.match(rrset && verifyRrset(rrset, ZONE.keys, validation), { kind: 'verified' }, name);
  }
  t.equal(validation.checks.made, sections.length, 'each signature is checked once');
});

/** An answer of a hundred addresses, signed, as it is read from the wire. */
function large(owner: string): Records {
  const addresses = Array.from({ length: 100 }, (_, n) => `${owner}. 300 A 192.0.2.${n}`);
  const records = recordLines(ZONE.sign(addresses.join('\n')));
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
