import { isIP } from 'node:net';
import t from 'tap';
import {
  addressBytes,
  addressFromBytes,
  familyOf,
  isWithin,
  parseAddress,
  parsePrefix,
  prefixOf,
  unmapped,
} from '../../src/dns/address.ts';
import {
  isGloballyReachable,
  isLoopback,
  type SpecialPurpose,
  specialPurposeOf,
} from '../../src/dns/special-purpose.ts';
import { hex, seeded } from './message-bytes.ts';

t.test('an address has one canonical text (RFC 5952)', async (t) => {
  const rows: readonly (readonly [text: string, canonical: string | undefined])[] = [
    ['192.0.2.1', '192.0.2.1'],
    ['255.255.255.255', '255.255.255.255'],
    ['192.0.2', undefined],
    ['127.1', undefined],
    ['192.0.2.01', undefined],
    ['192.0.2.256', undefined],
    ['0x7f.0.0.1', undefined],
    ['192.0.2.1 ', undefined],
    ['3221225985', undefined],
    ['', undefined],
    ['example', undefined],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:DB8::ABCD', '2001:db8::abcd'],
    ['2001:0db8:0000:0000:0001:0000:0000:0001', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:db8::1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['1:2:3:4:5:6:0:0', '1:2:3:4:5:6::'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['::FFFF:c000:0201', '::ffff:192.0.2.1'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
    ['fe80::1%eth0', undefined],
    ['[::1]', undefined],
    ['1::2::3', undefined],
    ['12345::', undefined],
  ];
  for (const [text, canonical] of rows) {
    t.equal(parseAddress(text), canonical, JSON.stringify(text));
    if (canonical === undefined) continue;
    t.equal(addressFromBytes(addressBytes(canonical)), canonical, `${text}, through its octets`);
    t.equal(familyOf(canonical), canonical.includes(':') ? 6 : 4, text);
  }
});

t.test('the same texts are addresses as for Node, and the same ones', async (t) => {
  const random = seeded(1);
  const counts = { 0: 0, 4: 0, 6: 0 };
  for (let i = 0; i < 30_000; i += 1) {
    const octets = Uint8Array.from({ length: random(2) === 0 ? 4 : 16 }, () => random(256) * random(2));
    const text = mutated(addressFromBytes(octets), random);
    const family = isIP(text);
    const isSame =
      family === 0 ? parseAddress(text) === undefined : parseAddress(text) === asUrl(text, family);
    if (!isSame) t.fail(`${text}: ${parseAddress(text)}`);
    if (family === 0 || family === 4 || family === 6) counts[family] += 1;
  }
  for (const count of Object.values(counts)) t.ok(count > 3_000, 'often enough', counts);
});

/** The text with up to two characters changed, added or removed. */
function mutated(text: string, random: (below: number) => number): string {
  let changed = text;
  for (let changes = random(3); changes > 0; changes -= 1) {
    const at = random(changed.length + 1);
    const added = '0123456789abcdefF::::....g'.charAt(random(26));
    changed = changed.slice(0, at) + added + changed.slice(at + random(2));
  }
  return changed;
}

/** An address as it is read in a URL, in canonical text. */
function asUrl(text: string, family: number): string {
  const { hostname } = new URL(family === 6 ? `http://[${text}]` : `http://${text}`);
  return addressFromBytes(addressBytes(hostname.replace(/[[\]]/g, '')));
}

t.test('octets that are not an address are the caller’s mistake', async (t) => {
  t.throws(() => addressFromBytes(hex('7f0000')), RangeError);
  t.throws(() => addressBytes('127.1'), RangeError);
});

t.test('an IPv4-mapped address is an IPv4 address in disguise', async (t) => {
  t.equal(unmapped('::ffff:192.0.2.1'), '192.0.2.1');
  for (const other of ['192.0.2.1', '::1', '::ffff:0:1', '64:ff9b::1']) t.equal(unmapped(other), other);
});

t.test('an address belongs to a prefix by its first bits', async (t) => {
  const ROWS: readonly (readonly [prefix: string, inside: readonly string[], outside: readonly string[]])[] =
    [
      ['192.0.2.0/24', ['192.0.2.0', '192.0.2.255'], ['192.0.3.0', '192.0.1.255', '::1', '2001:db8::']],
      ['10.1.2.3/8', ['10.0.0.0', '10.255.255.255'], ['11.0.0.0']],
      ['172.16.0.0/12', ['172.16.0.1', '172.31.255.255'], ['172.32.0.0', '172.15.255.255']],
      ['0.0.0.0/0', ['0.0.0.0', '255.255.255.255'], ['::']],
      ['192.0.2.1', ['192.0.2.1'], ['192.0.2.0', '192.0.2.2']],
      ['2001:db8::/33', ['2001:db8::1', '2001:db8:7fff::'], ['2001:db8:8000::', '192.0.2.1']],
      ['::1/128', ['::1'], ['::', '::2']],
      ['::/0', ['ffff::'], ['0.0.0.0']],
    ];
  for (const [text, inside, outside] of ROWS) {
    const prefix = parsePrefix(text);
    if (prefix === undefined) throw new Error(text);
    for (const address of inside) t.ok(isWithin(prefix, addressBytes(address)), `${address} in ${text}`);
    for (const address of outside)
      t.notOk(isWithin(prefix, addressBytes(address)), `${address} not in ${text}`);
  }
});

t.test('what is no prefix', async (t) => {
  for (const text of [
    '',
    '/',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '::/129',
    'fe80::1%eth0/64',
    'example/8',
    '10.0.0.0/255.0.0.0',
  ]) {
    t.equal(parsePrefix(text), undefined, text);
  }
});

t.test('the prefix of an address', async (t) => {
  for (const [address, bits, expected] of [
    ['2001:db8:1:2:3:4:5:6', 64, '2001:db8:1:2::/64'],
    ['2001:db8:1:2:3:4:5:6', 49, '2001:db8:1::/49'],
    ['2001:db8:1:2:3:4:5:6', 128, '2001:db8:1:2:3:4:5:6/128'],
    ['192.0.2.77', 26, '192.0.2.64/26'],
    ['192.0.2.77', 0, '0.0.0.0/0'],
  ] as const) {
    t.equal(prefixOf(address, bits), expected);
  }
});

/** First and last address of each block, and the neighbours outside it where those are reachable. */
const rows: readonly (readonly [
  block: string,
  inside: readonly string[],
  reachableBeside: readonly string[],
])[] = [
  ['this network', ['0.0.0.0', '0.255.255.255'], ['1.0.0.0']],
  ['private 10/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0']],
  ['shared', ['100.64.0.0', '100.127.255.255'], ['100.63.255.255', '100.128.0.0']],
  ['loopback', ['127.0.0.0', '127.255.255.255'], ['126.255.255.255', '128.0.0.0']],
  ['link-local', ['169.254.0.0', '169.254.255.255'], ['169.253.255.255', '169.255.0.0']],
  ['private 172.16/12', ['172.16.0.0', '172.31.255.255'], ['172.15.255.255', '172.32.0.0']],
  [
    'protocol assignments',
    ['192.0.0.0', '192.0.0.8', '192.0.0.170', '192.0.0.255'],
    ['192.0.0.9', '192.0.0.10'],
  ],
  ['documentation 1', ['192.0.2.0', '192.0.2.255'], ['192.0.1.255', '192.0.3.0']],
  ['6to4 relays', ['192.88.99.0', '192.88.99.2', '192.88.99.255'], ['192.88.98.255', '192.88.100.0']],
  ['private 192.168/16', ['192.168.0.0', '192.168.255.255'], ['192.167.255.255', '192.169.0.0']],
  ['benchmarking', ['198.18.0.0', '198.19.255.255'], ['198.17.255.255', '198.20.0.0']],
  ['documentation 2', ['198.51.100.0', '198.51.100.255'], ['198.51.99.255', '198.51.101.0']],
  ['documentation 3', ['203.0.113.0', '203.0.113.255'], ['203.0.112.255', '203.0.114.0']],
  ['multicast', ['224.0.0.0', '239.255.255.255'], ['223.255.255.255']],
  ['reserved and broadcast', ['240.0.0.0', '255.255.255.255'], []],
  ['AS112 and AMT, which are reachable', [], ['192.31.196.1', '192.52.193.1', '192.175.48.1']],
  ['unspecified, loopback', ['::', '::1'], []],
  ['IPv4-mapped', ['::ffff:127.0.0.1', '::ffff:8.8.8.8'], []],
  ['IPv4-compatible', ['::8.8.8.8'], []],
  ['translation, local use', ['64:ff9b:1::', '64:ff9b:1:ffff::8.8.8.8'], []],
  ['discard, dummy', ['100::', '100::ffff', '100:0:0:1::'], []],
  ['Teredo', ['2001::', '2001:0:ffff:ffff::'], []],
  ['below 2001::/23', ['2001:1::', '2001:1::4', '2001:2::', '2001:10::', '2001:1ff:ffff::'], ['2001:200::']],
  [
    'reachable parts of 2001::/23',
    [],
    ['2001:1::1', '2001:1::2', '2001:1::3', '2001:3::1', '2001:4:112::1', '2001:20::1', '2001:3f::1'],
  ],
  ['documentation', ['2001:db8::', '2001:db8:ffff::'], ['2001:db7:ffff::', '2001:db9::']],
  ['documentation, new', ['3fff::', '3fff:fff:ffff::'], ['3ffe::1', '3fff:1000::']],
  ['segment routing', ['5f00::', '5f00:ffff::'], []],
  ['unique local', ['fc00::', 'fdff:ffff::'], []],
  ['link-local, site-local', ['fe80::1', 'febf::1', 'fec0::1'], []],
  ['multicast', ['ff02::1', 'ffff::'], []],
  ['not assigned', ['4000::1', '8000::1', 'e000::1'], []],
  [
    'public',
    [],
    ['8.8.8.8', '198.41.0.4', '2001:503:ba3e::2:30', '2606:4700::1111', '2620:4f:8000::1', '2a00::1'],
  ],
  ['translated', ['64:ff9b::10.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::'], ['64:ff9b::8.8.8.8']],
  ['6to4', ['2002:a00:1::1', '2002:7f00:1::', '2002:c0a8:101::1'], ['2002:808:808::1']],
  ['no address', ['', 'example', '127.1', 'fe80::1%1'], []],
];

for (const [block, inside, beside] of rows) {
  t.test(`reachable or not: ${block}`, async (t) => {
    for (const address of inside) t.equal(isGloballyReachable(address), false, address);
    for (const address of beside) t.equal(isGloballyReachable(address), true, address);
  });
}

t.test('what an address is reserved for', async (t) => {
  const purposes: Readonly<Record<SpecialPurpose, readonly string[]>> = {
    'this-network': ['0.0.0.0', '::'],
    'private-use': ['10.1.2.3', '172.16.0.1', '192.168.1.1', 'fd00::1', '64:ff9b::a00:1', '2002:a00:1::1'],
    shared: ['100.64.0.1'],
    loopback: ['127.0.0.1', '::1', '64:ff9b::7f00:1'],
    'link-local': ['169.254.0.1', 'fe80::1'],
    'protocol-assignments': ['192.0.0.8', '2001::1', '2001:2::1'],
    documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    '6to4-relay': ['192.88.99.1'],
    benchmarking: ['198.18.0.1'],
    multicast: ['224.0.0.1', 'ff02::1'],
    reserved: ['240.0.0.1', '255.255.255.255'],
    'ipv4-mapped': ['::ffff:8.8.8.8'],
    translation: ['64:ff9b:1::1'],
    'discard-only': ['100::1'],
    'segment-routing': ['5f00::1'],
    unassigned: ['::2', '4000::1', 'fec0::1'],
  };
  for (const [purpose, addresses] of Object.entries(purposes)) {
    for (const address of addresses) t.equal(specialPurposeOf(address), purpose, address);
  }
  for (const address of ['8.8.8.8', '192.0.0.9', '2001:1::1', '2606:4700::1111', '64:ff9b::808:808']) {
    t.equal(specialPurposeOf(address), undefined, address);
  }
});

t.test('a host reaches itself over loopback addresses', async (t) => {
  for (const address of ['127.0.0.1', '127.255.255.254', '::1']) t.ok(isLoopback(address), address);
  const others = [
    '126.255.255.255',
    '128.0.0.0',
    '::2',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '',
    '127.1',
    '"127."',
  ];
  for (const address of others) t.notOk(isLoopback(address), address);
});
