import { isIP } from 'node:net';
import t from 'tap';
import { addressBytes, addressFromBytes, familyOf, parseAddress, unmapped } from '../../src/wire/address.ts';
import { hex } from './message-bytes.ts';
import { seeded } from './random.ts';

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
