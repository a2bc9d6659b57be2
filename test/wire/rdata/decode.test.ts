import t, { type Test } from 'tap';
import { decodeMessage } from '../../../src/wire/decode.ts';
import { fitsType, type ResourceRecord } from '../../../src/wire/record.ts';
import { typeCode } from '../../../src/wire/type.ts';
import { hex, join, message, record, wireName } from '../message-bytes.ts';
import { name, rdataRows } from './rows.ts';

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
const UNKNOWN = ['NULL', 'LOC', 'TYPE65280', 'ANY'];

t.test('each type has its text', async (t) => {
  for (const [type, rdata, data] of rdataRows) {
    const one = decoded(type, hex(rdata));
    t.equal(one.data, data, `${type} ${data}`);
    t.equal(fitsType(one), !data.startsWith('\\#') || UNKNOWN.includes(type), `${type} ${data} fits or not`);
  }
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
  ]);
  for (const [type, rdata, data] of rdataRows) {
    if (data.startsWith('\\#')) continue;
    if (type !== 'OPENPGPKEY') isKept(t, type, '', 'no data');
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
  ];
  for (const [why, type, rdata] of broken) isKept(t, type, rdata, why);
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
