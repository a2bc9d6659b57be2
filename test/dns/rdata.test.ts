import t, { type Test } from 'tap';
import { typeCode } from '../../src/dns/codes.ts';
import { decodeMessage } from '../../src/dns/decode.ts';
import { parseName } from '../../src/dns/name.ts';
import { encodeRdata } from '../../src/dns/rdata/rdata.ts';
import { isPeriod, RdataError, seconds } from '../../src/dns/rdata/words.ts';
import { fitsType, type ResourceRecord, reasonOfMisfit } from '../../src/dns/record.ts';
import { hex, join, message, record, wireName } from './message-bytes.ts';
import { name, rdataRows } from './rdata-rows.ts';

/** The record with these data, decoded from a message in which another record follows it. */
function decoded(type: string, rdata: Uint8Array, other: Parameters<typeof record>[2] = {}): ResourceRecord {
  const next = record(1, hex('c0000201'));
  const [first, second] = decodeMessage(
    message({ answer: [record(typeCode(type) ?? 0, rdata, other), next] }),
  ).answer;
  if (first === undefined || second?.data !== '192.0.2.1') throw new Error('the next record is damaged');
  return first;
}

/** Types whose format the program does not know. */
const UNKNOWN = ['NULL', 'TYPE65280', 'ANY'];

t.test('each type has its text', async (t) => {
  for (const [type, rdata, data] of rdataRows) {
    const one = decoded(type, hex(rdata));
    t.equal(one.data, data, `${type} ${data}`);
    // RFC 1876 2: other versions of LOC may have any format.
    const isUnknown = UNKNOWN.includes(type) || (type === 'LOC' && rdata.startsWith('01'));
    t.equal(fitsType(one), !data.startsWith('\\#') || isUnknown, `${type} ${data} fits or not`);
  }
});

/** Types in which senders may compress names (RFC 1035 4.1.4, RFC 3597 4). */
const COMPRESSIBLE = 'NS CNAME PTR MB MINFO SOA MX RP AFSDB RT PX SRV NAPTR MD MF MG MR SIG'.split(' ');

t.test('records that are read from a large message again have the octets that signatures cover', (t) => {
  for (const [type, rdata, data] of rdataRows) {
    const code = typeCode(type) ?? 0;
    const large = Array.from({ length: 100 }, () => record(code, hex(rdata)));
    const [first] = decodeMessage(message({ answer: large })).answer;
    const octets = first?.octets;
    t.equal(first?.data, data);
    const isKnown = !data.startsWith('\\#') && !COMPRESSIBLE.includes(type);
    t.same(octets, isKnown ? encodeRdata(type, data, parseName('.')) : undefined, `${type} ${data}`);
  }
  t.end();
});

/** Checks that these data are kept as they came and count as not fitting their type. */
function isKept(t: Test, type: string, rdata: string, why: string, other: Parameters<typeof record>[2] = {}) {
  const octets = hex(rdata);
  const one = decoded(type, octets, other);
  const digits = octets.length === 0 ? '' : ` ${Buffer.from(octets).toString('hex')}`;
  t.equal(one.data, `\\# ${octets.length}${digits}`, `${type}: ${why}`);
  t.equal(fitsType(one), false, `${type}: ${why}, and does not fit`);
}

t.test('data too short or too long for their type are kept as they came', async (t) => {
  // Types whose last field takes all that is left cannot be too long.
  const openEnded = new Set([
    ...[
      'TXT',
      'SPF',
      'CAA',
      'URI',
      'DS',
      'CDS',
      'DLV',
      'DNSKEY',
      'CDNSKEY',
      'KEY',
      'TLSA',
      'SMIMEA',
      'SSHFP',
    ],
    ...['OPENPGPKEY', 'ZONEMD', 'RRSIG', 'SIG', 'NSEC', 'NSEC3', 'CSYNC', 'SVCB', 'HTTPS'],
    ...['APL', 'CERT', 'DHCID', 'HIP', 'IPSECKEY', 'ISDN', 'NSAP', 'RESINFO', 'RKEY'],
  ]);
  // Without data these are told as octets, or there may be none.
  const mayBeEmpty = new Set(['APL', 'DHCID', 'OPENPGPKEY']);
  for (const [type, rdata, data] of rdataRows) {
    if (data.startsWith('\\#')) continue;
    if (!mayBeEmpty.has(type)) isKept(t, type, '', 'no data');
    if (!openEnded.has(type)) isKept(t, type, `${rdata}00`, 'an octet too many');
    if (!openEnded.has(type)) isKept(t, type, shortened(rdata), 'cut short');
  }
});

