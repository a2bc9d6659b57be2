import t from 'tap';
import { decodeMessage } from '../../src/dns/decode.ts';
import { NSID } from '../../src/dns/edns.ts';
import { type EncodableRecord, encodeMessage, encodeQuery, type ReplySpec } from '../../src/dns/encode.ts';
import { NameError, parseName, ROOT } from '../../src/dns/name.ts';
import { encodeRdata } from '../../src/dns/rdata/rdata.ts';
import { Writer } from '../../src/dns/writer.ts';
import { hex } from './message-bytes.ts';
import { rdataRows } from './rdata-rows.ts';

const edns = { version: 0, payloadSize: 1232, do: false, options: [] };
const www = { nameAsSent: 'wWw.eXample.', type: 'A', class: 'IN' };

function reply(sections: Partial<ReplySpec>): ReplySpec {
  const nothing = { answer: [], authority: [], additional: [] };
  return { id: 7, flags: ['qr', 'aa'], rcode: 'NOERROR', questions: [www], ...nothing, ...sections };
}

function rr(name: string, type: string, data: string): EncodableRecord {
  return { name: parseName(name), type, ttl: 300, rdata: encodeRdata(type, data, ROOT) };
}

t.test('a query, octet by octet', async (t) => {
  const plain = encodeQuery({ id: 0xabcd, nameAsSent: 'wWw.Example', type: 'A' });
  t.strictSame(plain, hex('abcd 0000 0001 0000 0000 0000 03 775777 07 4578616d706c65 00 0001 0001'));
  const options = [{ code: NSID, data: '' }];
  const full = encodeQuery({
    id: 1,
    nameAsSent: '.',
    type: 'TYPE65280',
    class: 'CH',
    flags: ['rd'],
    edns: { ...edns, do: true, options },
  });
  t.strictSame(
    full,
    hex('0001 0100 0001 0000 0000 0001 00 ff00 0003 00 0029 04d0 00 00 8000 0004 0003 0000'),
  );
});

t.test('names with any octets are sent unchanged', async (t) => {
  for (const nameAsSent of ['a\\.b.c.', '\\000\\255.X.', 'a\\032b.', '\\".', '\\\\.', '.']) {
    const sent = decodeMessage(encodeQuery({ id: 1, nameAsSent, type: 'HTTPS' })).questions[0];
    t.match(sent, { nameAsSent, type: 'HTTPS' });
  }
});

t.test('pitfall: nothing that cannot be encoded is encoded as something else', async (t) => {
  const query = { id: 1, nameAsSent: 'a.', type: 'A' };
  t.throws(() => encodeQuery({ ...query, nameAsSent: `${'a'.repeat(64)}.` }), NameError);
  t.throws(() => encodeQuery({ ...query, nameAsSent: 'a.'.repeat(128) }), NameError);
  t.throws(() => encodeQuery({ ...query, nameAsSent: 'a..b' }), NameError);
  t.throws(() => encodeQuery({ ...query, type: 'TYPO' }), RangeError);
  t.throws(() => encodeQuery({ ...query, class: 'TYPO' }), RangeError);
  t.throws(() => encodeQuery({ ...query, id: 65_536 }), RangeError);
  t.throws(() => encodeQuery({ ...query, edns: { ...edns, payloadSize: 65_536 } }), RangeError);
  t.throws(() => encodeQuery({ ...query, edns: { ...edns, version: 256 } }), RangeError);
  t.throws(() => encodeMessage(reply({ rcode: 'TYPO' })), RangeError);
  t.throws(
    () => encodeMessage(reply({ rcode: 'BADVERS' })),
    RangeError,
    'there is no OPT for its upper bits',
  );
  const record = rr('a', 'A', '192.0.2.1');
  t.throws(() => encodeMessage(reply({ answer: [{ ...record, ttl: -1 }] })), RangeError);
  t.throws(
    () => encodeMessage(reply({ answer: [{ ...record, rdata: new Uint8Array(65_536) }] })),
    RangeError,
  );
});

t.test('pitfall: a payload size of zero stays zero', async (t) => {
  const query = encodeQuery({ id: 1, nameAsSent: 'a.', type: 'A', edns: { ...edns, payloadSize: 0 } });
  t.equal(decodeMessage(query).edns?.payloadSize, 0);
});

t.test('pitfall: the input is not changed', async (t) => {
  const spec = reply({ answer: [rr('www.example', 'TXT', '"a" "b"')], edns });
  const before = structuredClone(spec);
  encodeMessage(spec);
  t.strictSame(spec, before);
});

t.test('a reply repeats the question’s case, and names are compressed', async (t) => {
  const bytes = encodeMessage(
    reply({
      rcode: 'BADCOOKIE',
      authority: [rr('example', 'NS', 'ns1.example.'), rr('example', 'NS', 'ns2.example.')],
      additional: [rr('ns1.example', 'A', '192.0.2.1')],
      edns,
    }),
  );
  const question = '03 775777 07 6558616d706c65 00 0001 0001';
  const ns = (label: string) => `c010 0002 0001 0000012c 0006 03 ${label} c010`;
  const glue = 'c029 0001 0001 0000012c 0004 c0000201';
  const opt = '00 0029 04d0 01 00 0000 0000';
  const header = '0007 8407 0001 0000 0002 0002';
  t.strictSame(bytes, hex(`${header} ${question} ${ns('6e7331')} ${ns('6e7332')} ${glue} ${opt}`));
});

