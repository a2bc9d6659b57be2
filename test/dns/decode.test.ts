import t from 'tap';
import { decodeMessage } from '../../src/dns/decode.ts';
import { type EncodableRecord, encodeMessage } from '../../src/dns/encode.ts';
import { extendedErrorName, extendedErrorsIn } from '../../src/dns/extended-errors.ts';
import { peekId } from '../../src/dns/message.ts';
import { parseName, ROOT } from '../../src/dns/name.ts';
import { encodeRdata } from '../../src/dns/rdata/rdata.ts';
import { DecodeError } from '../../src/dns/reader.ts';
import {
  areObjects,
  comparableData,
  type Records,
  type ResourceRecord,
  recordsWhere,
} from '../../src/dns/record.ts';
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

const EDNS = { version: 0, payloadSize: 1_232, do: false, options: [] };

function recordSections(name: string, type: string, data: string): EncodableRecord {
  return { name: parseName(name), type, ttl: 60, rdata: encodeRdata(type, data, ROOT) };
}

/** Two owners take turns. */
function addresses(count: number): readonly EncodableRecord[] {
  return Array.from({ length: count }, (_, at) =>
    recordSections(`n${at % 2}.test`, 'A', `192.0.2.${at % 256}`),
  );
}

function encoded(
  sections: Partial<Record<'answer' | 'authority' | 'additional', readonly EncodableRecord[]>>,
) {
  const questions = [{ nameAsSent: 'test.', type: 'A', class: 'IN' }];
  const rest = { id: 1, flags: ['qr'], rcode: 'NOERROR', questions, edns: EDNS } as const;
  return encodeMessage({ ...rest, answer: [], authority: [], additional: [], ...sections });
}

function messageSections(count: number) {
  return decodeMessage(
    encoded({ authority: [recordSections('test', 'NS', 'n0.test')], additional: addresses(count) }),
  );
}

/** The members of each record. */
function all(records: Records) {
  return records.map(({ name, type, class: recordClass, ttl, data }) => ({
    name,
    type,
    ...(recordClass === undefined ? {} : { class: recordClass }),
    ttl,
    data,
  }));
}

t.test('how the records of a message are kept', (t) => {
  t.ok(areObjects(messageSections(63).additional), 'as objects, if they are few');
  t.notOk(areObjects(messageSections(64).additional), 'in their octets, if they are many');
  const long = `"${'x'.repeat(250)}"`;
  const texts = Array.from({ length: 40 }, () => recordSections('test', 'TXT', long));
  t.notOk(areObjects(decodeMessage(encoded({ answer: texts })).answer), 'or long');
  t.end();
});

t.test('records read from octets are those of a list', (t) => {
  const { answer, authority, additional, edns } = messageSections(1_000);
  const expected = Array.from({ length: 1_000 }, (_, at) => ({
    name: `n${at % 2}.test.`,
    type: 'A',
    ttl: 60,
    data: `192.0.2.${at % 256}`,
  }));
  t.same(all(additional), expected);
  t.same(all(additional), expected, 'as often as they are read');
  t.equal(additional.length, 1_000, 'an OPT record is none of them');
  t.same(edns, EDNS);
  t.same(all(authority), [{ name: 'test.', type: 'NS', ttl: 60, data: 'n0.test.' }]);
  t.same(all(answer), []);
  t.equal(JSON.stringify({ additional }), JSON.stringify({ additional: expected }));
  const isLast = ({ data }: { readonly data: string }) => data === '192.0.2.255';
  t.same(all(additional.filter(isLast)), expected.filter(isLast));
  t.equal(additional.find(isLast)?.data, '192.0.2.255');
  t.equal(additional.some(isLast), true);
  t.equal(
    additional.some(({ type }) => type === 'MX'),
    false,
  );
  t.same(
    additional.map(({ data }) => data),
    expected.map(({ data }) => data),
  );
  t.end();
});

t.test('they do not change with the buffer that the message came in', (t) => {
  const buffer = encoded({ answer: addresses(100) });
  const { answer } = decodeMessage(buffer);
  const before = all(answer);
  buffer.fill(0);
  t.same(all(answer), before);
  t.end();
});

t.test('some of the records', (t) => {
  for (const count of [10, 1_000]) {
    const { additional } = messageSections(count);
    const isWanted = ({ name, data }: ResourceRecord) => name === 'n1.test.' && data !== '192.0.2.0';
    const wanted = recordsWhere(additional, isWanted);
    const expected = additional.filter(isWanted);
    t.same(all(wanted), all(expected), `${count} records`);
    t.equal(wanted.length, expected.length);
    t.equal(areObjects(wanted), areObjects(additional), 'kept as the others are');
  }
  t.end();
});

const ROWS: readonly (readonly [type: string, data: string, compares: string, says: string])[] = [
  ['NSEC', 'A.eXample. A', 'a.example. A', 'the next name of NSEC'],
  ['HTTPS', '1 Foo.example. alpn="H2"', '1 foo.example. alpn="H2"', 'the target of HTTPS, but no parameter'],
  ['SVCB', '0 Foo.example.', '0 foo.example.', 'the target of SVCB'],
  ['CAA', '0 ISSUE "CA.example"', '0 issue "CA.example"', 'the tag of CAA, but not its value'],
  ['TXT', '"As It Is"', '"As It Is"', 'no text'],
];

t.test('what compares without case', async (t) => {
  for (const [type, data, compares, says] of ROWS) t.equal(comparableData({ type, data }), compares, says);
});

const EXTENDED_ERRORS: readonly (readonly [data: string, errors: ReturnType<typeof extendedErrorsIn>])[] = [
  ['0006', [{ code: 6, text: '' }]],
  ['001268656c6c6f', [{ code: 18, text: 'hello' }]],
  ['001268656c6c6f00', [{ code: 18, text: 'hello' }]],
  ['ffff', [{ code: 65_535, text: '' }]],
  ['0012ff', [{ code: 18, text: '\ufffd' }]],
  ['00', []],
  ['', []],
];

t.test('Extended DNS Errors among the options of a reply', async (t) => {
  const edns = { version: 0, payloadSize: 1232, do: true };
  for (const [data, errors] of EXTENDED_ERRORS) {
    const options = [
      { code: 3, data: '0012' },
      { code: 15, data },
    ];
    t.same(extendedErrorsIn({ ...edns, options }), errors, data);
  }
  t.same(extendedErrorsIn(undefined), []);
});

t.test('the names of their codes', async (t) => {
  const rows = [
    [0, 'Other Error'],
    [1, 'Unsupported DNSKEY Algorithm'],
    [7, 'Signature Expired'],
    [12, 'NSEC Missing'],
    [22, 'No Reachable Authority'],
    [27, 'Unsupported NSEC3 Iterations Value'],
    [65_000, 'unknown'],
  ] as const;
  for (const [code, name] of rows) t.equal(extendedErrorName(code), name);
});
