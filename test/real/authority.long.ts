import t from 'tap';
import { compareWithServers } from './authority/compare.ts';

t.test('2,000 random zones, asked 40 questions each', { timeout: 7_200_000 }, async (t) => {
  for (let from = 1_000; from < 3_000; from += 200) {
    await t.test(`zones from ${from} on`, { timeout: 7_200_000 }, async (t) => {
      await compareWithServers(t, { from, zones: 200, questions: 40, signedEvery: 6 });
    });
  }
});
