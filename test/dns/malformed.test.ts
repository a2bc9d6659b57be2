import t from 'tap';
import { decodeMessage } from '../../src/dns/decode.ts';
import { DecodeError } from '../../src/dns/reader.ts';
import { hex, join, message, record, u16, wireName } from './message-bytes.ts';

// What dns-packet gets wrong when it decodes whole messages from outside. Each was reproduced.

const opt = record(41, hex(''), { class: 1232 });
const pointerTo = (offset: number) => u16(0xc000 | offset);
/** Where the first record of a message without a question begins. */
const FIRST = 12;

t.test('lengths that do not fit', async (t) => {
  const name = wireName('a.b');
  const soa = join(name, name, hex('00'.repeat(20)));
  const rows: readonly (readonly [type: number, rdata: Uint8Array])[] = [
    [1, hex('c0000201')],
    [28, hex('00'.repeat(16))],
    [2, name],
    [5, name],
    [12, name],
    [15, join(hex('000a'), name)],
    [6, soa],
  ];
  for (const [type, rdata] of rows) {
    const sized = (rdlength: number) =>
      message({ answer: [record(type, rdata, { rdlength }), record(16, hex('0141'.repeat(20)))] });
    t.equal(decodeMessage(sized(rdata.length)).answer.length, 2, `type ${type}`);
    for (const rdlength of [0, 2, rdata.length - 1, rdata.length + 1, 65_535]) {
      t.throws(() => decodeMessage(sized(rdlength)), DecodeError, `type ${type}, length ${rdlength}`);
    }
  }
  const past = message({ answer: [record(65_280, hex('00'), { rdlength: 2 })] });
  t.throws(() => decodeMessage(past), DecodeError, 'an unknown type’s data past the end');
});

t.test('octets after the message', async (t) => {
  const bytes = message({ answer: [record(1, hex('c0000201'))] });
  t.throws(() => decodeMessage(join(bytes, hex('00'))), { name: 'DecodeError', offset: bytes.length });
});

t.test('missing data that made the cursor NaN', async (t) => {
  for (const [type, rdata] of [
    [16, ''],
    [13, ''],
    [44, '0103'],
    [44, '04'],
  ] as const) {
    const bytes = message({ answer: [record(type, hex(rdata))], counts: [0, 65_535, 65_535, 65_535] });
    t.throws(() => decodeMessage(bytes), DecodeError, `type ${type}, counts that lie`);
  }
  const sshfp = decodeMessage(message({ answer: [record(44, hex('0103ff')), record(1, hex('c0000201'))] }));
  t.strictSame(
    sshfp.answer.map(({ data }) => data),
    ['1 3 ff', '192.0.2.1'],
  );
});

t.test('counts are not believed', async (t) => {
  const bare = message({ counts: [1, 65_535, 65_535, 65_535] });
  t.throws(
    () => decodeMessage(bare),
    { name: 'DecodeError', offset: FIRST },
    'seen before any record is read',
  );
  t.throws(() => decodeMessage(message({ counts: [1, 0, 0, 0] })), DecodeError);
  const root = record(65_280, hex(''));
  t.equal(decodeMessage(message({ answer: new Array(4096).fill(root) })).answer.length, 4096);
  t.throws(() => decodeMessage(message({ answer: new Array(4097).fill(root) })), {
    message: /more than 4096 records/,
  });
  t.throws(() => decodeMessage(message({ answer: [root], counts: [0, 2, 0, 0] })), { message: /room/ });
});

