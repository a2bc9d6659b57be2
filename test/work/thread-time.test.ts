import t from 'tap';
import { threadTime } from '../../src/work/thread-time.ts';

t.test('a thread runs no longer than time passes', async (t) => {
  const start = performance.now();
  const from = threadTime();
  while (performance.now() - start < 20);
  const ran = threadTime() - from;
  t.ok(ran <= performance.now() - start, `${ran} ms`);
});
