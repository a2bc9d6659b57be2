import t from 'tap';
import { addressBytes } from '../../src/wire/address.ts';
import { isWithin, parsePrefix, prefixOf } from '../../src/wire/prefix.ts';

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