t.test('compression pointers', async (t) => {
  const owned = (owner: Uint8Array) => message({ answer: [record(1, hex('c0000201'), { owner })] });
  const rows: readonly (readonly [why: string, owner: Uint8Array])[] = [
    ['to itself', pointerTo(FIRST)],
    ['to its own first label', join(hex('0161'), pointerTo(FIRST))],
    ['forward', pointerTo(FIRST + 2)],
    ['past the end', pointerTo(0x3fff)],
    ['into the header', pointerTo(0)],
    ['into the header’s last octets', pointerTo(FIRST - 1)],
    ['label of the kind 01', hex('4161 00')],
    ['label of the kind 10', hex('8161 00')],
  ];
  for (const [why, owner] of rows) t.throws(() => decodeMessage(owned(owner)), DecodeError, why);
  for (const cut of [hex('c0'), hex('03 6161'), hex('01 61')]) {
    t.throws(() => decodeMessage(join(message({ counts: [1, 0, 0, 0] }), cut)), DecodeError, 'cut short');
  }
  const second = (rdata: Uint8Array, owner: Uint8Array) =>
    message({ answer: [record(65_280, rdata), record(1, hex('c0000201'), { owner })] });
  const rdata = FIRST + 11;
  const nameOfSecond = (bytes: Uint8Array) => [...decodeMessage(bytes).answer][1]?.name;
  t.equal(nameOfSecond(second(hex('016100'), pointerTo(rdata))), 'a.');
  t.equal(nameOfSecond(second(hex('00'), join(hex('0161'), pointerTo(rdata)))), 'a.', 'to the root');
  t.throws(() => nameOfSecond(second(hex('016100'), hex('4017'))), DecodeError, 'kind 01 is no pointer');
  t.throws(() => nameOfSecond(second(hex('016100'), hex('8017'))), DecodeError, 'kind 10 is no pointer');
  // Two octets after the target is the pointer itself, then the type's zero.
  t.throws(() => nameOfSecond(second(hex('02'), pointerTo(rdata))), DecodeError, 'to what has not ended yet');
});

t.test('chains of compression pointers', async (t) => {
  // Data of an unknown type contain a name, then pointers, each to the one before.
  const chain = (length: number) => {
    const pointers = Array.from({ length }, (_, i) => pointerTo(FIRST + 11 + (i === 0 ? 0 : 2 * i)));
    const first = record(65_280, join(hex('0000'), ...pointers));
    const last = record(1, hex('c0000201'), { owner: pointerTo(FIRST + 11 + 2 * length) });
    return message({ answer: [first, last] });
  };
  t.equal([...decodeMessage(chain(100)).answer][1]?.name, '.');
  t.throws(() => decodeMessage(chain(129)), { message: /too many compression pointers/ });
  t.throws(() => decodeMessage(chain(8000)), DecodeError);
  // A chain that does not end in a name, and that would be followed anew for each record.
  const links = Array.from({ length: 126 }, (_, i) => pointerTo(FIRST + 11 + 2 * i));
  const hopeless = record(65_280, join(hex('4000'), ...links));
  const last = record(2, pointerTo(FIRST + 11 + 2 * 126));
  t.throws(() => decodeMessage(message({ answer: [hopeless, ...new Array(4000).fill(last)] })), {
    message: /unfold to too much/,
  });
});

t.test('many long names', async (t) => {
  const long = wireName(`${'a.'.repeat(126)}b`);
  const first = record(1, hex('c0000201'), { owner: long });
  const more = (count: number) =>
    new Array(count).fill(record(1, hex('c0000201'), { owner: pointerTo(FIRST) }));
  const honest = decodeMessage(message({ answer: [first, ...more(300)] }));
  t.equal([...honest.answer].at(-1)?.name, `${'a.'.repeat(126)}b.`);
  const twoNames = record(14, join(pointerTo(FIRST), pointerTo(FIRST)), { owner: pointerTo(FIRST) });
  const bomb = message({ answer: [first, ...new Array(4000).fill(twoNames)] });
  t.throws(() => decodeMessage(bomb), { message: /unfold to too much/ });
  const inData = record(14, join(pointerTo(FIRST), pointerTo(FIRST)));
  const bombInData = message({ answer: [first, ...new Array(4000).fill(inData)] });
  t.throws(() => decodeMessage(bombInData), { message: /unfold to too much/ }, 'not the fault of one record');
});

