import t from 'tap';
import { MostCounted } from '../../src/cli/many/culprits.ts';
import { untilTime } from '../../src/cli/many/lines-at-service.ts';
import type { ListSize } from '../../src/cli/many/name-list.ts';
import { closingLine, type NameCounts, paceNotice, progressLine } from '../../src/cli/many/tally.ts';

t.test('how far it is', async (t) => {
  const none: NameCounts = { agreed: 0, trouble: 0, failed: 0, skipped: 0 };
  const rows: readonly (readonly [
    counts: Partial<NameCounts>,
    total: number | undefined,
    expected: string,
  ])[] = [
    [{}, undefined, '0 names'],
    [{}, 1_000, '0 of 1,000 names'],
    [{ agreed: 2 }, 1_000, '2 of 1,000 names'],
    [{ agreed: 20 }, 1_000, '20 of 1,000 names, 20.0 a second, about 49 s left'],
    [{ agreed: 10 }, 10_000, '10 of 10,000 names, 10.0 a second, about 17 min left'],
    [{ agreed: 3 }, 100_000, '3 of 100,000 names, 3.0 a second, about 9 h left'],
    [{ agreed: 9, skipped: 20, trouble: 1 }, 30, '30 of 30 names, 1 with trouble'],
    [
      { agreed: 6, skipped: 20, trouble: 3, failed: 1 },
      40,
      '30 of 40 names, 10.0 a second, about 1 s left, 3 with trouble, 1 not done',
    ],
  ];
  for (const [counts, total, expected] of rows)
    t.equal(progressLine({ ...none, ...counts }, total, 1_000), expected);
  const done = { agreed: 6, skipped: 20, trouble: 3, failed: 1 };
  const names = '30 names: 6 healthy, 3 with trouble, 1 not done, 20 done before';
  t.equal(
    closingLine(done, { exchanges: 1_200, shared: 0 }, 4_000),
    `${names}; 1,200 exchanges in 4.0 s, 2.5 names a second`,
  );
  t.equal(
    closingLine(done, { exchanges: 1_200, shared: 1_100 }, 4_000),
    `${names}; 1,200 exchanges (1,100 shared) in 4.0 s, 2.5 names a second`,
  );
  t.equal(
    closingLine({ ...none, skipped: 20 }, { exchanges: 0, shared: 0 }, 4_000),
    '20 names: 0 healthy, 20 done before',
  );
});

t.test('what the pace costs is said before a long run', async (t) => {
  const rows: readonly (readonly [
    size: ListSize,
    rate: number,
    prefix: number,
    expected: RegExp | undefined,
  ])[] = [
    [
      { kind: 'counted', names: 1_000_000 },
      20,
      100,
      /^1,000,000 names at 20 queries a second to one address: about 14 h,/,
    ],
    [
      { kind: 'estimated', names: 9_000_000 },
      20,
      100,
      /^about 9,000,000 names at 20 queries a second .* about 125 h,/,
    ],
    [
      { kind: 'counted', names: 1_000_000 },
      500,
      100,
      /at 100 queries a second to one prefix: about 3 h,.*--share-referrals/,
    ],
    [{ kind: 'counted', names: 6_000 }, 0, 100, /at 100 queries a second to one prefix: about 60 s,/],
    [{ kind: 'counted', names: 1_199 }, 20, 100, undefined],
    [{ kind: 'counted', names: 1_000_000 }, 0, 0, undefined],
  ];
  for (const [size, ratePerAddress, ratePerPrefix, expected] of rows) {
    const notice = paceNotice(size, { ratePerAddress, ratePerPrefix });
    if (expected === undefined) t.equal(notice, undefined);
    else t.match(notice, expected);
  }
});

t.test('until when a wait lasts', async (t) => {
  const now = new Date(2026, 10, 21, 23, 30, 5);
  t.equal(untilTime(1_000, now), '23:30:06');
  t.equal(untilTime(3_600_000, now), '2026-11-22 00:30:05', 'another day has its date');
});

t.test('what is counted most, in a bounded room', async (t) => {
  const few = new MostCounted<string>(3);
  for (const key of 'abacab') few.add(key);
  t.same(few.all, [
    { key: 'a', count: 3 },
    { key: 'b', count: 2 },
    { key: 'c', count: 1 },
  ]);
  t.ok(few.isExact);
  const crowded = new MostCounted<string>(2);
  for (const key of 'aaxaybaz') crowded.add(key);
  t.same(crowded.all, [{ key: 'a', count: 2 }], 'what stands out stays');
  t.notOk(crowded.isExact);
  const many = new MostCounted<string>(100);
  for (let name = 0; name < 100_000; name += 1) many.add(name % 4 === 0 ? 'broken' : `ns${name}`);
  t.ok(many.all.length <= 100, 'however many there are');
  const [first] = many.all;
  t.equal(first?.key, 'broken');
  t.ok((first?.count ?? 0) > 24_000 && (first?.count ?? 0) <= 25_000, 'and little is lost');
});
