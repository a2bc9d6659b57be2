import t from 'tap';
import { compareWithServers } from './authority/compare.ts';

t.test('replies from zone files are those of NSD, BIND and Knot DNS', { timeout: 300_000 }, async (t) => {
  await compareWithServers(t, { from: 0, zones: 60, questions: 30, signedEvery: 6 });
});
