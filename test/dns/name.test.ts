import t from 'tap';
import { asciiName, unicodeName } from '../../src/dns/idn.ts';
import { mistakenName, unmistakable } from '../../src/dns/mistaken-name.ts';
import {
  isAtOrBelow,
  isBelow,
  labelCount,
  labelsOf,
  NameError,
  nameFromLabels,
  nameToWire,
  parentOf,
  parseName,
  ROOT,
  reverseName,
  substituteSuffix,
} from '../../src/dns/name.ts';
import { hex } from './message-bytes.ts';

const label63 = 'a'.repeat(63);
/** 253 characters without the final dot: 255 octets on the wire. */
const longest = `${`${label63}.`.repeat(3)}${'b'.repeat(61)}`;

t.test('a text becomes a canonical name', async (t) => {
  const rows: readonly (readonly [text: string, name: string])[] = [
    ['.', '.'],
    ['example', 'example.'],
    ['Example.COM.', 'example.com.'],
    ['_dmarc.a-b.example', '_dmarc.a-b.example.'],
    ['a\\.b.example', 'a\\.b.example.'],
    ['a\\\\.b', 'a\\\\.b.'],
    ['\\065\\b.c', 'ab.c.'],
    ['a\\032b.c', 'a\\032b.c.'],
    ['a\\ b.c', 'a\\032b.c.'],
    ['\\000\\255\\127.c', '\\000\\255\\127.c.'],
    ['\\195\\169.example', '\\195\\169.example.'],
    ['a"b(c)d;e@f$g.h', 'a\\"b\\(c\\)d\\;e\\@f\\$g.h.'],
    ['*.example', '*.example.'],
    ['\\046.x', '\\..x.'],
    [`${label63}.x`, `${label63}.x.`],
    [longest, `${longest}.`],
    [`${longest}.`, `${longest}.`],
  ];
  for (const [text, name] of rows) {
    t.equal(parseName(text), name, text);
    t.equal(parseName(name), name, `${text}, again`);
  }
});

t.test('why a text is not a name, without repeating it', async (t) => {
  const rows: readonly (readonly [text: string, reason: RegExp])[] = [
    ['', /empty/],
    ['..', /label is empty/],
    ['.example', /label is empty/],
    ['a..example', /label is empty/],
    ['a.example..', /label is empty/],
    [`${label63}a.x`, /longer than 63/],
    [`${longest}b`, /longer than 255/],
    [`${longest}b.`, /longer than 255/],
    [`${'\\001'.repeat(64)}.x`, /longer than 63/],
    ['a\\', /backslash/],
    ['a\\é', /backslash/],
    ['a\\25', /\\000 to \\255/],
    ['a\\2x5', /\\000 to \\255/],
    ['a\\256.b', /\\000 to \\255/],
    ['a b', /a blank, which must be written as \\032$/],
    ['a\tb', /a control character, which must be written as \\009$/],
    ['a\u0000b', /must be written/],
    ['\u001b[31m', /must be written/],
    ['a\u007f', /must be written/],
    ['bücher.example', /non-ASCII character: write its octets/],
    ['ａ.example', /non-ASCII character: write its octets/],
  ];
  for (const [text, reason] of rows) {
    t.throws(() => parseName(text), { name: 'NameError', message: reason }, JSON.stringify(text));
  }
  t.throws(() => parseName('a\u001b[31m'), { message: /^[ -~]*$/ });
});

t.test('names and labels turn into each other', async (t) => {
  const name = parseName('A\\.b.\\000\\255.example');
  t.strictSame(
    labelsOf(name).map((label) => Buffer.from(label).toString('latin1')),
    ['a.b', '\0ÿ', 'example'],
  );
  t.equal(nameFromLabels(labelsOf(name)), name);
  t.strictSame(nameToWire(name), hex('03 612e62 02 00ff 07 6578616d706c65 00'));
  t.strictSame(labelsOf(ROOT), []);
  t.equal(nameFromLabels([]), ROOT);
  t.strictSame(nameToWire(ROOT), hex('00'));
  t.equal(nameToWire(parseName(longest)).length, 255);
  t.equal(nameFromLabels([hex('4142')]), 'ab.');
  t.throws(() => nameFromLabels([hex('')]), NameError);
});

