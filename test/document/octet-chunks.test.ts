import t from 'tap';
import { asItIs, OctetChunks } from '../../src/document/octet-chunks.ts';

t.test('texts come back whole, however they lie in chunks', (t) => {
  const chunks = new OctetChunks(asItIs);
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
  const chunks = new OctetChunks(asItIs);
  chunks.add('{}');
  t.same(
    chunks.take().map(({ buffer }) => buffer.byteLength),
    [2],
  );
  t.end();
});