function shortened(rdata: string): string {
  return rdata.replaceAll(' ', '').slice(0, -2);
}

t.test('data that break their type’s rules are kept as they came', async (t) => {
  const broken: readonly (readonly [why: string, type: string, rdata: string])[] = [
    ['string past the end', 'TXT', '05 61'],
    ['second string past the end', 'TXT', '01 61 02 61'],
    ['only one string', 'HINFO', '01 61'],
    ['string past the end', 'HINFO', '01 61 05 61'],
    ['too few strings', 'NAPTR', '0001 0001 00 00'],
    ['no tag', 'CAA', '00 00 61'],
    ['tag past the end', 'CAA', '00 05 61'],
    ['half a number', 'DS', '00'],
    ['no digest type', 'DS', '0000 00'],
    ['no algorithm', 'DNSKEY', '0101 03'],
    ['no matching type', 'TLSA', '03 01'],
    ['window of no octets', 'NSEC', '00 00 00'],
    ['window of 33 octets', 'NSEC', `00 00 21 ${'40'.repeat(33)}`],
    ['window past the end', 'NSEC', '00 00 06 40'],
    ['window without length', 'NSEC', '00 00'],
    ['the same window twice', 'NSEC', '00 0001 40 0001 20'],
    ['windows falling', 'NSEC', '00 0101 40 0001 20'],
    ['salt past the end', 'NSEC3', '01 00 0000 05 aa'],
    ['hash past the end', 'NSEC3', '01 00 0000 00 05 aa'],
    ['salt shorter than the rest', 'NSEC3PARAM', '01 00 0000 01 aa bb'],
    ['value past the end', 'SVCB', '0001 00 0003 0003 0035'],
    ['key without length', 'SVCB', '0001 00 0003'],
    ['keys falling', 'SVCB', '0001 00 0003 0002 0035 0002 0000'],
    ['the same key twice', 'SVCB', '0001 00 0003 0002 0035 0003 0002 0035'],
    ['port of one octet', 'SVCB', '0001 00 0003 0001 35'],
    ['port of three octets', 'SVCB', '0001 00 0003 0003 000035'],
    ['flag with a value', 'SVCB', '0001 00 0002 0001 00'],
    ['no identifier', 'SVCB', '0001 00 0001 0000'],
    ['empty identifier', 'SVCB', '0001 00 0001 0001 00'],
    ['identifier past the end', 'SVCB', '0001 00 0001 0002 05 61'],
    ['five octets of addresses', 'SVCB', '0001 00 0004 0005 c000020101'],
    ['no address', 'SVCB', '0001 00 0006 0000'],
    ['nothing mandatory', 'SVCB', '0001 00 0000 0000'],
    ['empty ech', 'SVCB', '0001 00 0005 0000'],
    ['more than nine tens', 'LOC', '00 12 1a 13 80000000 80000000 00989680'],
    ['no metres, ten times', 'LOC', '00 12 16 01 80000000 80000000 00989680'],
    ['north of the pole', 'LOC', '00 12 16 13 934fd901 80000000 00989680'],
    ['past 180 degrees', 'LOC', '00 12 16 13 80000000 596047ff 00989680'],
  ];
  for (const [why, type, rdata] of broken) isKept(t, type, rdata, why);
});

