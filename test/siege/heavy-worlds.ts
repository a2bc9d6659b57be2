import { createHash } from 'node:crypto';
import { getOrMake } from '../../src/base/memo.ts';
import type { EncodableRecord } from '../../src/dns/encode.ts';
import type { AskedQuestion } from '../../src/dns/message.ts';
import { type Name, parseName } from '../../src/dns/name.ts';
import { recordLines, type SigningZone, signingZone } from '../dns/dnssec/signing.ts';
import {
  doublingChains,
  endlessAliases,
  hostileAddress,
  manyNames,
  record,
  type Said,
  type Says,
  tinyRecords,
} from './hostile-servers.ts';

/** Servers whose replies are much work, and a name to ask them for. */
interface HeavyWorld {
  readonly what: string;
  readonly name: string;
  /** The addresses of the servers: so many, from the first of this block on. */
  readonly block: number;
  readonly count: number;
  /** Makes what they say, which may take a while. */
  readonly says: () => Says;
  /** The trust anchor of the root; absent: it is not signed. */
  readonly anchor?: string;
}

const labels = (count: number) => Array.from({ length: count }, (_, at) => `l${at}`).join('.');

/** The worlds of the siege with heavy replies. */
export const HEAVY_WORLDS: readonly HeavyWorld[] = [
  { what: 'chains that double', name: labels(24), block: 41, count: 60, says: () => doublingChains(41, 60) },
  { what: '2,500 aliases a reply', name: 'e0', block: 42, count: 4, says: () => endlessAliases(2_500) },
  { what: 'tiny records', name: 'www.tiny', block: 43, count: 250, says: () => tinyRecords(43, 250) },
  {
    what: '1,500 names for two addresses',
    name: labels(8),
    block: 44,
    count: 20,
    says: () => manyNames(44, 1_500),
  },
];

/** ECDSA P-384: of the algorithms that count, it takes longest to check. */
const SLOWEST = 14;

/** As many servers as an honest zone may have, each with as many addresses. */
const NAMES = 13;

const ADDRESSES = 13;

const signedLabels = (count: number) =>
  Array.from({ length: count }, (_, at) => String.fromCharCode(97 + (at % 26))).join('.');

/** Four keys of one tag: of 6,600 keys that were made at random, so many are alike. */
const ALIKE = [
  'B760MqdY0L33PTw6T6X4/TenlcprKD3Wogy/Ko8H2RCOLd57k8TEGAVppZFgg2ZlZsExI+Yd6KolX2yEaHfNsDkodl7yC5CCF031UJKV+HuGU33CPJAjyMB/gRGxlCS9',
  'mjCVIg2VGLeEPA3D68hQFBs6JNR3HgfMHzzyRqTnMC7OnDjCI7WC8aap6eH47egJ/NUm7beOx98/uDwQ4iqmeqRi4LY6pTvih7YjB0FT+YMPC58cCMxScCqZMtHWQOyg',
  'ETOSeGPyTynZZnXpRNDscnqkTWqyGTQYDYNGtg7+EsIIaVRoSOWKdnj7Vivwu8SdbnkiywTsCvvo1h28ZVtkACz8+rWa4MzLSesu1pArz5bVCPiJ+OaUzI8KhHfMV9a8',
  'e2HlsK7HfSw77crAIfMXck6NAVqweLbBbGREqMKTOORWpKZxBVWcTBtEd6BTvfSgehXfSMznYu318/NBFmYYmUJ9BcIxPKUAuZgxMkJ1HpzygA8gfjIbyJClEeZia0QO',
];

const ALIKE_LINES = ALIKE.map((key) => `z. 3600 DNSKEY 256 3 ${SLOWEST} ${key}`);

const TAG = 40746;

const SOA = 'z. 60 SOA ns0.z. h.z. 1 3600 600 86400 60';

