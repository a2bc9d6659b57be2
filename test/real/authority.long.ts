import t from 'tap';
import { comparePlans } from './compare-plans.ts';
import { compareWithServers } from './compare-zones.ts';

t.test('2,000 random zones, asked 40 questions each', { timeout: 7_200_000 }, async (t) => {
  for (let from = 1_000; from < 3_000; from += 200) {
    await t.test(`zones from ${from} on`, { timeout: 7_200_000 }, async (t) => {
      await compareWithServers(t, { from, zones: 200, questions: 40, signedEvery: 6 });
    });
  }
});

t.test('300 plans come true in NSD, BIND and Knot DNS', { timeout: 14_400_000 }, async (t) => {
  await comparePlans(t, 2_000, 300);
});
