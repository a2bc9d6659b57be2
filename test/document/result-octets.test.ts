import t from 'tap';
import { type JsonForm, PLAIN_JSON } from '../../src/base/json.ts';
import { parseName } from '../../src/dns/name.ts';
import type { ExchangeRow } from '../../src/document/exchanges.ts';
import { keepOctets, OctetChunks, resultOctets } from '../../src/document/result-octets.ts';

type Section = 'answer' | 'authority' | 'additional';

/** An exchange whose reply had so many octets, and so many records in each section. */
function row(id: string, bytes: number, records: Partial<Record<Section, number>>): ExchangeRow {
  const name = parseName('example');
  const section = (count = 0) =>
    Array.from({ length: count }, () => ({ name, type: 'A', ttl: 60, data: '192.0.2.1' }));
  return {
    id,
    server: { address: '192.0.2.53', names: [] },
    question: { name, type: 'A' },
    transport: 'udp',
    attempts: 1,
    elapsedMs: 1,
    rcode: 'NOERROR',
    flags: [],
    rttMs: 1,
    bytes,
    answer: section(records.answer),
    authority: section(records.authority),
    additional: section(records.additional),
    tries: [],
    traffic: { packetsSent: 1, packetsReceived: 1, bytesSent: 1, bytesReceived: bytes },
  };
}

const RESULT = {
  note: 'what else a result has',
  exchanges: [
    row('x1', 500, { authority: 4, additional: 6 }),
    row('x2', 900, { answer: 9, authority: 1, additional: 9 }),
    row('x3', 100, {}),
    row('x4', 300, { answer: 5, additional: 1 }),
  ],
};

const FORMS: readonly JsonForm[] = [PLAIN_JSON, { indent: 2, escape: (text) => text, end: '\n' }];

function text(most: number, form: JsonForm): string | undefined {
  const written = resultOctets(RESULT, form, keepOctets, most);
  return written.kind === 'written' ? Buffer.concat(written.chunks).toString() : undefined;
}

/** What is left of each exchange: the first letters of its sections, or what it had. */
function left(json: string): string {
  const { exchanges }: { exchanges: (Partial<Record<Section, unknown[]>> & { recordsOmitted?: true })[] } =
    JSON.parse(json);
  const letters = (one: Partial<Record<Section, unknown[]>>) =>
    (['answer', 'authority', 'additional'] as const).map((part) => (part in one ? part[1] : '-')).join('');
  return exchanges.map((one) => `${letters(one)}${one.recordsOmitted ? '*' : ''}`).join(' ');
}

t.test('what does not fit is left out: of the largest replies first, the additional section first', (t) => {
  for (const form of FORMS) {
    const whole = text(1 << 20, form) ?? '';
    t.equal(whole, `${JSON.stringify(RESULT, undefined, form.indent)}${form.end}`, 'all that fits is there');
    const seen: string[] = [];
    let most = whole.length;
    for (let json = text(most, form); json !== undefined; json = text(most, form)) {
      t.ok(json.length <= most, `${json.length} of at most ${most} octets`);
      const now = left(json);
      if (now !== seen.at(-1)) seen.push(now);
      most = json.length - 1;
    }
    t.same(seen, [
      'nud nud nud nud',
      'nud nu-* nud nud',
      'nud ---* nud nud',
      'nu-* ---* nud nud',
      '---* ---* nud nud',
      '---* ---* nud nu-*',
      '---* ---* nud ---*',
    ]);
  }
  t.end();
});

t.test('a result that is too large without its records is not written', (t) => {
  t.equal(text(100, PLAIN_JSON), undefined);
  t.end();
});

t.test('texts come back whole, however they lie in chunks', (t) => {
  const chunks = new OctetChunks(keepOctets);
  for (const texts of [[], [''], ['a', 'é', '€'], ['a', '€'.repeat(500_000), 'é'.repeat(700_000), 'z']]) {
    chunks.clear();
    for (const text of texts) chunks.add(text);
    const whole = Buffer.from(texts.join(''));
    t.equal(chunks.length, whole.length);
    t.ok(Buffer.concat(chunks.take()).equals(whole), `${whole.length} octets`);
  }
  t.end();
});

t.test('what is small takes no more than it needs', (t) => {
  const chunks = new OctetChunks(keepOctets);
  chunks.add('{}');
  t.same(
    chunks.take().map(({ buffer }) => buffer.byteLength),
    [2],
  );
  t.end();
});