t.test('names with any octets', async (t) => {
  const nameOf = (owner: Uint8Array) =>
    decodeMessage(message({ answer: [record(1, hex('c0000201'), { owner })] }));
  const rows: readonly (readonly [octets: string, name: string])[] = [
    ['00', '.'],
    ['03 612e62 00', 'a\\.b.'],
    ['01 2e 00', '\\..'],
    ['02 c3a9 00', '\\195\\169.'],
    ['02 ffff 00', '\\255\\255.'],
    ['03 00200a 00', '\\000\\032\\010.'],
    ['04 5c1b5b41 00', '\\\\\\027[a.'],
    ['01 5a 00', 'z.'],
  ];
  for (const [octets, name] of rows) t.equal([...nameOf(hex(octets)).answer][0]?.name, name, octets);
  const label63 = `3f ${'61'.repeat(63)}`;
  const octets255 = `${`${label63} `.repeat(3)} 3d ${'62'.repeat(61)} 00`;
  t.equal([...nameOf(hex(octets255)).answer][0]?.name.length, 254);
  t.throws(() => nameOf(hex(`01 61 ${octets255}`)), { message: /longer than 255/ });
  const unfolded = message({
    answer: [
      record(1, hex('c0000201'), { owner: hex(octets255) }),
      record(1, hex('c0000201'), { owner: hex('0161c00c') }),
    ],
  });
  t.throws(() => decodeMessage(unfolded), { message: /longer than 255/ });
});

t.test('the case and unusual octets of a question survive', async (t) => {
  const asked = join(hex('04 41622e00'), wireName('eXample'), hex('0041 0001'));
  t.strictSame(decodeMessage(message({ question: asked })).questions, [
    { name: 'ab\\.\\000.example.', nameAsSent: 'Ab\\.\\000.eXample.', type: 'HTTPS', class: 'IN' },
  ]);
});

t.test('unknown types and classes keep their numbers', async (t) => {
  const odd = message({ answer: [record(65_281, hex('abcd'), { class: 0x8001 })] });
  t.match([...decodeMessage(odd).answer][0], { type: 'TYPE65281', class: 'CLASS32769', data: '\\# 2 abcd' });
  const unknown = join(wireName('a'), u16(65_281), u16(4711));
  t.match(decodeMessage(message({ question: unknown })).questions[0], {
    type: 'TYPE65281',
    class: 'CLASS4711',
  });
});

t.test('a DNSKEY with another protocol does not spoil its message', async (t) => {
  const keys = [record(48, hex('0101 04 0d ff')), record(48, hex('0101 03 0d ff'))];
  t.strictSame(
    decodeMessage(message({ answer: keys })).answer.map(({ data }) => data),
    ['257 4 13 /w==', '257 3 13 /w=='],
  );
});

t.test('EDNS options are octets, whatever their code', async (t) => {
  const options = '0003 0002 6e73  0008 0001 ff  000b 0001 00  000c 0000  000e 0003 000102  fde9 0001 7f';
  const bytes = message({ additional: [record(41, hex(options), { class: 512, ttl: '00018000' })] });
  t.strictSame(decodeMessage(bytes).edns, {
    version: 1,
    payloadSize: 512,
    do: true,
    options: [
      { code: 3, data: '6e73' },
      { code: 8, data: 'ff' },
      { code: 11, data: '00' },
      { code: 12, data: '' },
      { code: 14, data: '000102' },
      { code: 65_001, data: '7f' },
    ],
  });
  for (const broken of ['00', '0003', '000300', '0003 0002 6e', '0003 0001 6e 00']) {
    t.throws(() => decodeMessage(message({ additional: [record(41, hex(broken))] })), DecodeError, broken);
  }
});

t.test('the rcode has the OPT record’s bits too', async (t) => {
  const extended = (ttl: string, bits: number) =>
    decodeMessage(message({ bits, additional: [record(41, hex(''), { class: 1232, ttl })] })).rcode;
  t.equal(extended('01000000', 0x8400), 'BADVERS');
  t.equal(extended('01000000', 0x8407), 'BADCOOKIE');
  t.equal(extended('01000000', 0x8401), 'RCODE17');
  t.equal(extended('00000000', 0x8405), 'REFUSED');
  t.equal(extended('ff000000', 0x840f), 'RCODE4095');
});

t.test('where an OPT record may be', async (t) => {
  t.strictSame(decodeMessage(message({ additional: [opt] })).additional, []);
  const rows = [
    ['in the answer', { answer: [opt] }],
    ['in the authority section', { authority: [opt] }],
    ['twice', { additional: [opt, opt] }],
    ['with an owner', { additional: [record(41, hex(''), { owner: wireName('a') })] }],
  ] as const;
  for (const [why, sections] of rows) t.throws(() => decodeMessage(message(sections)), DecodeError, why);
});