/** Worlds whose root is honest, and one zone z. below it is not. */
const SIGNED_WORLDS: readonly HeavyWorld[] = [
  signedWorld('many keys of one tag, signatures that fail', 'www.z', 51, trap),
  signedWorld('other keys at each server', 'www.z', 53, otherKeys),
  signedWorld('150 iterations of NSEC3, 100 labels', `${signedLabels(100)}.z`, 55, iterated),
  signedWorld('100 labels without signatures', `${signedLabels(100)}.z`, 57, unsigned),
  signedWorld('600 signatures of each RRset', 'www.z', 61, manySignatures),
  signedWorld('1,500 DS records', 'www.z', 63, trap),
  signedWorld('500 NSEC3 records', 'no.z', 65, manyHashes),
];

/** Those, and signed ones. */
export const ALL_WORLDS: readonly HeavyWorld[] = [...HEAVY_WORLDS, ...SIGNED_WORLDS];

/** The world, by its place in the list of all. */
export function heavyWorld(at: number): HeavyWorld {
  const world = ALL_WORLDS[at];
  if (world === undefined) throw new Error(`there is no world ${at}`);
  return world;
}

/** What the zone's servers say to each question. */
type Replies = (question: AskedQuestion, address: string) => Said;

type Zone = (zone: SigningZone) => Replies;

function signedWorld(what: string, name: string, block: number, zone: Zone): HeavyWorld {
  const root = signingZone('.');
  const child = signingZone('z', SLOWEST);
  const count = 1 + NAMES * ADDRESSES;
  const names = Array.from({ length: NAMES }, (_, at) => `ns${at}.z.`);
  const glue = names.flatMap((server, at) =>
    Array.from({ length: ADDRESSES }, (_, n) =>
      record(server, 'A', hostileAddress(block, 2 + at * ADDRESSES + n)),
    ),
  );
  const ds = what.includes('DS records')
    ? [
        child.ds,
        ...Array.from({ length: 1_200 }, (_, at) => child.ds.replace(/ \S+$/, ` ${hash(`${at}`)}`)),
      ].join('\n')
    : child.ds;
  const referral: Said = {
    authority: [...names.map((server) => record('z.', 'NS', server)), ...lines(root.sign(ds))],
    additional: glue,
  };
  const keys = lines(root.sign(root.dnskey));
  return {
    what,
    name,
    block,
    count,
    anchor: root.ds,
    says: () => {
      const says = zone(child);
      const said = new Map<string, Said>();
      return (question, address) => {
        if (address !== hostileAddress(block, 1))
          return getOrMake(said, `${address} ${question.name} ${question.type}`, () =>
            says(question, address),
          );
        return question.name === '.' ? { answer: question.type === 'DNSKEY' ? keys : [] } : referral;
      };
    },
  };
}

