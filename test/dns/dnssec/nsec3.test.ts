import { createHash } from 'node:crypto';
import { toBase32hex } from '../../../src/base/encodings.ts';
import { nameToWire, parseName } from '../../../src/dns/name.ts';
import { NOW, signingZone } from './signing.ts';
import { checkReplies, nodata, nxdomain, type ReplyRow, referral } from './verdicts.ts';

const ZONE = signingZone('zone.test');
const SOA = ZONE.sign('zone.test. 300 SOA ns.zone.test. root.zone.test. 1 2 3 4 5');

interface Hashing {
  readonly iterations?: number;
  readonly salt?: string;
  readonly flags?: number;
  readonly algorithm?: number;
}

/** RFC 5155 5, in a few lines of its own. */
function hashOf(name: string, { iterations = 0, salt = '' }: Hashing): Buffer {
  let octets: Uint8Array = nameToWire(parseName(name));
  for (let round = 0; round <= iterations; round += 1) {
    octets = createHash('sha1').update(octets).update(Buffer.from(salt, 'hex')).digest();
  }
  return Buffer.from(octets);
}

/** The record that a name has. */
function at(name: string, types: string, hashing: Hashing = {}): string {
  const hash = hashOf(name, hashing);
  return record(hash, moved(hash, 1), types, hashing);
}

/** One that covers a name. */
function over(name: string, hashing: Hashing = {}): string {
  const hash = hashOf(name, hashing);
  return record(moved(hash, -1), moved(hash, 1), 'A RRSIG', hashing);
}

function record(owner: Buffer, next: Buffer, types: string, hashing: Hashing): string {
  const { iterations = 0, salt = '-', flags = 0, algorithm = 1 } = hashing;
  return ZONE.sign(
    `${toBase32hex(owner)}.zone.test. 300 NSEC3 ${algorithm} ${flags} ${iterations} ${salt} ${toBase32hex(next)} ${types}`,
  );
}

function moved(hash: Buffer, by: 1 | -1): Buffer {
  const number = (BigInt(`0x${hash.toString('hex')}`) + BigInt(by)).toString(16);
  return Buffer.from(number.padStart(2 * hash.length, '0').slice(-2 * hash.length), 'hex');
}

/** Of x.y.zone.test, whose closest encloser is the apex. */
const denial = (hashing: Hashing = {}, encloser = 'NS SOA') =>
  at('zone.test', encloser, hashing) + over('y.zone.test', hashing) + over('*.zone.test', hashing);

const ROWS: readonly ReplyRow[] = [
  ['a name error', 'x.y.zone.test A', nxdomain(SOA + denial()), 'secure'],
  [
    'with salt and iterations',
    'x.y.zone.test A',
    nxdomain(denial({ salt: 'aabb', iterations: 7 })),
    'secure',
  ],
  ['with 150 iterations', 'x.y.zone.test A', nxdomain(denial({ iterations: 150 })), 'secure'],
  ['with 151 iterations', 'x.y.zone.test A', nxdomain(SOA + denial({ iterations: 151 })), 'insecure'],
  [
    'with 151 iterations and a spoilt SOA',
    'x.y.zone.test A',
    nxdomain(SOA.replace(' 1 2 ', ' 2 2 ') + denial({ iterations: 151 })),
    'bogus bad-signature',
  ],
  [
    'with 151 iterations, not signed',
    'x.y.zone.test A',
    nxdomain(
      denial({ iterations: 151 }).replaceAll('A RRSIG', 'AAAA RRSIG').replaceAll('NS SOA', 'NS SOA A'),
    ),
    'bogus bad-signature',
  ],
  ['with Opt-Out', 'x.y.zone.test A', nxdomain(denial({ flags: 1 })), 'insecure'],
  ['with a flag that nobody knows', 'x.y.zone.test A', nxdomain(denial({ flags: 2 })), 'bogus no-proof'],
  ['with a hash that nobody knows', 'x.y.zone.test A', nxdomain(denial({ algorithm: 2 })), 'bogus no-proof'],
  [
    'with two hashes in one reply',
    'x.y.zone.test A',
    nxdomain(at('zone.test', 'NS SOA') + over('y.zone.test', { salt: 'aa' }) + over('*.zone.test')),
    'bogus no-proof',
  ],
  [
    'with a closest encloser that is delegated',
    'x.y.zone.test A',
    nxdomain(denial({}, 'NS')),
    'bogus no-proof',
  ],
  [
    'with a closest encloser that is redirected',
    'x.y.zone.test A',
    nxdomain(denial({}, 'NS SOA DNAME')),
    'bogus no-proof',
  ],
  ['of a name that exists', 'zone.test A', nxdomain(denial()), 'bogus no-proof'],
  ['no data', 'x.y.zone.test A', nodata(at('x.y.zone.test', 'MX')), 'secure'],
  ['no data of a type that is there', 'x.y.zone.test A', nodata(at('x.y.zone.test', 'A')), 'bogus no-proof'],
  ['no data by the parent', 'x.y.zone.test A', nodata(at('x.y.zone.test', 'NS')), 'bogus no-proof'],
  ['no data at an empty non-terminal', 'x.y.zone.test A', nodata(at('x.y.zone.test', '')), 'secure'],
  [
    'no data at a wildcard',
    'x.y.zone.test A',
    nodata(at('zone.test', 'NS SOA') + over('y.zone.test') + at('*.zone.test', 'MX')),
    'secure',
  ],
  [
    'no data at a wildcard that has them',
    'x.y.zone.test A',
    nodata(at('zone.test', 'NS SOA') + over('y.zone.test') + at('*.zone.test', 'A')),
    'bogus no-proof',
  ],
  [
    'no data where only Opt-Out covers',
    'x.y.zone.test A',
    nodata(at('zone.test', 'NS SOA', { flags: 1 }) + over('y.zone.test', { flags: 1 })),
    'insecure',
  ],
  [
    'no data where nothing but a name is covered',
    'x.y.zone.test A',
    nodata(at('zone.test', 'NS SOA') + over('y.zone.test')),
    'bogus no-proof',
  ],
  ['no DS at a cut', 'y.zone.test DS', nodata(at('y.zone.test', 'NS')), 'secure, zone insecure'],
  ['no DS at no cut', 'y.zone.test DS', nodata(at('y.zone.test', 'A')), 'secure'],
  ['no DS by the child', 'y.zone.test DS', nodata(at('y.zone.test', 'NS SOA')), 'bogus no-proof'],
  [
    'no DS by Opt-Out',
    'y.zone.test DS',
    nodata(at('zone.test', 'NS SOA') + over('y.zone.test', { flags: 1 })),
    'insecure, zone insecure',
  ],
  [
    'a referral to a cut without DS',
    'x.y.zone.test A',
    referral('y.zone.test', at('y.zone.test', 'NS')),
    'secure, zone insecure',
  ],
  [
    'a referral that Opt-Out covers',
    'x.y.zone.test A',
    referral('y.zone.test', at('zone.test', 'NS SOA') + over('y.zone.test', { flags: 1 })),
    'insecure, zone insecure',
  ],
  [
    'a referral that is covered without Opt-Out',
    'x.y.zone.test A',
    referral('y.zone.test', at('zone.test', 'NS SOA') + over('y.zone.test')),
    'unproven',
  ],
  [
    'a referral after 151 iterations',
    'x.y.zone.test A',
    referral('y.zone.test', at('y.zone.test', 'NS', { iterations: 151 })),
    'insecure, zone insecure',
  ],
];

checkReplies('proofs by NSEC3', ROWS, ZONE.keys, NOW);
