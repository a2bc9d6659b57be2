import t from 'tap';
import { HeldChunks } from '../../../src/service/store/jobs/held-chunks.ts';

const read = () => [Uint8Array.of(1), Uint8Array.of(2)];

t.test('a chunk that is read again while somebody holds it is the one that is held', async (t) => {
  const chunks = new HeldChunks();
  const first = chunks.whole('one', [], read());
  const again = chunks.whole('one', [], read());
  t.same(again, read());
  for (const [at, chunk] of again.entries()) t.equal(chunk, first[at]);
  t.not(chunks.whole('other', [], read())[0], first[0], 'of another job');
});

t.test('what is held need not be read', async (t) => {
  const chunks = new HeldChunks();
  t.same(chunks.first('one'), []);
  const [one = Uint8Array.of(), two = Uint8Array.of()] = read();
  chunks.whole('one', [], [one]);
  const held = chunks.first('one');
  t.equal(held[0], one);
  t.same(chunks.whole('one', held, [two]), read());
  t.same(chunks.first('one'), read());
  t.same(chunks.first('other'), []);
});
