import t from 'tap';
import { comparePlans } from './authority/planned.ts';

t.test('300 plans come true in NSD, BIND and Knot DNS', { timeout: 14_400_000 }, async (t) => {
  await comparePlans(t, 2_000, 300);
});