t.test('a name is at, below or outside a zone', async (t) => {
  const rows: readonly (readonly [name: string, zone: string, relation: 'at' | 'below' | 'outside'])[] = [
    ['.', '.', 'at'],
    ['example', '.', 'below'],
    ['.', 'example', 'outside'],
    ['example', 'example', 'at'],
    ['www.example', 'example', 'below'],
    ['a.b.c.example', 'c.example', 'below'],
    ['example', 'www.example', 'outside'],
    ['notexample', 'example', 'outside'],
    ['x\\.example', 'example', 'outside'],
    ['x\\\\.example', 'example', 'below'],
    ['x\\\\\\.example', 'example', 'outside'],
    ['\\.example', 'example', 'outside'],
    ['x.\\.example', '\\.example', 'below'],
    ['x\\046example', 'example', 'outside'],
  ];
  for (const [name, zone, relation] of rows) {
    const [n, z] = [parseName(name), parseName(zone)];
    t.equal(isBelow(n, z), relation === 'below', `${name} is ${relation} ${zone}`);
    t.equal(isAtOrBelow(n, z), relation !== 'outside', `${name} is ${relation} ${zone}`);
  }
});

t.test('a name has a parent and a number of labels', async (t) => {
  const rows: readonly (readonly [name: string, parent: string | undefined, labels: number])[] = [
    ['.', undefined, 0],
    ['example', '.', 1],
    ['www.example', 'example.', 2],
    ['a\\.b.example', 'example.', 2],
    ['a\\\\.b.example', 'b.example.', 3],
    ['\\.', '.', 1],
  ];
  for (const [text, parent, labels] of rows) {
    t.equal(parentOf(parseName(text)), parent, text);
    t.equal(labelCount(parseName(text)), labels, text);
  }
});

t.test('a DNAME substitutes the end of a name (RFC 6672 2.2)', async (t) => {
  const long = parseName(`${`${label63}.`.repeat(3)}${'b'.repeat(51)}`);
  const rows: readonly (readonly [
    name: string,
    owner: string,
    target: string,
    result: string | undefined,
  ])[] = [
    ['a.b.example', 'example', 'test', 'a.b.test.'],
    ['a.example', 'example', 'x.example', 'a.x.example.'],
    ['a.example', 'example', '.', 'a.'],
    ['a.example', '.', 'test', 'a.example.test.'],
    ['a\\.b.example', 'example', 'test', 'a\\.b.test.'],
    ['example', 'example', 'test', undefined],
    ['other', 'example', 'test', undefined],
    [`x.${'b'.repeat(7)}`, 'b'.repeat(7), long, `x.${long}`],
    [`${'x'.repeat(10)}.y`, 'y', long, undefined],
    // 51 escaped octets take 204 characters of text and 52 octets on the wire.
    [`${'\\001'.repeat(51)}.y`, 'y', 'c'.repeat(63), `${'\\001'.repeat(51)}.${'c'.repeat(63)}.`],
  ];
  for (const [name, owner, target, result] of rows) {
    t.equal(
      substituteSuffix(parseName(name), parseName(owner), parseName(target)),
      result,
      `${name} at ${owner}`,
    );
  }
});

t.test('an address has a reverse name', async (t) => {
  t.equal(reverseName('192.0.2.15'), '15.2.0.192.in-addr.arpa.');
  const nibbles = '5.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2';
  t.equal(reverseName('2001:db8::15'), `${nibbles}.ip6.arpa.`);
  t.throws(() => reverseName('example'), RangeError);
});

/** Names as people write them, as servers are asked for them, and as people read them again. */
const BOTH_WAYS = [
  ['bücher.example.', 'xn--bcher-kva.example.'],
  ['münchen.straße.example.', 'xn--mnchen-3ya.xn--strae-oqa.example.'],
  ['例え.テスト.', 'xn--r8jz45g.xn--zckzah.'],
  ['почта.рф.', 'xn--80a1acny.xn--p1ai.'],
  ['مثال.إختبار.', 'xn--mgbh0fb.xn--kgbechtv.'],
  ['пример.испытание.', 'xn--e1afmkfd.xn--80akhbyknj4f.'],
  ['☃.example.', 'xn--n3h.example.'],
] as const;

t.test('internationalised names go both ways', async (t) => {
  for (const [unicode, ascii] of BOTH_WAYS) {
    t.equal(asciiName(unicode), ascii, ascii);
    t.equal(unicodeName(parseName(ascii)), unicode, ascii);
  }
});