function lines(text: string): readonly EncodableRecord[] {
  return recordLines(text).map(({ name, type, ttl, data }) => ({ ...record(name, type, data), ttl }));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Signatures of an RRset, all of one tag, that nobody made. */
function falseSignatures(
  name: string,
  type: string,
  seed: string,
  count: number,
): readonly EncodableRecord[] {
  return Array.from({ length: count }, (_, at) => {
    const octets = Buffer.concat(
      [hash(`${seed} ${at}`), hash(`${seed} ${at} b`)].map((hex) => Buffer.from(hex, 'hex')),
    );
    const signature = Buffer.concat([octets, Buffer.alloc(32, 7)]).toString('base64');
    const depth = parseName(name).split('.').length - 1;
    return record(
      name,
      'RRSIG',
      `${type} ${SLOWEST} ${depth} 60 20260101000000 20250101000000 ${TAG} z. ${signature}`,
    );
  });
}

function trap(zone: SigningZone): Replies {
  const set = [zone.dnskey, ...ALIKE_LINES].join('\n');
  const answer = lines(zone.sign(set));
  return (question, address) => {
    if (question.type === 'DNSKEY') return { answer };
    return {
      answer: [
        record(question.name, 'A', '203.0.113.1'),
        ...falseSignatures(question.name, 'A', address, 8),
        record('x.z.', 'A', '203.0.113.1'),
        record(question.name, 'TXT', `"${address}"`),
      ],
      authority: ['NSEC', 'NSEC3'].flatMap((type) =>
        Array.from({ length: 8 }, (_, at) => `n${at}.z.`).flatMap((name) => [
          record(name, type, type === 'NSEC' ? 'x.z. A' : '1 0 0 - vs'),
          ...falseSignatures(name, type, address, 8),
        ]),
      ),
    };
  };
}

/** Denies what it is asked, with the same false signatures. */
function otherKeys(zone: SigningZone): Replies {
  return (question, address) => {
    const own = signingZone('z', 13, address);
    if (question.type === 'DNSKEY')
      return {
        answer: lines(zone.sign([zone.dnskey, own.dnskey, ...ALIKE_LINES].join('\n'))),
      };
    return {
      answer: [record(question.name, 'A', '203.0.113.1'), ...falseSignatures(question.name, 'A', address, 8)],
    };
  };
}

/** The whole zone is one NSEC3 record, which fits nothing; its salt is another one at each server. */
function iterated(zone: SigningZone): Replies {
  const keys = lines(zone.sign(zone.dnskey));
  return (question, address) => {
    if (question.name === 'z.' && question.type === 'DNSKEY') return { answer: keys };
    const salt = hash(address).repeat(7);
    const hashes = Array.from({ length: 2 }, (_, at) => `${'0'.repeat(31)}${at}`);
    return {
      rcode: 'NXDOMAIN',
      authority: [
        ...lines(zone.sign(SOA)),
        ...hashes.flatMap((one) => lines(zone.sign(`${one}.z. 60 NSEC3 1 0 150 ${salt} ${one}`))),
      ],
    };
  };
}

function unsigned(zone: SigningZone): Replies {
  const keys = lines(zone.sign(zone.dnskey));
  const soa = lines(zone.sign(SOA));
  const next = (name: Name) => (name.length < 200 ? `\\000.${name}` : 'z.');
  const made = new Map<string, Said>();
  const cut = (name: Name): Said => ({ answer: lines(zone.sign(`${name} 60 DS 1 13 2 ${hash('x')}`)) });
  const none = (name: Name): Said => ({
    authority: [...soa, ...lines(zone.sign(`${name} 60 NSEC ${next(name)} A RRSIG NSEC`))],
  });
  return ({ name, type }, address) => {
    if (name === 'z.' && type === 'DNSKEY') return { answer: keys };
    if (type !== 'DS') return { answer: [record(name, 'A', '203.0.113.1')] };
    // Of two kinds of servers one says that there is a zone, and one that there is none.
    const isOdd = Number(address.split('.').at(-1)) % 2 === 1;
    return getOrMake(made, `${name} ${isOdd}`, () => (isOdd ? cut(name) : none(name)));
  };
}

function manySignatures(zone: SigningZone): Replies {
  const set = lines(zone.sign([zone.dnskey, ...ALIKE_LINES].join('\n')));
  return (question: AskedQuestion, address) => {
    if (question.type === 'DNSKEY')
      return { answer: [...set, ...falseSignatures('z.', 'DNSKEY', address, 400)] };
    return {
      answer: [
        record(question.name, 'A', '203.0.113.1'),
        ...falseSignatures(question.name, 'A', address, 450),
      ],
    };
  };
}

function manyHashes(zone: SigningZone): Replies {
  const keys = lines(zone.sign(zone.dnskey));
  const signed = Array.from({ length: 16 }, (_, at) => {
    const from = `${'0'.repeat(30)}${String(at).padStart(2, '0')}`;
    return lines(zone.sign(`${from}.z. 60 NSEC3 1 0 150 aabb ${from}`));
  }).flat();
  return (question, address) => {
    if (question.name === 'z.' && question.type === 'DNSKEY') return { answer: keys };
    const more = Array.from({ length: 500 }, (_, at) =>
      record(`${hash(`${address} ${at}`).slice(0, 32)}.z.`, 'NSEC3', `1 0 150 aabb ${'0'.repeat(31)}1`),
    );
    return { rcode: 'NXDOMAIN', authority: [...lines(zone.sign(SOA)), ...signed, ...more] };
  };
}
