import t from 'tap';
import { decodeMessage } from '../../src/wire/decode.ts';
import { type EncodableRecord, encodeMessage } from '../../src/wire/encode.ts';
import { parseName, ROOT } from '../../src/wire/name.ts';
import { encodeRdata } from '../../src/wire/rdata/rdata.ts';
import { areObjects, type Records, recordsByOwner } from '../../src/wire/records.ts';

const EDNS = { version: 0, payloadSize: 1_232, do: false, options: [] };

function record(name: string, type: string, data: string): EncodableRecord {
  return { name: parseName(name), type, ttl: 60, rdata: encodeRdata(type, data, ROOT) };
}

/** Two owners take turns. */
function addresses(count: number): readonly EncodableRecord[] {
  return Array.from({ length: count }, (_, at) => record(`n${at % 2}.test`, 'A', `192.0.2.${at % 256}`));
}

function encoded(
  sections: Partial<Record<'answer' | 'authority' | 'additional', readonly EncodableRecord[]>>,
) {
  const questions = [{ nameAsSent: 'test.', type: 'A', class: 'IN' }];
  const rest = { id: 1, flags: ['qr'], rcode: 'NOERROR', questions, edns: EDNS } as const;
  return encodeMessage({ ...rest, answer: [], authority: [], additional: [], ...sections });
}

function message(count: number) {
  return decodeMessage(
    encoded({ authority: [record('test', 'NS', 'n0.test')], additional: addresses(count) }),
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
  t.ok(areObjects(message(63).additional), 'as objects, if they are few');
  t.notOk(areObjects(message(64).additional), 'in their octets, if they are many');
  const long = `"${'x'.repeat(250)}"`;
  const texts = Array.from({ length: 40 }, () => record('test', 'TXT', long));
  t.notOk(areObjects(decodeMessage(encoded({ answer: texts })).answer), 'or long');
  t.end();
});

t.test('records read from octets are those of a list', (t) => {
  const { answer, authority, additional, edns } = message(1_000);
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

t.test('records by owner', (t) => {
  for (const count of [10, 1_000]) {
    const { additional } = message(count);
    const byOwner = recordsByOwner(additional, ({ data }) => data !== '192.0.2.0');
    t.same([...byOwner.keys()], ['n1.test.', 'n0.test.'], 'in the order in which they are met');
    for (const [name, records] of byOwner) {
      const expected = additional.filter((one) => one.name === name && one.data !== '192.0.2.0');
      t.same(all(records), all(expected), `${count} records at ${name}`);
      t.equal(records.length, expected.length);
      t.equal(areObjects(records), areObjects(additional), 'kept as the others are');
    }
  }
  t.end();
});
