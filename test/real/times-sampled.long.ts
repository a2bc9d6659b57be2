import t from 'tap';
import { deviationOf, sampledChain } from '../report/sampled-times.ts';

const CHAINS = 10_000;
const USERS = 1_000;

t.test('curves are what users who are drawn one by one get', { timeout: 7_200_000 }, async (t) => {
  const samples = [];
  for (let seed = 0; seed < CHAINS; seed += 1) samples.push(...(await sampledChain(seed, USERS)));
  const { all, most } = deviationOf(samples);
  t.ok(all < 4, `all of them: ${all.toFixed(2)} standard errors`);
  t.ok(most < 6, `the farthest of ${samples.length}: ${most.toFixed(2)} standard errors`);
  t.notOk(
    samples.some(({ tooLate }) => tooLate),
    'nobody is later than the last moment',
  );
});
