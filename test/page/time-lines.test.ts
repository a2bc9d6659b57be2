import t from 'tap';
import { timeLines } from '../../src/page/model/time-lines.ts';
import { timesResult } from '../report/times-world.ts';

t.test('a time line for each kind of change', async (t) => {
  const { lines, notices } = timeLines(await timesResult({ carries: true }));
  t.same(
    lines.map(({ title }) => title),
    ['www.x.test A, changed or removed', 'other name servers of x.test', 'another address of ns1.x.test'],
  );
  const [data, move, address] = lines;
  t.match(data?.rows, [{ words: 'last user after 5 minutes, half after 2 minutes 30 seconds' }]);
  t.same(
    move?.rows.map(({ products, last }) => [products, last > 90]),
    [
      ['BIND', false],
      ['Unbound', true],
      ['Knot Resolver', true],
      ['PowerDNS Recursor', true],
    ],
  );
  t.same(
    address?.rows.map(({ products }) => products),
    ['BIND and Knot Resolver', 'Unbound and PowerDNS Recursor'],
    'rows that read alike are one',
  );
  for (const { half, last } of lines.flatMap(({ rows }) => rows)) {
    t.ok(half >= 0 && half <= last && last <= 100, `${half} of ${last}`);
  }
  t.equal(move?.steps.length, 3);
  t.match(move?.steps[1], /^change the NS records at the parent; then wait 1 hour 17 minutes$/);
  t.match(notices, [/add --check/]);
});

t.test('nothing where no answer is known', async (t) => {
  t.same(timeLines(await timesResult({ options: { maxQueries: 1 } })).lines, []);
});
