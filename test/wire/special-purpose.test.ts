import t from 'tap';
import {
  isGloballyReachable,
  isLoopback,
  type SpecialPurpose,
  specialPurposeOf,
} from '../../src/wire/special-purpose.ts';

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
