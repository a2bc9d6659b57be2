import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import t from 'tap';
import { NODE_CRYPTO } from '../../src/dns/dnssec/node-crypto.ts';
import { parseName } from '../../src/dns/name.ts';
import { readResult } from '../../src/document/read-result.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { type ServerOrAddress, serverText } from '../../src/evaluate/world.ts';
import { BROWSER_CRYPTO, withBrowserCrypto } from '../../src/page/model/browser-crypto.ts';
import {
  NOTHING_OFF,
  type OffChoice,
  toggled,
  whatIfOf,
  whyNotPossible,
} from '../../src/page/model/switched-off.ts';
import { replayWhatIf } from '../../src/traversal/replay.ts';
import { inside } from '../cli/inside.ts';

const NS = server('ns.mixed.example');
const HARBOUR = server('ns1.harbour.example');
const ADDRESS: ServerOrAddress = { kind: 'address', address: '198.51.100.82' };

t.test('servers are switched off and on', async (t) => {
  const rows: readonly (readonly [
    title: string,
    toggles: readonly ServerOrAddress[],
    off: readonly string[],
  ])[] = [
    ['nothing at first', [], []],
    ['one', [NS], ['ns.mixed.example.']],
    ['one, and on again', [NS, NS], []],
    [
      'in the order in which they were',
      [HARBOUR, NS, ADDRESS],
      ['ns1.harbour.example.', 'ns.mixed.example.', '198.51.100.82'],
    ],
    ['one of several on again', [HARBOUR, NS, HARBOUR], ['ns.mixed.example.']],
  ];
  for (const [title, toggles, off] of rows) {
    const choice = toggles.reduce(toggled, NOTHING_OFF);
    t.same(choice.off.map(serverText), off, title);
  }
  t.equal(whatIfOf(NOTHING_OFF), undefined, 'without any there is nothing to imagine');
});

t.test('the page imagines what the command line does, to the last digit', async (t) => {
  const rows: readonly (readonly [name: string, flags: readonly string[], choice: OffChoice])[] = [
    ['www.mixed.example', ['--down', 'ns.mixed.example'], { mode: 'down', off: [NS] }],
    ['www.mixed.example', ['--without', 'ns.mixed.example'], { mode: 'without', off: [NS] }],
    [
      'www.mixed.example',
      ['--down', '198.51.100.82', '--down', 'ns1.harbour.example'],
      { mode: 'down', off: [ADDRESS, HARBOUR] },
    ],
    [
      'www.expired.example',
      ['--views', 'validating', '--down', 'ns1.harbour.example'],
      { mode: 'down', off: [HARBOUR] },
    ],
  ];
  for (const [name, flags, choice] of rows) {
    const recorded = await traversed(flags.includes('--views') ? [name, '--views', 'validating'] : [name]);
    const there = await traversed([name, ...flags]);
    const here = imagined(recorded, choice);
    if (here.kind !== 'imagined') throw new Error(here.kind);
    const {
      views: {
        'first-tries': { outcomes },
        resolver,
        validating,
      },
      whatIf,
      recorded: before,
    } = here.result;
    t.same(
      [outcomes, resolver, validating?.outcomes, whatIf],
      [
        there.views['first-tries'].outcomes,
        there.views.resolver,
        there.views.validating?.outcomes,
        there.whatIf,
      ],
      flags.join(' '),
    );
    t.same(before?.views['first-tries'], recorded.views['first-tries'], 'and what it was');
  }
});

t.test('what cannot be imagined is said in words', async (t) => {
  const recorded = await traversed(['www.stale.example']);
  const servers = [
    ...new Set(
      recorded.steps
        .filter(({ zone }) => zone === 'stale.example.')
        .flatMap(({ nameservers }) => nameservers.map(({ name }) => name)),
    ),
  ];
  const rows: readonly (readonly [choice: OffChoice, words: string])[] = [
    [
      { mode: 'without', off: servers.map((name) => ({ kind: 'server', name })) },
      'That would leave stale.example without a name server. Switch one of them on again.',
    ],
    [{ mode: 'down', off: [server('ns.elsewhere.example')] }, 'No path comes to ns.elsewhere.example.'],
  ];
  for (const [choice, words] of rows) {
    const came = imagined(recorded, choice);
    t.equal(came.kind === 'imagined' ? '' : whyNotPossible(came), words);
  }
});

function server(name: string): ServerOrAddress {
  return { kind: 'server', name: parseName(name) };
}

async function traversed(args: readonly string[]): Promise<TraversalResult> {
  const { stdout } = await inside(['traverse', '--demo', '--json', '--full', ...args]);
  return JSON.parse(stdout);
}

function imagined(recorded: TraversalResult, choice: OffChoice) {
  const whatIf = whatIfOf(choice);
  if (whatIf === undefined) throw new Error('nothing is imagined');
  return replayWhatIf(withBrowserCrypto(readResult(recorded)), whatIf);
}

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
