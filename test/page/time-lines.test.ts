import t from 'tap';
import { timeLines } from '../../src/page/model/time-lines.ts';
import { timesResult } from '../report/times-world.ts';

t.test('a row for each kind of change: who waits longest, and until when', async (t) => {
  const { lines, axis, notices } = timeLines(await timesResult({ carries: true }));
  t.match(
    lines.map(({ change, who, last }) => [change, who, last]),
    [
      ['www.x.test A, changed or removed', 'all', '5 minutes'],
      ['other name servers of x.test', 'Knot Resolver', 'never while the old servers answer'],
      ['another address of ns1.x.test', 'Unbound and PowerDNS Recursor', /^1 hour/],
    ],
  );
  for (const { half, whole } of lines) {
    t.ok(half >= 0 && half <= whole && whole <= 100, `${half} of ${whole}`);
  }
  t.match(lines[0]?.until, /\d\d:\d\d:\d\d/);
  t.match(
    axis.map(({ words }) => words),
    ['1 minute', /^1 hour/],
    'the axis ends at the longest',
  );
  t.ok(axis.every(({ at }, place) => at <= 100 && at > (axis[place - 1]?.at ?? 0)));
  const [, move] = lines;
  t.equal(move?.steps.length, 3);
  t.match(move?.steps[1], /^change the NS records at the parent; then wait 1 hour 7 minutes$/);
  t.match(notices, [/add --check/]);
});

t.test('nothing where no answer is known', async (t) => {
  t.same(timeLines(await timesResult({ options: { maxQueries: 1 } })).lines, []);
});
