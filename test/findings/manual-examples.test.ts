/** The examples in svc-findings(7), word for word. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { NODE_CRYPTO } from '../../src/dns/dnssec/node-crypto.ts';
import { nameHasher } from '../../src/dns/dnssec/nsec3.ts';
import { parseTrustAnchors } from '../../src/dns/dnssec/trust-anchors.ts';
import { parseName } from '../../src/dns/name.ts';
import type { ResourceRecord } from '../../src/dns/record.ts';
import { demoWorld } from '../../src/lab/demo-world.ts';
import type { Fault } from '../../src/lab/faults.ts';
import type { ZoneSigning } from '../../src/lab/signing/zone-signing.ts';
import { trustAnchorOf, type World } from '../../src/lab/world.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { demoResult } from '../lab/demo-result.ts';
import { labExchange } from '../lab/lab-exchange.ts';
import { type FindingsWorld, type Saying, traverseWorld } from './world.ts';
import { TIME, without } from './zone-worlds.ts';

const HOSTS = [
  ...['shop.example. NS ns1.shop.example.', 'shop.example. NS ns2.shop.example.'],
  ...['ns1.shop.example. A 192.0.2.1', 'ns2.shop.example. A 192.0.2.2'],
];
const ROOT = ['. NS r1.', 'r1. A 192.0.2.251', ...HOSTS];
const WWW = 'www.shop.example. A 192.0.2.80';

/** How shop.example and its second server differ from what they should be. */
interface Shop extends Pick<FindingsWorld, 'ask'> {
  readonly more?: readonly string[];
  readonly signing?: ZoneSigning;
  readonly faults?: readonly Fault[];
  /** The second server leaves out the NSEC or NSEC3 record of this name. */
  readonly lost?: string;
  /** By "name type": what the second server says instead. */
  readonly says?: Readonly<Record<string, Saying>>;
}

/** shop.example below the root, with two servers. */
function shop(row: Shop): FindingsWorld {
  const { ask = 'zoo.shop.example. A', more = [], signing = {}, faults = [], lost, says = {} } = row;
  const zones = [zoneText('shop.example.', [...HOSTS, WWW, ...more].join('\n'))];
  const lab: World = {
    servers: [
      { name: 'r1.', addresses: ['192.0.2.251'], zones: [zoneText('.', ROOT.join('\n'))] },
      { name: 'ns1.shop.example.', addresses: ['192.0.2.1'], zones },
      { name: 'ns2.shop.example.', addresses: ['192.0.2.2'], zones, faults },
    ],
    signed: { '.': {}, 'shop.example.': signing },
  };
  const exchange = labExchange(lab);
  const everyone = lab.servers.flatMap(({ addresses }) => addresses.map((address) => `${address} *`));
  const world: FindingsWorld = {
    ask,
    roots: 'r1.=192.0.2.251',
    says: {
      ...Object.fromEntries(everyone.map((row) => [row, exchange])),
      ...Object.fromEntries(Object.entries(says).map(([row, saying]) => [`192.0.2.2 ${row}`, saying])),
    },
    options: {
      families: [4],
      views: ['validating'],
      trustAnchors: parseTrustAnchors(trustAnchorOf(lab)),
      at: new Date(TIME * 1000).toISOString(),
    },
  };
  const owners = lost === undefined ? [] : [lost, `${hashOf(lost)}.shop.example.`];
  const isOfProof = ({ type, data }: ResourceRecord) => type.startsWith('NSEC') || data.startsWith('NSEC');
  return without(world, ['192.0.2.2'], (record) => owners.includes(record.name) && isOfProof(record));
}

/** As the lab hashes names where nothing else is said. */
const hashOf = (name: string) =>
  nameHasher({ iterations: 0, salt: '-' }, NODE_CRYPTO.digest)(parseName(name));

