import t from 'tap';
import { asciiName } from '../../src/wire/ascii-name.ts';
import { mistakenName, unmistakable } from '../../src/wire/mistaken-name.ts';
import { parseName } from '../../src/wire/name.ts';
import { unicodeName } from '../../src/wire/unicode-name.ts';

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
