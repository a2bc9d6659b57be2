import t from 'tap';
import { HeldChunks } from '../../../src/service/store/jobs/held-chunks.ts';

t.test('a chunk that is read again while somebody holds it is the one that is held', async (t) => {
  const chunks = new HeldChunks();
  const read = () => [Uint8Array.of(1), Uint8Array.of(2)];
  const first = chunks.of('one', read());
  const again = chunks.of('one', read());
  t.same(again, read());
  for (const [at, chunk] of again.entries()) t.equal(chunk, first[at]);
  t.not(chunks.of('other', read())[0], first[0], 'of another job');
});
