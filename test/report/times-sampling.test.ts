import t from 'tap';
import { deviationOf, sampledChain } from './sampled-times.ts';

const CHAINS = 40;

t.test('curves are what users who are drawn one by one get', async (t) => {
  const chains = await Promise.all(Array.from({ length: CHAINS }, (_, seed) => sampledChain(seed, 400)));
  const samples = chains.flat();
  const { all, most } = deviationOf(samples);
  t.ok(all < 4, `all of them: ${all.toFixed(2)} standard errors`);
  t.ok(most < 5, `the farthest: ${most.toFixed(2)} standard errors`);
  t.notOk(
    samples.some(({ tooLate }) => tooLate),
    'nobody is later than the last moment',
  );
  t.ok(
    samples.some(({ share }) => share > 0.9) && samples.some(({ share }) => share < 0.1),
    'shares of all sizes',
  );
});
