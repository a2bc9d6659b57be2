import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import t from 'tap';
import { BROWSER_CRYPTO } from '../../../src/page/what-if/browser-crypto.ts';
import { NODE_CRYPTO } from '../../../src/validate/node-crypto.ts';

const DATA = Buffer.from('what was signed');

/** A key of each algorithm as DNSKEY records have it, and what it signed. */
const ROWS: readonly (readonly [algorithm: number, digest: string | null, key: () => Pair])[] = [
  [5, 'sha1', rsa],
  [7, 'sha1', rsa],
  [8, 'sha256', rsa],
  [10, 'sha512', rsa],
  [13, 'sha256', () => ec('P-256')],
  [14, 'sha384', () => ec('P-384')],
  [15, null, () => edwards('ed25519')],
  [16, null, () => edwards('ed448')],
];

interface Pair {
  readonly privateKey: KeyObject;
  readonly octets: Uint8Array;
}

function rsa(): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const [exponent, modulus] = [Buffer.from(e, 'base64url'), Buffer.from(n, 'base64url')];
  return { privateKey, octets: Buffer.concat([Buffer.of(exponent.length), exponent, modulus]) };
}

function ec(namedCurve: string): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { privateKey, octets: Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]) };
}

function edwards(curve: 'ed25519' | 'ed448'): Pair {
  // TypeScript knows each of them by itself only.
  const { privateKey, publicKey } =
    curve === 'ed448' ? generateKeyPairSync('ed448') : generateKeyPairSync('ed25519');
  return { privateKey, octets: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url') };
}

for (const [algorithm, digest, make] of ROWS) {
  t.test(`algorithm ${algorithm}: browsers verify what Node does, and nothing else`, async (t) => {
    const { privateKey, octets } = make();
    const signature = sign(digest, DATA, { key: privateKey, dsaEncoding: 'ieee-p1363' });
    const changed = (all: Uint8Array) =>
      Uint8Array.from(all, (one, at) => (at === all.length - 3 ? one ^ 4 : one));
    const rows: readonly (readonly [string, Uint8Array, Uint8Array, Uint8Array, boolean])[] = [
      ['what was signed', octets, DATA, signature, true],
      ['other data', octets, changed(DATA), signature, false],
      ['another signature', octets, DATA, changed(signature), false],
      ['another key', changed(octets), DATA, signature, false],
      ['a signature cut short', octets, DATA, signature.subarray(1), false],
      ['no signature', octets, DATA, new Uint8Array(), false],
      ['a key cut short', octets.subarray(0, -1), DATA, signature, false],
      ['no key', new Uint8Array(), DATA, signature, false],
    ];
    for (const [what, key, data, made, verifies] of rows) {
      t.equal(BROWSER_CRYPTO.verify(algorithm, key, data, made), verifies, what);
      t.equal(NODE_CRYPTO.verify(algorithm, key, data, made), verifies, `${what}, Node`);
    }
  });
}

t.test('algorithms that nobody supports verify nothing', async (t) => {
  for (const algorithm of [0, 1, 3, 6, 12, 17, 255])
    t.notOk(BROWSER_CRYPTO.verify(algorithm, new Uint8Array(64), DATA, new Uint8Array(64)), `${algorithm}`);
});

t.test('digests', async (t) => {
  for (const kind of ['sha1', 'sha256', 'sha384'] as const)
    t.same(Buffer.from(BROWSER_CRYPTO.digest(kind, DATA)), NODE_CRYPTO.digest(kind, DATA), kind);
});

t.test('RSA keys that make anything a signature verify nothing', async (t) => {
  const modulus = Buffer.alloc(128, 0xee);
  const padded = Buffer.concat([Buffer.of(0, 1), Buffer.alloc(125, 0xff), Buffer.of(0)]);
  for (const exponent of [1, 2]) {
    const key = Buffer.concat([Buffer.of(1, exponent), modulus]);
    t.notOk(BROWSER_CRYPTO.verify(8, key, DATA, padded), `exponent ${exponent}`);
    t.notOk(NODE_CRYPTO.verify(8, key, DATA, padded), `exponent ${exponent}, Node`);
  }
});