t.test('what does not fit has a reason', async (t) => {
  const signature = '0001 0d 01 00000e10 00000000 00000000 0000';
  const rows: readonly (readonly [type: string, rdata: string, reason: string])[] = [
    ['A', 'c00002', 'data too short for what it announces (octet 0)'],
    ['A', 'c000020100', '1 octet behind the last field (octet 4)'],
    ['RRSIG', '0001 0d 01 0000', 'data too short for what it announces (octet 6)'],
    ['RRSIG', `${signature} 00`, 'nothing in the last field (octet 19)'],
    ['RRSIG', `${signature} c00c ff`, 'compressed name (octet 19)'],
    ['NSEC', '00 00 00', 'a type bitmap with an empty window (octet 3)'],
    ['NSEC', '00 00 21 00', 'a type bitmap with a window of more than 32 octets (octet 3)'],
    ['NSEC', '00 00 02 4000', 'a type bitmap with a window that ends in an octet without types (octet 5)'],
    ['NSEC', '00 01 01 40 00 01 40', 'a type bitmap whose windows are out of order (octet 5)'],
    ['NSEC', '00 00 06 40', 'data too short for what it announces (octet 3)'],
    ['NSEC3', '01 00 0000 00 00', 'a hash of no octets (octet 6)'],
    ['CAA', '00 00 61', 'a tag that is not of letters and digits (octet 2)'],
    ['SVCB', '0001 00 0001 0000', 'an empty list of values (octet 7)'],
    ['SVCB', '0001 00 0002 0001 00', 'a value of no-default-alpn that is too long (octet 7)'],
    ['LOC', '00 1a 16 13 80000000 80000000 00989680', 'a size that is no digit and power of ten (octet 2)'],
  ];
  for (const [type, rdata, reason] of rows)
    t.equal(reasonOfMisfit(decoded(type, hex(rdata))), reason, `${type} ${rdata}`);
  t.equal(reasonOfMisfit(decoded('A', hex('c0000201'))), undefined, 'what fits has none');
  t.equal(
    reasonOfMisfit(decoded('MX', hex('0001 c00c 00'))),
    undefined,
    'nor has what cannot be read without its message',
  );
});

t.test('names in data may be compressed where RFC 3597 4 allows it, and nowhere else', async (t) => {
  const owner = wireName('Example');
  const OWNER = 'c00c';
  const allowed: readonly (readonly [type: string, before: string, behind: string, data: string])[] = [
    ...['NS', 'MD', 'MF', 'CNAME', 'MB', 'MG', 'MR', 'PTR'].map(
      (type) => [type, '', '', 'example.'] as const,
    ),
    ['SOA', 'c00c 0161', '00'.repeat(20), 'example. a.example. 0 0 0 0 0'],
    ['MX', '0001', '', '1 example.'],
    ['MINFO', OWNER, '', 'example. example.'],
    ['RP', OWNER, '', 'example. example.'],
    ['AFSDB', '0001', '', '1 example.'],
    ['RT', '0001', '', '1 example.'],
    ['PX', `0001 ${OWNER}`, '', '1 example. example.'],
    ['SRV', '0001 0002 0003', '', '1 2 3 example.'],
    ['NAPTR', '0001 0002 00 00 00', '', '1 2 "" "" "" example.'],
    [
      'SIG',
      '0001 05 03 00000000 00000000 00000000 0000',
      'ff',
      'A 5 3 0 19700101000000 19700101000000 0 example. /w==',
    ],
  ];
  for (const [type, before, behind, data] of allowed) {
    const rdata = hex(`${before} ${OWNER} ${behind}`);
    const bytes = message({ answer: [record(typeCode(type) ?? 0, rdata, { owner })] });
    t.equal([...decodeMessage(bytes).answer][0]?.data, data, type);
  }
  const forbidden: readonly (readonly [type: string, before: string, behind: string])[] = [
    ['DNAME', '', ''],
    ['KX', '0001', ''],
    ['RRSIG', '0001 05 03 00000000 00000000 00000000 0000', 'ff'],
    ['NSEC', '', '0001 40'],
    ['SVCB', '0001', ''],
    ['HTTPS', '0001', ''],
  ];
  const broken: readonly (readonly [why: string, pointer: string])[] = [
    ['a pointer into the header', 'c000'],
    ['a pointer to itself', 'c01f'],
    ['a pointer forward', 'c030'],
    ['half a pointer', 'c0'],
    ['a label of unknown kind', '41 61 00'],
    ['a name without end', '01 61'],
  ];
  for (const [why, pointer] of broken) isKept(t, 'NS', pointer, why, { owner });
  for (const [type, before, behind] of forbidden) {
    isKept(t, type, `${before} ${OWNER} ${behind}`, 'a compressed name', { owner });
    t.ok(fitsType(decoded(type, hex(`${before} ${name('example')} ${behind}`), { owner })), type);
  }
});

