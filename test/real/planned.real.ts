import t from 'tap';
import { comparePlans } from './authority/planned.ts';

t.test('plans come true in NSD, BIND and Knot DNS', { timeout: 300_000 }, async (t) => {
  await comparePlans(t, 1_000, 5);
});
