import { createHash } from 'node:crypto';
import t from 'tap';
import { toBase32hex } from '../../../src/base/encodings.ts';
import type { Claim } from '../../../src/dns/dnssec/verdict.ts';
import { nameToWire, parseName } from '../../../src/dns/name.ts';
import { NOW, signingZone } from './signing.ts';
import { type ReplyRow, validationAt, verdictOn, verdictText } from './verdicts.ts';

const ZONE = signingZone('zone.test');
const SOA = ZONE.sign('zone.test. 300 SOA ns.zone.test. root.zone.test. 1 2 3 4 5');
const nodata: Claim = { kind: 'nodata' };
const nxdomain: Claim = { kind: 'nxdomain' };

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

interface Row extends ReplyRow {
  readonly says: string;
  readonly is: string;
}

/** A name two labels below the apex, whose closest encloser is the apex. */
const X = { name: 'x.y.zone.test', type: 'A' };
const denial = (hashing: Hashing = {}, encloser = 'NS SOA') =>
  at('zone.test', encloser, hashing) + over('y.zone.test', hashing) + over('*.zone.test', hashing);

const ROWS: readonly Row[] = [
  { says: 'a name error', ...X, claim: nxdomain, authority: SOA + denial(), is: 'secure' },
  {
    says: 'with salt and iterations',
    ...X,
    claim: nxdomain,
    authority: denial({ salt: 'aabb', iterations: 7 }),
    is: 'secure',
  },
  {
    says: 'with 150 iterations',
    ...X,
    claim: nxdomain,
    authority: denial({ iterations: 150 }),
    is: 'secure',
  },
  {
    says: 'with 151 iterations',
    ...X,
    claim: nxdomain,
    authority: SOA + denial({ iterations: 151 }),
    is: 'insecure',
  },
  {
    says: 'with 151 iterations and a spoilt SOA',
    ...X,
    claim: nxdomain,
    authority: SOA.replace(' 1 2 ', ' 2 2 ') + denial({ iterations: 151 }),
    is: 'bogus bad-signature',
  },
  {
    says: 'with 151 iterations, not signed',
    ...X,
    claim: nxdomain,
    authority: denial({ iterations: 151 })
      .replaceAll('A RRSIG', 'AAAA RRSIG')
      .replaceAll('NS SOA', 'NS SOA A'),
    is: 'bogus bad-signature',
  },
  { says: 'with Opt-Out', ...X, claim: nxdomain, authority: denial({ flags: 1 }), is: 'insecure' },
  {
    says: 'with a flag that nobody knows',
    ...X,
    claim: nxdomain,
    authority: denial({ flags: 2 }),
    is: 'bogus no-proof',
  },
  {
    says: 'with a hash that nobody knows',
    ...X,
    claim: nxdomain,
    authority: denial({ algorithm: 2 }),
    is: 'bogus no-proof',
  },
  {
    says: 'with two hashes in one reply',
    ...X,
    claim: nxdomain,
    authority: at('zone.test', 'NS SOA') + over('y.zone.test', { salt: 'aa' }) + over('*.zone.test'),
    is: 'bogus no-proof',
  },
  {
    says: 'with a closest encloser that is delegated',
    ...X,
    claim: nxdomain,
    authority: denial({}, 'NS'),
    is: 'bogus no-proof',
  },
  {
    says: 'with a closest encloser that is redirected',
    ...X,
    claim: nxdomain,
    authority: denial({}, 'NS SOA DNAME'),
    is: 'bogus no-proof',
  },
  {
    says: 'of a name that exists',
    name: 'zone.test',
    type: 'A',
    claim: nxdomain,
    authority: denial(),
    is: 'bogus no-proof',
  },
  { says: 'no data', ...X, claim: nodata, authority: at('x.y.zone.test', 'MX'), is: 'secure' },
  {
    says: 'no data of a type that is there',
    ...X,
    claim: nodata,
    authority: at('x.y.zone.test', 'A'),
    is: 'bogus no-proof',
  },
  {
    says: 'no data by the parent',
    ...X,
    claim: nodata,
    authority: at('x.y.zone.test', 'NS'),
    is: 'bogus no-proof',
  },
  {
    says: 'no data at an empty non-terminal',
    ...X,
    claim: nodata,
    authority: at('x.y.zone.test', ''),
    is: 'secure',
  },
  {
    says: 'no data at a wildcard',
    ...X,
    claim: nodata,
    authority: at('zone.test', 'NS SOA') + over('y.zone.test') + at('*.zone.test', 'MX'),
    is: 'secure',
  },
  {
    says: 'no data at a wildcard that has them',
    ...X,
    claim: nodata,
    authority: at('zone.test', 'NS SOA') + over('y.zone.test') + at('*.zone.test', 'A'),
    is: 'bogus no-proof',
  },
  {
    says: 'no data where only Opt-Out covers',
    ...X,
    claim: nodata,
    authority: at('zone.test', 'NS SOA', { flags: 1 }) + over('y.zone.test', { flags: 1 }),
    is: 'insecure',
  },
  {
    says: 'no data where nothing but a name is covered',
    ...X,
    claim: nodata,
    authority: at('zone.test', 'NS SOA') + over('y.zone.test'),
    is: 'bogus no-proof',
  },
  {
    says: 'no DS at a cut',
    name: 'y.zone.test',
    type: 'DS',
    claim: nodata,
    authority: at('y.zone.test', 'NS'),
    is: 'secure, zone insecure',
  },
  {
    says: 'no DS at no cut',
    name: 'y.zone.test',
    type: 'DS',
    claim: nodata,
    authority: at('y.zone.test', 'A'),
    is: 'secure',
  },
  {
    says: 'no DS by the child',
    name: 'y.zone.test',
    type: 'DS',
    claim: nodata,
    authority: at('y.zone.test', 'NS SOA'),
    is: 'bogus no-proof',
  },
  {
    says: 'no DS by Opt-Out',
    name: 'y.zone.test',
    type: 'DS',
    claim: nodata,
    authority: at('zone.test', 'NS SOA') + over('y.zone.test', { flags: 1 }),
    is: 'insecure, zone insecure',
  },
  {
    says: 'a referral to a cut without DS',
    ...X,
    claim: { kind: 'referral', to: parseName('y.zone.test') },
    authority: at('y.zone.test', 'NS'),
    is: 'secure, zone insecure',
  },
  {
    says: 'a referral that Opt-Out covers',
    ...X,
    claim: { kind: 'referral', to: parseName('y.zone.test') },
    authority: at('zone.test', 'NS SOA') + over('y.zone.test', { flags: 1 }),
    is: 'insecure, zone insecure',
  },
  {
    says: 'a referral that is covered without Opt-Out',
    ...X,
    claim: { kind: 'referral', to: parseName('y.zone.test') },
    authority: at('zone.test', 'NS SOA') + over('y.zone.test'),
    is: 'unproven',
  },
  {
    says: 'a referral after 151 iterations',
    ...X,
    claim: { kind: 'referral', to: parseName('y.zone.test') },
    authority: at('y.zone.test', 'NS', { iterations: 151 }),
    is: 'insecure, zone insecure',
  },
];

t.test('proofs by NSEC3', async (t) => {
  const validation = validationAt(NOW);
  for (const row of ROWS) t.equal(verdictText(verdictOn(row, ZONE.keys, validation)), row.is, row.says);
});