const HASHED: ZoneSigning = { denial: { kind: 'nsec3' } };
const OMITS: readonly Fault[] = [{ kind: 'omits-proof' }];
const WRONG: readonly Fault[] = [{ kind: 'wrong-proof' }];
const CUT = ['sub.shop.example. NS ns1.shop.example.'];

/** Denies the records of a name with the proof that there is no such name. */
const deniesRecords: Saying = (query) => {
  const zones = [zoneText('shop.example.', [...HOSTS, WWW].join('\n'))];
  const server = { name: 'ns2.shop.example.', addresses: ['192.0.2.2'], zones };
  const heard = labExchange({ servers: [server], signed: { 'shop.example.': HASHED } })(query);
  if (heard.outcome.kind !== 'reply') throw new Error('the lab replies');
  return { ...heard, outcome: { ...heard.outcome, rcode: 'NOERROR' } };
};

/** By the name of each example. */
const DENIAL_BROKEN: Readonly<Record<string, Shop>> = {
  Example: { lost: 'shop.example.' },
  'the name does not exist': { lost: 'www.shop.example.' },
  'the closest encloser': { signing: HASHED, lost: 'shop.example.' },
  'the type': { ask: 'www.shop.example. MX', faults: WRONG },
  'the answer from a wildcard': { more: ['*.shop.example. A 192.0.2.81'], faults: OMITS },
  'the opt-out': {
    ask: 'www.sub.shop.example. A',
    more: CUT,
    signing: HASHED,
    faults: OMITS,
    says: { 'sub.shop.example. DS': deniesRecords },
  },
  'the referral': { ask: 'www.sub.shop.example. A', more: CUT, faults: OMITS },
};

/** The examples of a code by name, as text; "..." stands for the rest of a sentence. */
function examplesOf(code: string): ReadonlyMap<string, readonly string[]> {
  const page = readFileSync(new URL('../../man/svc-findings.7', import.meta.url), 'utf8');
  const [, after = ''] = page.split(`.It Sy ${code} `);
  const [own = ''] = after.split(/^\.It Sy /m);
  const items = own.split(/^\.It (?=Example|the )/m).slice(1);
  return new Map(
    items.map((item) => {
      const [name = '', ...lines] = item.split('\n');
      const end = lines.findIndex((line) => line.startsWith('.'));
      const text = lines.slice(0, end).join(' ').replaceAll('\\e', '\\');
      return [name, text.split(' ...').map((part) => part.trim())];
    }),
  );
}

t.test('svc-findings(7) quotes what is found in the demo', async (t) => {
  const dnssec = {
    views: ['validating'],
    trustAnchors: parseTrustAnchors(trustAnchorOf(demoWorld())),
    at: '2026-11-24T00:00:00.000Z',
  } as const;
  for (const [name, code] of [
    ['www.lost-key.example', 'DS_NO_MATCH'],
    ['www.new-key.example', 'KEY_ROLLOVER'],
  ] as const) {
    const { findings } = await demoResult(name, 'A', dnssec);
    const found = findings.find((one) => one.code === code);
    const message = `${found?.message} ${found?.advice}`;
    const [example = ''] = examplesOf(code).get('Example') ?? [];
    t.ok(example !== '' && message.includes(example), `${message} has ${example}`);
  }
});

t.test('svc-findings(7) quotes what DENIAL_BROKEN says', async (t) => {
  const examples = examplesOf('DENIAL_BROKEN');
  t.same([...examples.keys()], Object.keys(DENIAL_BROKEN));
  for (const [name, world] of Object.entries(DENIAL_BROKEN)) {
    const { findings } = await traverseWorld(shop(world));
    const messages = findings.flatMap(({ code, message, advice }) =>
      code === 'DENIAL_BROKEN' ? [`${message} ${advice}`] : [],
    );
    t.equal(messages.length, 1, name);
    for (const part of examples.get(name) ?? []) t.ok(messages[0]?.includes(part), `${name}: ${messages[0]}`);
  }
});