t.test('what is not the encoding of a label stays as it is', async (t) => {
  const rows = [
    ['www.example', 'has no such label'],
    ['.', 'has no label'],
    ['xn--.example', 'encodes nothing'],
    ['xn--a.example', 'ends in the middle of a number'],
    ['xn--abc-.example', 'encodes plain ASCII'],
    ['xn--a-b_c.example', 'has a character that is no digit of a number'],
    ['xn--99999999.example', 'encodes more than the last character'],
    ['xn--eckwd4c7cu47r2wf-.example', 'decodes to what would be encoded differently'],
    ['xn--zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz.example', 'overflows'],
  ] as const;
  for (const [name, why] of rows) t.equal(unicodeName(parseName(name)), undefined, `${name}: ${why}`);
});

t.test('a label that no URL could hold is not converted in part', async (t) => {
  for (const label of ['ü/x', 'ü:1', 'ü?', 'ü@x', 'a ü'])
    t.equal(asciiName(`${label}.example`), `${label}.example`);
});

t.test('what people write in place of a name', async (t) => {
  const rows = [
    ['192.0.2.1', { kind: 'address', address: '192.0.2.1' }],
    ['2001:DB8::1', { kind: 'address', address: '2001:db8::1' }],
    ['https://www.example.com/page?x=1', { kind: 'url', host: 'www.example.com' }],
    ['www.example.com:443', { kind: 'port', host: 'www.example.com' }],
    ['someone@example.com', { kind: 'e-mail', host: 'example.com' }],
    ['Some One <someone@example.com>', { kind: 'e-mail', host: 'example.com' }],
    ['mailto:someone@example.com?subject=x', { kind: 'e-mail', host: 'example.com' }],
    ['[2001:DB8::1]', { kind: 'address', address: '2001:db8::1' }],
    ['[2001:db8::1]:53', { kind: 'address', address: '2001:db8::1' }],
    ['192.0.2.1:53', { kind: 'address', address: '192.0.2.1' }],
    ['https://[2001:db8::1]/x', { kind: 'address', address: '2001:db8::1' }],
    ['http://192.0.2.1:8080', { kind: 'address', address: '192.0.2.1' }],
    ['198.51.100.80/24', { kind: 'prefix', address: '198.51.100.80' }],
    ['2001:db8::/32', { kind: 'prefix', address: '2001:db8::' }],
    ['www.example.com/index.html?q=1#top', { kind: 'url', host: 'www.example.com' }],
    ['www.example.com:8080/x', { kind: 'url', host: 'www.example.com' }],
    ['//www.example.com/x', { kind: 'url', host: 'www.example.com' }],
    ['ftp://user:secret@www.example.com/', { kind: 'url', host: 'www.example.com' }],
    ['999.1.1.1', { kind: 'nothing', why: /^looks like an address, .* \(as a name: 999\.1\.1\.1\.\)$/ }],
    ['192.0.2.01', { kind: 'nothing', why: /^looks like an address, / }],
    ['2001:db8::zz', { kind: 'nothing', why: /^looks like / }],
    ['2001:db8:::1', { kind: 'nothing', why: /^looks like an IPv6 address, / }],
    ['fe80::1%eth0', { kind: 'nothing', why: /^looks like an IPv6 address, / }],
    ['javascript:alert(1)', { kind: 'nothing', why: /^looks like a URL without a host name / }],
    ['file:///etc/hosts', { kind: 'nothing', why: /^is a URL without a host name / }],
    ['http://', { kind: 'nothing', why: /^is a URL without a host name / }],
    ['example.com@', { kind: 'nothing', why: /^has nothing after the @: leave the @ out \(.* write \\@\)$/ }],
    ['@', { kind: 'nothing', why: /^has nothing after the @/ }],
    ['Some One <someone@>', { kind: 'nothing', why: /^has nothing after the @/ }],
    ['mailto:someone@', { kind: 'nothing', why: /^has nothing after the @/ }],
    ['example.com\\@', undefined],
    ['192.0.2.1.', undefined],
    ['1.0/25.2.0.192.in-addr.arpa', undefined],
    ['0/25.2.0.192.in-addr.arpa.', undefined],
    ['javascript\\:alert.example', undefined],
    ['www.example.com', undefined],
    ['host\\@x.example.com', undefined],
  ] as const;
  for (const [text, expected] of rows) t.match(mistakenName(text), expected, text);
});

t.test('a name that looks like something else can be written so that it is read as the name', async (t) => {
  const rows = [
    'https\\:\\/\\/www.shop.example\\/',
    'someone\\@example',
    '\\[x\\:\\:1\\]',
    'mailto\\:x',
    'www.example',
  ];
  for (const row of rows) {
    const name = parseName(row);
    t.equal(mistakenName(unmistakable(name)), undefined, name);
    t.equal(parseName(unmistakable(name)), name, name);
  }
  t.equal(unmistakable(parseName('www.example')), 'www.example.');
});
