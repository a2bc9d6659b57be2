import t from 'tap';
import { decodeMessage } from '../../src/wire/decode.ts';
import { peekId } from '../../src/wire/header.ts';
import { DecodeError } from '../../src/wire/reader.ts';
import { hex, join, message, record, u16, wireName } from './message-bytes.ts';

const question = join(wireName('Www.EXAMPLE'), hex('0001 0001'));
const opt = record(41, hex(''), { class: 1232 });
const pointerTo = (offset: number) => u16(0xc000 | offset);
/** Where the first record of a message without a question begins. */
const FIRST = 12;

t.test('a referral with glue, compressed as servers do', async (t) => {
  // The question's name begins at 12, "EXAMPLE" in it at 16; the name of the NS at 41.
  const ns = record(2, join(hex('03'), Buffer.from('NS1'), pointerTo(16)), { owner: pointerTo(16) });
  const glue = [
    record(1, hex('c0000201'), { owner: pointerTo(41) }),
    record(28, hex('20010db8 00000000 00000000 00000001'), { owner: pointerTo(41), ttl: '7fffffff' }),
  ];
  const bytes = message({ bits: 0x8180, question, authority: [ns], additional: [...glue, opt] });
  t.strictSame(decodeMessage(bytes), {
    id: 0x1234,
    opcode: 0,
    flags: ['qr', 'rd', 'ra'],
    rcode: 'NOERROR',
    questions: [{ name: 'www.example.', nameAsSent: 'Www.EXAMPLE.', type: 'A', class: 'IN' }],
    answer: [],
    authority: [{ name: 'example.', type: 'NS', ttl: 300, data: 'ns1.example.' }],
    additional: [
      { name: 'ns1.example.', type: 'A', ttl: 300, data: '192.0.2.1' },
      { name: 'ns1.example.', type: 'AAAA', ttl: 2147483647, data: '2001:db8::1' },
    ],
    edns: { version: 0, payloadSize: 1232, do: false, options: [] },
  });
  const asBuffer = Buffer.concat([Buffer.alloc(3), bytes]).subarray(3);
  t.strictSame(decodeMessage(asBuffer), decodeMessage(bytes), 'also from the middle of a larger buffer');
});

t.test(
  'what several servers say alike is the same, but for ID, flags and the letters of the question',
  async (t) => {
    const owned = record(1, hex('c0000201'), { owner: pointerTo(FIRST) });
    const reply = (name: string, bits: number) =>
      message({ bits, question: join(wireName(name), hex('0001 0001')), answer: [owned], additional: [opt] });
    const first = decodeMessage(reply('Www.EXAMPLE', 0x8400));
    const second = decodeMessage(reply('wWW.example', 0x8005));
    t.equal(second.answer, first.answer, 'the records are not made again');
    t.same([second.rcode, second.flags], ['REFUSED', ['qr']]);
    t.equal(second.questions[0]?.nameAsSent, 'wWW.example.');
    const other = decodeMessage(reply('ftp.example', 0x8400));
    t.same(
      other.answer,
      [{ name: 'ftp.example.', type: 'A', ttl: 300, data: '192.0.2.1' }],
      'names in it point there',
    );
  },
);

t.test('the header', async (t) => {
  t.strictSame(decodeMessage(message({ bits: 0xffff })), {
    id: 0x1234,
    opcode: 15,
    flags: ['qr', 'aa', 'tc', 'rd', 'ra', 'ad', 'cd'],
    rcode: 'RCODE15',
    questions: [],
    answer: [],
    authority: [],
    additional: [],
  });
  for (let length = 0; length < FIRST; length += 1) {
    t.throws(() => decodeMessage(message({}).subarray(0, length)), DecodeError, `${length} octets`);
  }
  const ttl = message({ answer: [record(1, hex('c0000201'), { ttl: '80000000' })] });
  t.equal([...decodeMessage(ttl).answer][0]?.ttl, 0, 'RFC 2181 8: a TTL with the top bit set is zero');
  t.throws(() => decodeMessage(message({ question: join(question, question), counts: [2, 0, 0, 0] })), {
    message: /more than one question/,
  });
});

t.test('the ID of a message that cannot be decoded', async (t) => {
  t.equal(peekId(message({}).subarray(0, 2)), 0x1234);
  t.equal(peekId(hex('12')), undefined);
  t.equal(peekId(hex('')), undefined);
});

t.test('an error gives reason and place, and nothing of the message', async (t) => {
  const bytes = message({ answer: [record(1, hex('0102'), { rdlength: 4 })] });
  t.throws(() => decodeMessage(bytes), {
    name: 'DecodeError',
    message: 'message too short for what it announces (octet 23)',
    offset: 23,
  });
});