t.test('in another class addresses have another format and are kept as they came', async (t) => {
  for (const type of [1, 28]) {
    const bytes = message({ answer: [record(type, hex('0161 00 0102'), { class: 3 })] });
    const [one] = decodeMessage(bytes).answer;
    t.match(one, { class: 'CH', data: '\\# 5 0161000102' });
    t.ok(one && fitsType(one), 'which is no fault');
  }
  const version = message({ answer: [record(16, join(hex('03'), Buffer.from('9.x')), { class: 3 })] });
  t.match([...decodeMessage(version).answer][0], { class: 'CH', type: 'TXT', data: '"9.x"' });
});

const origin = parseName('example.');
const hexOf = (type: string, text: string) => Buffer.from(encodeRdata(type, text, origin)).toString('hex');
const text = (value: string) => Buffer.from(value).toString('hex');

t.test('each type has its octets', async (t) => {
  const rows: [type: string, text: string, hex: string][] = [
    ['A', '192.0.2.1', 'c0000201'],
    ['AAAA', '2001:db8::1', '20010db8000000000000000000000001'],
    ['NS', 'ns1.example.', `03${text('ns1')}07${text('example')}00`],
    ['NS', 'NS1', `03${text('ns1')}07${text('example')}00`],
    ['NS', '@', `07${text('example')}00`],
    ['CNAME', '.', '00'],
    ['CNAME', 'a\\.b.', `03${text('a.b')}00`],
    ['CNAME', 'a\\.', `02${text('a.')}07${text('example')}00`],
    ['CNAME', 'a\\\\.', `02${text('a\\')}00`],
    ['DNAME', 'x.', `01${text('x')}00`],
    ['PTR', 'x.', `01${text('x')}00`],
    [
      'SOA',
      'n. h. 1 1h 15m 1w 60',
      '016e0001680000000001' + '00000e10' + '00000384' + '00093a80' + '0000003c',
    ],
    ['MX', '10 m.', `000a01${text('m')}00`],
    ['TXT', 'v=spf1 "a b" ""', `06${text('v=spf1')}03${text('a b')}00`],
    ['TXT', '"a""b"', `01${text('a')}01${text('b')}`],
    ['TXT', '"q\\"\\\\\\255;"', `05${text('q"\\')}ff${text(';')}`],
    ['TXT', '"é"', '02c3a9'],
    ['SRV', '1 2 53 t.', `0001000200350174` + '00'],
    ['CAA', '128 issue "ca.example; x=1"', `8005${text('issue')}${text('ca.example; x=1')}`],
    [
      'NAPTR',
      '1 2 "U" "E2U+sip" "!^.*$!sip:a@b!" .',
      `000100020155${`07${text('E2U+sip')}`}0e${text('!^.*$!sip:a@b!')}00`,
    ],
    ['TLSA', '3 1 1 ab cd', '030101abcd'],
    ['SSHFP', '4 2 ABCD', '0402abcd'],
    ['DS', '60485 5 1 2BB1 83AF', 'ec4505012bb183af'],
    ['DNSKEY', '256 3 8 AQID BAUG', '01000308010203040506'],
    ['URI', '1 2 "ftp://x"', `00010002${text('ftp://x')}`],
    ['HINFO', 'PC "N T"', `02${text('PC')}03${text('N T')}`],
    ['SVCB', '0 t.', '0000017400'],
    ['HTTPS', '1 . alpn="h2,h3" port=8443', `0001000001000602${text('h2')}02${text('h3')}0003000220fb`],
    ['HTTPS', '1 . port=53 no-default-alpn alpn=dot', `0001000001000403${text('dot')}00020000000300020035`],
    ['HTTPS', '1 . ipv4hint=192.0.2.1,192.0.2.2', '00010000040008c0000201c0000202'],
    ['HTTPS', '1 . ipv6hint=2001:db8::1', '000100000600102001' + '0db8000000000000000000000001'],
    [
      'HTTPS',
      '1 . mandatory=port,alpn alpn=a port=1',
      '000100' + '0000000400010003' + '000100020161' + '000300020001',
    ],
    ['HTTPS', '1 . ech=AQID', '00010000050003010203'],
    ['HTTPS', '1 . dohpath="/q{?dns}"', `00010000070008${text('/q{?dns}')}`],
    ['HTTPS', '1 . key667="a b\\210"', `000100029b0004${text('a b')}d2`],
    // RFC 9460, appendix D.2: a comma and a backslash within items.
    [
      'SVCB',
      '16 foo. alpn="f\\\\\\\\oo\\\\,bar,h2"',
      `001003${text('foo')}000001000c08${text('f\\oo,bar')}02${text('h2')}`,
    ],
    ['RRSIG', 'TYPE257 8 2 3600 4294967295 0 1 . AA==', '0101 08 02 00000e10 ffffffff 00000000 0001 00 00'],
    ['NSEC', 'x. mx A TYPE1234', `0178 00 0002 4001 041b ${'00'.repeat(26)} 20`],
    [
      'NSEC3',
      '1 0 5 AB 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR',
      '0100000501ab 14 174eb2409fe28bcb4887a1836f957f0a8425e27b',
    ],
    ['CSYNC', '1 2', '00000001 0002'],
    // RFC 1876 3: what may be left out; digits of a size behind the first are not kept.
    ['LOC', '42 21 54 N 71 06 18 W -24m 30m', '00331613 89172dd0 70be15f0 00988d20'],
    ['LOC', '32 7 19 s 116 2 25 e 10', '00121613 791b7d28 98e64868 00989a68'],
    ['LOC', '0 N 0 E 0.05 0.5m 1999.99m 0', '00511500 80000000 80000000 00989685'],
    ['EUI48', '00-00-5E-00-53-2A', '00005e00532a'],
    ['TYPE65280', '\\# 3 ab cdef', 'abcdef'],
    ['TYPE65280', '\\# 0', ''],
    ['A', '\\# 4 c0000201', 'c0000201'],
    ['TXT', '"\\#" 4', `01${text('#')}01${text('4')}`],
  ];
  for (const [type, data, hex] of rows)
    t.equal(hexOf(type, data), hex.replaceAll(' ', ''), `${type} ${data}`);
});