t.test('names in data are compressed where the type allows it', async (t) => {
  const rows: readonly (readonly [type: string, data: string, octets: number])[] = [
    ['CNAME', 'example.', 2],
    ['PTR', 'example.', 2],
    ['MX', '10 example.', 4],
    ['SOA', 'example. a.example. 1 2 3 4 5', 2 + 4 + 20],
    ['DNAME', 'example.', 9],
    ['SRV', '1 2 3 example.', 15],
  ];
  for (const [type, data, octets] of rows) {
    const message = reply({ answer: [rr('www.example', type, data)] });
    const bytes = encodeMessage(message);
    t.equal(bytes.length, 12 + 17 + 12 + octets, type);
    t.equal([...decodeMessage(bytes).answer][0]?.data, data, type);
  }
  const unfit: readonly (readonly [why: string, octets: string])[] = [
    ['what is not a name', '05 61'],
    ['a name that was met before, with octets after it', '07 6578616d706c65 00 00'],
  ];
  for (const [why, octets] of unfit) {
    const broken = { ...rr('www.example', 'NS', '.'), rdata: hex(octets) };
    const { length } = encodeMessage(reply({ answer: [broken] }));
    t.equal(length, 12 + 17 + 12 + broken.rdata.length, `${why} is sent unchanged`);
  }
});

t.test('no pointer holds an offset of more than fourteen bits', async (t) => {
  const filler = { ...rr('x', 'TXT', '""'), rdata: new Uint8Array(0x3ff0 - 12 - 17 - 12) };
  const names = ['far.test', 'far.test', 'www.far.test', 'www.far.test', 'new', 'new', 'example'];
  const late = names.map((name) => rr(name, 'A', '192.0.2.1'));
  const decoded = decodeMessage(encodeMessage(reply({ answer: [{ ...filler, type: 'NULL' }, ...late] })));
  t.strictSame(
    [...decoded.answer].slice(1).map(({ name }) => name),
    names.map((name) => `${name}.`),
  );
});

t.test('a message too long is cut off after a whole RRset', async (t) => {
  const spec = reply({
    answer: [rr('www.example', 'A', '192.0.2.1'), rr('www.example', 'A', '192.0.2.2')],
    authority: [rr('example', 'NS', 'ns1.example.')],
    additional: [rr('ns1.example', 'A', '192.0.2.1'), rr('ns1.example', 'AAAA', '2001:db8::1')],
    edns,
  });
  const [base, answer, authority, a, aaaa] = [12 + 17 + 11, 32, 18, 16, 28];
  const rows: readonly (readonly [
    limit: number,
    counts: readonly [number, number, number],
    length: number,
  ])[] = [
    [512, [2, 1, 2], base + answer + authority + a + aaaa],
    [base + answer + authority + a + aaaa, [2, 1, 2], base + answer + authority + a + aaaa],
    [base + answer + authority + a + aaaa - 1, [2, 1, 1], base + answer + authority + a],
    [base + answer + authority, [2, 1, 0], base + answer + authority],
    [base + answer + authority - 1, [2, 0, 0], base + answer],
    [base + answer - 1, [0, 0, 0], base],
    [0, [0, 0, 0], base],
  ];
  for (const [limit, counts, length] of rows) {
    const bytes = encodeMessage(spec, limit);
    const message = decodeMessage(bytes);
    t.equal(bytes.length, length, `limit ${limit}`);
    t.strictSame(
      [message.answer, message.authority, message.additional].map(({ length }) => length),
      counts,
    );
    t.equal(message.flags.includes('tc'), counts[2] < 2, `TC at ${limit}`);
    t.equal(message.edns?.payloadSize, 1232);
  }
});

t.test('a small RRset after one that does not fit is left out too', async (t) => {
  const texts = [rr('www.example', 'TXT', `"${'x'.repeat(200)}"`), rr('www.example', 'A', '192.0.2.1')];
  const message = decodeMessage(encodeMessage(reply({ answer: texts }), 100));
  t.match(message, { flags: ['qr', 'aa', 'tc'], answer: [] });
});

t.test('data of every type is read as it was written', async (t) => {
  const records = rdataRows.map(([type, rdata]) => ({ name: ROOT, type, ttl: 0, rdata: hex(rdata) }));
  const decoded = decodeMessage(encodeMessage(reply({ answer: records })));
  t.strictSame(
    decoded.answer.map(({ data }) => data),
    rdataRows.map(([, , data]) => data),
  );
});

t.test('what was cut back is not pointed to', async (t) => {
  const writer = new Writer();
  writer.name(parseName('b'));
  writer.name(parseName('a.b'));
  writer.cutBackTo(3);
  writer.name(parseName('a.b'));
  t.strictSame(writer.toBytes(), hex('0162 00 0161 c000'));
});