/** In lower case, because the decoder does not keep the case of names and tags. */
const folded = (hex: string) => Buffer.from(hex, 'hex').toString('latin1').toLowerCase();

t.test('what the decoder writes is read again', async (t) => {
  for (const [type, hex, data] of rdataRows) {
    t.equal(folded(hexOf(type, data)), folded(hex.replaceAll(' ', '')), `${type} ${data}`);
  }
});

t.test('what cannot be encoded has a reason', async (t) => {
  const rows: [type: string, text: string, reason: RegExp][] = [
    ['A', '', /a field is missing/],
    ['A', '192.0.2.1 192.0.2.2', /one field too many/],
    ['A', '2001:db8::1', /not an IPv4 address/],
    ['A', '192.0.2', /not an IPv4 address/],
    ['AAAA', '192.0.2.1', /not an IPv6 address/],
    ['NS', 'a..b.', /label is empty/],
    ['NS', `${'a'.repeat(64)}.`, /longer than 63/],
    ['MX', '65536 m.', /0 to 65535/],
    ['MX', '-1 m.', /0 to 65535/],
    ['SOA', 'n. h. 1 1x 1 1 1', /not a time/],
    ['SOA', 'n. h. 4294967296 1 1 1 1', /0 to 4294967295/],
    ['TXT', '', /a field is missing/],
    ['TXT', `"${'a'.repeat(256)}"`, /longer than 255/],
    ['TXT', '"a', /not closed/],
    ['TXT', 'a\\', /not closed/],
    ['TXT', '"\\25"', /000 to 255/],
    ['TXT', '"\\256"', /000 to 255/],
    ['DS', '1 2 3 abc', /hexadecimal/],
    ['DS', '1 2 3', /missing/],
    ['DNSKEY', '256 3 8 ???', /base64/],
    ['SVCB', '1 . nope=1', /name of a parameter/],
    ['SVCB', '1 . port=1 port=2', /twice/],
    ['SVCB', '1 . key65536=1', /0 to 65535/],
    ['SVCB', '1 . alpn=', /1 to 255/],
    ['SVCB', '1 . no-default-alpn=x', /without values/],
    ['SVCB', '1 . ipv4hint=::1', /not an IPv4/],
    ['CAA', '0 is.sue "x"', /not a tag/],
    ['RRSIG', 'NOPE 8 2 0 0 0 1 . AA==', /not a type/],
    ['RRSIG', 'A 8 2 0 20230231000000 0 1 . AA==', /not a time/],
    ['RRSIG', 'A 8 2 0 21060207062816 0 1 . AA==', /not a time/],
    ['NSEC', 'x. A NOPE', /not a type/],
    ['NSEC3', '1 0 5 - 0', /not base32hex/],
    ['NSEC3', '1 0 5 - wz', /not base32hex/],
    ['NSEC3PARAM', '1 0 5 abc', /hexadecimal/],
    ['LOC', '', /must end in N or S/],
    ['LOC', '91 N 0 E 0', /0 to 90/],
    ['LOC', '90 0 0.001 N 0 E 0', /only 90 degrees/],
    ['LOC', '1 60 N 0 E 0', /0 to 59/],
    ['LOC', '1 N 0 0 0 0 E 0', /must end in E or W/],
    ['LOC', '0 N 0 E', /length in metres/],
    ['LOC', '0 N 0 E -100000.01', /from -100000 to/],
    ['LOC', '0 N 0 E 0 90000000.01', /to 90000000/],
    ['LOC', '0 N 0 E 0 1 2 3 4', /one field too many/],
    ['EUI48', '00-00-5e-00-53', /6 pairs/],
    ['EUI64', '00-00-5e-00-53-2a', /8 pairs/],
    ['TYPE65280', 'abc', /must be written as/],
    ['TYPE65280', '\\# 2 ab', /here 1/],
    ['TYPE65280', '\\#', /here 0/],
    ['TYPE65280', '\\# 1 zz', /hexadecimal/],
  ];
  for (const [type, data, reason] of rows) {
    t.throws(
      () => encodeRdata(type, data, origin),
      { name: 'RdataError', message: reason },
      `${type} ${data}`,
    );
  }
  t.throws(() => encodeRdata('A', '', origin), RdataError);
});

t.test('times have units', async (t) => {
  t.equal(seconds('0'), 0);
  t.equal(seconds('1h30M'), 5400);
  t.equal(seconds('1w2d3h4m5s'), 788_645);
  t.throws(() => seconds('9999w9999w'), RdataError);
  for (const text of ['', 'h', '1h3', '-1', '1x']) t.notOk(isPeriod(text), text);
});
